package oplog

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"kist/vault/disk"
)

// ErrRecord: a text is no record, or one of a shape that no record has.
var ErrRecord = errors.New("not a log record")

// Errors of looking up an operation.
var (
	ErrInvalid   = errors.New("invalid argument")
	ErrAmbiguous = errors.New("ambiguous")
)

// The kinds of words in a record; package vault says which there are.
type (
	Status string
	Type   string
	Actor  string
	Seq    int64
	Hash   = disk.Hash
)

// A Record is one event of an operation.
//
// Only fields that the event adds are set: the first record of an operation says
// what it is, the later ones how it went.
type Record struct {
	ID         string    `yaml:"id"`
	Event      Status    `yaml:"event"`
	At         time.Time `yaml:"at"`
	Type       Type      `yaml:"type"`
	Entity     *Entity   `yaml:"entity"`
	Actor      Actor     `yaml:"actor"`
	Client     string    `yaml:"client"`
	Session    string    `yaml:"session"`
	Turn       string    `yaml:"turn"`
	Outside    bool      `yaml:"outside"`
	Request    string    `yaml:"request"` // the name that the caller gave its request
	Batch      string    `yaml:"batch"`   // id of its first operation; not written there
	Seq        Seq       `yaml:"seq"`
	Reason     string    `yaml:"reason"`
	Undoes     string    `yaml:"undoes"`
	Error      string    `yaml:"error"`
	DurationMS int64     `yaml:"duration_ms"`
	Digest     string    `yaml:"digest"`
	Changes    []Change  `yaml:"changes"`
}

// An Entity is what an operation is about.
type Entity struct {
	Type string `yaml:"type"` // project, task, draft, memory, note, conversation, action or document
	ID   string `yaml:"id"`   // ULID from the front matter, where there is one
	Path string `yaml:"path"` // not written where it is that of the first change
}

// A Change is what an operation does to one file.
type Change struct {
	Path   string `yaml:"path"`
	From   string `yaml:"from"`
	Before Hash   `yaml:"before"`
	After  Hash   `yaml:"after"`
	Mode   string `yaml:"mode"` // octal, such as 0600: of a file that is deleted or made; empty: 0644, or not known
	Patch  Patch  `yaml:"patch"`
	// Bytes stands for Patch where that isn't UTF-8. Decode makes a Patch of it.
	Bytes Bytes `yaml:"patch_bytes"`
}

// A Patch is a unified diff, of any bytes.
type Patch string

// Bytes is what a record has as base64, with line breaks anywhere. Logs that were
// written before 2026-11-23 have a list of numbers.
type Bytes []byte

// UnmarshalYAML takes either.
func (b *Bytes) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		var list []uint8
		if err := n.Decode(&list); err != nil {
			return err
		}
		*b = list
		return nil
	}
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("%w: line %d: neither base64 nor a list of numbers", ErrRecord, n.Line)
	}
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	if err != nil {
		return fmt.Errorf("%w: line %d: %w", ErrRecord, n.Line, err)
	}
	*b = text
	return nil
}

// Decode reads a record, which may have come from another machine, so it looks at the
// nodes first: yaml.v3 takes seconds to decode 36 KB of merge keys. What is no record
// is an error, often [ErrRecord].
func Decode(text []byte) (r Record, err error) {
	defer func() {
		if p := recover(); p != nil { // of the YAML parser's
			r, err = Record{}, fmt.Errorf("%w: it can't be parsed", ErrRecord)
		}
	}()
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return Record{}, err
	}
	if err := Plain(&node); err != nil {
		return Record{}, err
	}
	if err := node.Decode(&r); err != nil {
		return Record{}, err
	}
	if r.ID == "" || r.Event == "" {
		return Record{}, fmt.Errorf("%w: it has no id or no event", ErrRecord)
	}
	r.complete()
	return r, nil
}

// complete fills in what a record need not say.
func (r *Record) complete() {
	if r.Batch == "" && r.Type != "" {
		r.Batch = r.ID
	}
	if r.Reason == "" {
		r.Reason = ImpliedReason(r.Actor, r.Type)
	}
	if r.Entity != nil && r.Entity.Path == "" && len(r.Changes) > 0 {
		r.Entity.Path = r.Changes[0].Path
	}
	for i, c := range r.Changes {
		if c.Bytes != nil {
			r.Changes[i].Patch, r.Changes[i].Bytes = Patch(c.Bytes), nil
		}
	}
}

// maxKeys is several times what any record has.
const maxKeys = 100

// Plain refuses, with [ErrRecord], YAML that no record needs and that costs more than it
// is long.
func Plain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.MappingNode && len(n.Content) > 2*maxKeys {
		return fmt.Errorf("%w: line %d: aliases, or more than %d keys", ErrRecord, n.Line, maxKeys)
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && (c.Kind != yaml.ScalarNode || c.Tag == "!!merge") {
			return fmt.Errorf("%w: line %d: a key that is no word", ErrRecord, c.Line)
		}
		if err := Plain(c); err != nil {
			return err
		}
	}
	return nil
}

const (
	docStart = "---\n"
	// docEnd closes every record: one that lacks it was torn by a crash.
	docEnd = "...\n"
)

// A Part is the place of a record in the text that it was cut from.
type Part struct{ From, To int }

// Split finds complete records in a log's text and returns them with the number of
// bytes after which nothing of a record has begun. Text outside of the marks (a hand
// edit, the start of a torn record) is passed over.
func Split(text []byte) (parts []Part, n int) {
	start := -1
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		next := at + end + 1
		switch string(text[at:next]) {
		case docStart:
			start = next // a new start gives up a record that was never closed
			n = at
		case docEnd:
			if start >= 0 {
				parts = append(parts, Part{start, at})
			}
			start, n = -1, next
		}
		at = next
	}
	return parts, n
}
