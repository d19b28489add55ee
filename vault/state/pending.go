package state

import (
	"maps"
	"slices"
)

// pending is what was written and isn't in the file yet. A DB has up to two: the
// one that calls write into, and the one that is being flushed.
type pending struct {
	docs      map[string]pendingDocument
	dropped   bool // the file's operations and positions are forgotten
	ops       map[string]pendingOperation
	positions map[string]int64
	filled    bool
	size      int // bytes, roughly
}

// A pendingDocument without a record is one that was deleted.
type pendingDocument struct {
	record []byte
	text   []byte // packed; nil: not kept
}

type pendingOperation struct {
	keys   []string
	record []byte
}

// overhead is what a map's entry and its slices take beside the bytes in them.
const overhead = 128

func newPending() *pending {
	return &pending{
		docs: map[string]pendingDocument{}, ops: map[string]pendingOperation{}, positions: map[string]int64{},
	}
}

func (p *pending) empty() bool {
	return len(p.docs) == 0 && len(p.ops) == 0 && len(p.positions) == 0 && !p.dropped && !p.filled
}

func (p *pending) putDocument(path string, d pendingDocument) {
	if old, ok := p.docs[path]; ok {
		p.size -= len(path) + len(old.record) + len(old.text) + overhead
	}
	p.docs[path] = d
	p.size += len(path) + len(d.record) + len(d.text) + overhead
}

func (p *pending) putOperation(id string, op pendingOperation) {
	if old, ok := p.ops[id]; ok {
		p.size -= len(id) + old.size() + overhead
	}
	p.ops[id] = op
	p.size += len(id) + op.size() + overhead
}

// size counts the keys twice: in the record, and beside it.
func (op pendingOperation) size() int {
	n := len(op.record)
	for _, key := range op.keys {
		n += len(key) + 16
	}
	return n
}

func (op pendingOperation) has(key string) bool {
	return key == "" || slices.Contains(op.keys, key)
}

func (p *pending) drop() {
	for id, op := range p.ops {
		p.size -= len(id) + op.size() + overhead
	}
	clear(p.ops)
	clear(p.positions)
	p.dropped = true
}

// add puts later on top of p.
func (p *pending) add(later *pending) {
	if later.dropped {
		p.drop()
	}
	for path, d := range later.docs {
		p.putDocument(path, d)
	}
	for id, op := range later.ops {
		p.putOperation(id, op)
	}
	maps.Copy(p.positions, later.positions)
	p.filled = p.filled || later.filled
}

// The methods below look through both layers, the newer one first; callers hold
// db.mu.

func (db *DB) layers() []*pending {
	if db.frozen == nil {
		return []*pending{db.active}
	}
	return []*pending{db.active, db.frozen}
}

func (db *DB) pendingDocument(path string) (pendingDocument, bool) {
	for _, layer := range db.layers() {
		if d, ok := layer.docs[path]; ok {
			return d, true
		}
	}
	return pendingDocument{}, false
}

func (db *DB) pendingOperation(id string) (pendingOperation, bool) {
	for _, layer := range db.layers() {
		if op, ok := layer.ops[id]; ok {
			return op, true
		}
		if layer.dropped {
			break
		}
	}
	return pendingOperation{}, false
}

func (db *DB) pendingPosition(file string) (int64, bool) {
	for _, layer := range db.layers() {
		if n, ok := layer.positions[file]; ok {
			return n, true
		}
		if layer.dropped {
			return 0, true
		}
	}
	return 0, false
}

// dropped reports whether the file's operations are forgotten.
func (db *DB) dropped() bool {
	return db.active.dropped || (db.frozen != nil && db.frozen.dropped)
}

// pendingPaths returns the paths in (after, until] that a layer knows, with
// until "" for no end; a path may come twice.
func (db *DB) pendingPaths(after, until string) (paths []string) {
	for _, layer := range db.layers() {
		for path := range layer.docs {
			if path > after && (until == "" || path <= until) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// pendingIDs returns the ids of all operations in the layers for which keep
// holds; an id may come twice.
func (db *DB) pendingIDs(keep func(id string) bool) (ids []string) {
	for _, layer := range db.layers() {
		for id := range layer.ops {
			if keep(id) {
				ids = append(ids, id)
			}
		}
		if layer.dropped {
			break
		}
	}
	return ids
}
