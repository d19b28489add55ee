package oplog

import (
	"encoding/json"
	"fmt"
	"iter"
	"sort"
	"strings"
	"time"

	"kist/vault/state"
)

func decodeOp(value []byte) (*Folded, error) {
	op := &Folded{}
	if err := json.Unmarshal(value, op); err != nil {
		return nil, fmt.Errorf("read the index of operations: %w", err)
	}
	return op, nil
}

// A Key selects operations in the index. It is a letter for the kind and what it is about;
// the empty one selects all.
type Key string

func byUndo(id string) Key { return Key("u" + id) }

// ByBatch selects the operations of a batch.
func ByBatch(id string) Key { return Key("b" + id) }

// BySession selects the operations of a session.
func BySession(id string) Key { return Key("s" + id) }

// ByEntity selects the operations on an entity, by its id.
func ByEntity(id string) Key { return Key("e" + id) }

// ByPath selects the operations on a file.
func ByPath(p string) Key { return Key("f" + p) }

// ByProject selects the operations on what belongs to a project.
func ByProject(slug string) Key { return Key("p" + slug) }

// ByActor selects what an actor did.
func ByActor(a Actor) Key { return Key("a" + string(a)) }

// ByRequest selects what a request did, by the name that its caller gave it.
func ByRequest(name string) Key { return Key("q" + name) }

// requestName is a request's name without the mark of what it asked for.
func requestName(request string) string {
	name, _, _ := strings.Cut(request, "/")
	return name
}

// ByDevice selects what a device made or did.
func ByDevice(device string) Key { return Key("d" + device) }

// ByStatus selects the operations with a status, which may be this device's alone.
// Completed ones can't be selected: nearly all are.
func ByStatus(s Status) Key { return Key("t" + string(s)) }

// With yields the operations that a key selects, without patches, the newest id first.
func (log *Log) With(k Key) iter.Seq2[*Folded, error] {
	return func(yield func(*Folded, error) bool) {
		for e, err := range log.db.Operations(string(k), "") {
			var op *Folded
			if err == nil {
				op, err = decodeOp(e.Value)
			}
			if !yield(op, err) || err != nil {
				return
			}
		}
	}
}

// keysOf returns what an operation can be found by. Nearly all are completed, so that
// is no key.
func keysOf(op *Folded, opts Options) []string {
	var keys []string
	seen := map[string]bool{}
	add := func(k Key) {
		if key := string(k); len(key) > 1 && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	add(byUndo(op.Undoes))
	add(ByBatch(op.Batch))
	add(BySession(op.Session))
	add(ByEntity(op.Entity.ID))
	add(ByPath(op.Entity.Path))
	add(ByProject(opts.ProjectOf(op.Entity.Path)))
	add(ByActor(op.Actor))
	add(ByRequest(requestName(op.Request)))
	add(ByDevice(op.Maker))
	add(ByDevice(op.Device))
	if op.Status != Completed {
		add(ByStatus(op.Status))
	}
	for device, t := range op.Told {
		add(ByDevice(device))
		if device == opts.Device && t.Status != Completed {
			add(ByStatus(t.Status)) // others may have done what waits for its end here
		}
	}
	for _, c := range op.Changes {
		add(ByPath(c.Path))
		add(ByPath(c.From))
	}
	return keys
}

// A folding adds records to operations of the index.
type folding struct {
	db  *state.DB
	now func() time.Time
	own string             // this device
	ops map[string]*Folded // those that changed
}

// fold adds a record to its operation. Records may come from several devices
// and files in any order.
func (f *folding) fold(r Record, file string, at int64, n int) error {
	op := f.ops[r.ID]
	if op == nil {
		value, ok, err := f.db.Operation(r.ID)
		if err != nil {
			return err
		}
		op = &Folded{Operation: Operation{ID: r.ID, At: r.At}}
		if ok {
			if op, err = decodeOp(value); err != nil {
				return err
			}
		}
		f.ops[r.ID] = op
	}
	op.Fold(r, f.own, f.now, Place{File: file, Offset: at, Length: n})
	return nil
}

func (f *folding) entries(opts Options) ([]state.Entry, error) {
	var out []state.Entry
	for id, op := range f.ops {
		value, err := json.Marshal(op)
		if err != nil {
			return nil, fmt.Errorf("index operation %s: %w", id, err)
		}
		out = append(out, state.Entry{ID: id, Keys: keysOf(op, opts), Value: value})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, nil
}
