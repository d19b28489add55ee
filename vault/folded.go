package vault

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"kist/vault/state"
)

// loggedOp is an operation as the index over the log keeps it: without patches,
// and with the place of the record that has them.
type loggedOp struct {
	Operation
	File     string
	Offset   int64
	Length   int
	Last     time.Time // of the record that gave the status
	Approved bool      // it was a proposal
	Stated   []Hash    // texts of earlier attempts, before an editor's save changed them
}

func decodeOp(value []byte) (*loggedOp, error) {
	op := &loggedOp{}
	if err := json.Unmarshal(value, op); err != nil {
		return nil, fmt.Errorf("read the index of operations: %w", err)
	}
	return op, nil
}

// Keys of the index over the log. Each is a letter for the kind and what it is about.
func undoKey(id string) string      { return "u" + id }
func batchKey(id string) string     { return "b" + id }
func sessionKey(id string) string   { return "s" + id }
func entityKey(id string) string    { return "e" + id }
func pathKey(p string) string       { return "f" + p }
func projectKey(slug string) string { return "p" + slug }
func actorKey(a Actor) string       { return "a" + string(a) }
func statusKey(s Status) string     { return "t" + string(s) }

// keys returns what an operation can be found by. Nearly all are completed, so that
// is no key.
func (op *loggedOp) keys(v *Vault) []string {
	var keys []string
	seen := map[string]bool{}
	add := func(key string) {
		if len(key) > 1 && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	add(undoKey(op.Undoes))
	add(batchKey(op.Batch))
	add(sessionKey(op.Session))
	add(entityKey(op.Entity.ID))
	add(pathKey(op.Entity.Path))
	add(projectKey(v.ProjectOf(op.Entity.Path)))
	add(actorKey(op.Actor))
	if op.Status != StatusCompleted {
		add(statusKey(op.Status))
	}
	for _, c := range op.Changes {
		add(pathKey(c.Path))
		add(pathKey(c.From))
	}
	return keys
}

// A folding adds records to operations of the index.
type folding struct {
	db  *state.DB
	ops map[string]*loggedOp // those that changed
}

// fold adds a record to its operation. Records may come from several devices
// and files in any order.
func (f *folding) fold(r record, file string, at int64, n int) error {
	op := f.ops[r.ID]
	if op == nil {
		value, ok, err := f.db.Operation(r.ID)
		if err != nil {
			return err
		}
		op = &loggedOp{Operation: Operation{ID: r.ID, At: r.At}}
		if ok {
			if op, err = decodeOp(value); err != nil {
				return err
			}
		}
		f.ops[r.ID] = op
	}
	op.add(r)
	if len(r.Changes) > 0 {
		op.File, op.Offset, op.Length = file, at, n
	}
	return nil
}

func (op *loggedOp) add(r record) {
	// An end is an end, whatever the clocks of two devices, or of one that was set
	// back, say; among equals the later record counts.
	if a, b := rank(r.Event), rank(op.Status); a > b || a == b && !r.At.Before(op.Last) {
		op.Status, op.Last, op.Error = r.Event, r.At, r.Error
	}
	op.Approved = op.Approved || r.Event == StatusApproved
	if r.At.Before(op.At) {
		op.At = r.At
	}
	if r.Type != "" {
		op.Type, op.Actor, op.Client = r.Type, r.Actor, r.Client
		op.Session, op.Turn, op.Outside, op.Batch = r.Session, r.Turn, r.Outside, r.Batch
		op.Reason, op.Undoes = r.Reason, r.Undoes
	}
	if r.Entity != nil {
		op.Entity = Entity(*r.Entity)
	}
	if len(r.Changes) > 0 {
		for _, c := range op.Changes {
			op.Stated = append(op.Stated, c.Before, c.After)
		}
		op.Changes = nil
		for _, c := range r.Changes {
			op.Changes = append(op.Changes, FileChange{Path: c.Path, From: c.From, Before: c.Before, After: c.After})
			op.Stated = slices.DeleteFunc(op.Stated, func(h Hash) bool { return h == c.Before || h == c.After })
		}
	}
	if r.Digest != "" {
		op.Digest = r.Digest
	}
	op.Seq = max(op.Seq, r.Seq)
	op.Duration = max(op.Duration, time.Duration(r.DurationMS)*time.Millisecond)
}

// rank orders the events of an operation's life. Events that this version doesn't
// know count as an end.
func rank(s Status) int {
	switch s {
	case "":
		return 0
	case StatusProposed:
		return 1
	case StatusApproved:
		return 2
	case StatusBegun:
		return 3
	case StatusSuperseded:
		return 5
	}
	return 4
}

func (f *folding) entries(v *Vault) ([]state.Entry, error) {
	var out []state.Entry
	for id, op := range f.ops {
		value, err := json.Marshal(op)
		if err != nil {
			return nil, fmt.Errorf("index operation %s: %w", id, err)
		}
		out = append(out, state.Entry{ID: id, Keys: op.keys(v), Value: value})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, nil
}
