package vault

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// record is one event of an operation as the log stores it. It is a type of its
// own so that [Operation] can change without changing the files.
//
// Only fields that the event adds are set: the first record of an operation says
// what it is, the later ones how it went.
type record struct {
	ID         string         `yaml:"id"`
	Event      Status         `yaml:"event"`
	At         time.Time      `yaml:"at"`
	Type       OpType         `yaml:"type,omitempty"`
	Entity     *recordEntity  `yaml:"entity,omitempty"`
	Actor      Actor          `yaml:"actor,omitempty"`
	Client     string         `yaml:"client,omitempty"`
	Session    string         `yaml:"session,omitempty"`
	Turn       string         `yaml:"turn,omitempty"`
	Outside    bool           `yaml:"outside,omitempty"`
	Batch      string         `yaml:"batch,omitempty"`
	Seq        Seq            `yaml:"seq,omitempty"`
	Reason     string         `yaml:"reason,omitempty"`
	Undoes     string         `yaml:"undoes,omitempty"`
	Error      string         `yaml:"error,omitempty"`
	DurationMS int64          `yaml:"duration_ms,omitempty"`
	Digest     string         `yaml:"digest,omitempty"`
	Changes    []recordChange `yaml:"changes,omitempty"`
}

type recordEntity struct {
	Type string `yaml:"type"`
	ID   string `yaml:"id,omitempty"`
	Path string `yaml:"path"`
}

type recordChange struct {
	Path   string `yaml:"path"`
	From   string `yaml:"from,omitempty"`
	Before Hash   `yaml:"before,omitempty"`
	After  Hash   `yaml:"after,omitempty"`
	Patch  string `yaml:"patch,omitempty"`
	// Set instead of Patch where YAML text can't hold the bytes.
	PatchBytes []byte `yaml:"patch_bytes,omitempty"`
}

const (
	docStart = "---\n"
	// docEnd closes every record: one that lacks it was torn by a crash.
	docEnd = "...\n"
)

// encodeRecord returns a record as a YAML document with its start and end marks.
// It reads back what it wrote: a patch that YAML would bend (control characters,
// bytes that aren't UTF-8) is stored as base64 instead.
func encodeRecord(r record) ([]byte, error) {
	for i, c := range r.Changes {
		if !utf8.ValidString(c.Patch) {
			r.Changes[i].Patch, r.Changes[i].PatchBytes = "", []byte(c.Patch)
		}
	}
	text, err := marshalRecord(r)
	if err != nil {
		return nil, err
	}
	back, err := decodeRecord(text[len(docStart) : len(text)-len(docEnd)])
	bent := false
	for i := range r.Changes {
		if err == nil && i < len(back.Changes) && back.Changes[i].patch() == r.Changes[i].patch() {
			continue
		}
		bent = true
		r.Changes[i].PatchBytes = []byte(r.Changes[i].patch())
		r.Changes[i].Patch = ""
	}
	if !bent {
		return text, nil
	}
	return marshalRecord(r)
}

func marshalRecord(r record) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(docStart)
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode operation %s: %w", r.ID, err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("encode operation %s: %w", r.ID, err)
	}
	b.WriteString(docEnd)
	return b.Bytes(), nil
}

// decodeRecord reads what may have come from another machine, so it looks at the
// nodes first: yaml.v3 takes seconds to decode 36 KB of merge keys.
func decodeRecord(text []byte) (record, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return record{}, err
	}
	if err := plainNode(&node); err != nil {
		return record{}, err
	}
	var r record
	if err := node.Decode(&r); err != nil {
		return record{}, err
	}
	if r.ID == "" || r.Event == "" {
		return record{}, fmt.Errorf("%w: not a log record", ErrInvalid)
	}
	return r, nil
}

// maxKeys is several times what any record has.
const maxKeys = 100

// plainNode refuses YAML that no record needs and that costs more than it is long.
func plainNode(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.MappingNode && len(n.Content) > 2*maxKeys {
		return fmt.Errorf("%w: line %d: aliases, or more than %d keys", ErrInvalid, n.Line, maxKeys)
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && (c.Kind != yaml.ScalarNode || c.Tag == "!!merge") {
			return fmt.Errorf("%w: line %d: a key that is no word", ErrInvalid, c.Line)
		}
		if err := plainNode(c); err != nil {
			return err
		}
	}
	return nil
}

func (c recordChange) change() FileChange {
	return FileChange{Path: c.Path, From: c.From, Before: c.Before, After: c.After, Patch: c.patch()}
}

func (c recordChange) patch() string {
	if c.PatchBytes != nil {
		return string(c.PatchBytes)
	}
	return c.Patch
}

// splitRecords cuts complete records off the front of a log's text and returns
// them with the number of bytes they take. Text outside of the marks (a hand
// edit, the start of a torn record) is passed over.
func splitRecords(text []byte) (docs [][]byte, n int) {
	start := -1
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		line := text[at : at+end+1]
		next := at + end + 1
		switch {
		case string(line) == docStart:
			start = next // a new start gives up a record that was never closed
			n = at
		case string(line) == docEnd:
			if start >= 0 {
				docs = append(docs, text[start:at])
			}
			start, n = -1, next
		}
		at = next
	}
	return docs, n
}
