package torture

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"kist/vault/oplog"
)

// A ledger is the judge's own reading of the operation log, which has one writer
// here: the last record of an operation says how it stands, and operations took
// effect in the order of their last records. It reads what was added.
type ledger struct {
	read map[string]int64 // bytes, by file
	ops  map[string]*entry
	n    int // records
}

// An entry is an operation.
type entry struct {
	id, event, actor, undoes string
	changes                  []change
	at                       int // number of the last record
}

// A change is what an operation does to a file. An empty hash: no file.
type change struct {
	Path       string      `yaml:"path"`
	From       string      `yaml:"from"`
	Before     string      `yaml:"before"`
	After      string      `yaml:"after"`
	Patch      string      `yaml:"patch"`
	PatchBytes oplog.Bytes `yaml:"patch_bytes"`
}

func newLedger() *ledger { return &ledger{read: map[string]int64{}, ops: map[string]*entry{}} }

// refresh reads the new records of the log in dir.
func (l *ledger) refresh(dir string) error {
	var files []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, p := range files {
		if err := l.refreshFile(p); err != nil {
			return fmt.Errorf("operation log %s: %w", p, err)
		}
	}
	return nil
}

func (l *ledger) refreshFile(p string) error {
	text, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	if int64(len(text)) < l.read[p] {
		return errors.New("it has become shorter")
	}
	n, err := l.parse(text[l.read[p]:])
	l.read[p] += int64(n)
	return err
}

// parse adds the records of a text and returns how many bytes they take. A record
// goes from a line --- to a line ...; one that a crash cut off is followed by the
// start of the next.
func (l *ledger) parse(text []byte) (n int, err error) {
	var doc []byte
	open := false
	at := 0
	for line := range bytes.Lines(text) {
		at += len(line)
		switch string(line) {
		case "---\n":
			doc, open = nil, true
		case "...\n":
			if open {
				if err := l.add(doc); err != nil {
					return n, err
				}
			}
			open, n = false, at
		default:
			doc = append(doc, line...)
		}
	}
	return n, nil
}

func (l *ledger) add(doc []byte) error {
	var r struct {
		ID      string   `yaml:"id"`
		Event   string   `yaml:"event"`
		Actor   string   `yaml:"actor"`
		Undoes  string   `yaml:"undoes"`
		Changes []change `yaml:"changes"`
	}
	if err := yaml.Unmarshal(doc, &r); err != nil {
		return err
	}
	if r.ID == "" || r.Event == "" {
		return fmt.Errorf("no record: %.200q", doc)
	}
	e := l.ops[r.ID]
	if e == nil {
		e = &entry{id: r.ID}
		l.ops[r.ID] = e
	}
	if r.Event == "superseded" {
		return nil // it took effect; an editor saved over it later
	}
	l.n++
	e.event, e.at = r.Event, l.n
	if r.Actor != "" {
		e.actor, e.undoes = r.Actor, r.Undoes
	}
	if len(r.Changes) > 0 {
		for i, c := range r.Changes {
			if c.PatchBytes != nil {
				r.Changes[i].Patch = string(c.PatchBytes)
			}
		}
		e.changes = r.Changes
	}
	return nil
}

// completed returns the operations that took effect, in that order.
func (l *ledger) completed() []*entry {
	var out []*entry
	for _, e := range l.ops {
		if e.event == "completed" {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b *entry) int { return a.at - b.at })
	return out
}

// removed reports whether a completed operation that is no editor's took the line
// out of a file.
func (l *ledger) removed(line string) bool {
	for _, e := range l.ops {
		if e.event != "completed" || e.actor == "editor" {
			continue
		}
		for _, c := range e.changes {
			if strings.Contains(c.Patch, "\n-"+line+"\n") {
				return true
			}
		}
	}
	return false
}
