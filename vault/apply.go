package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kist/vault/merge"
)

// Apply carries out a batch, all of it or nothing, and returns its operations in
// the order of its steps. Under one lock it
//
//  1. compares each change's Before with the disk; where the file has moved on it
//     merges the two by lines, and returns a [ConflictError] where they touch;
//  2. appends a begun record with the full patch to the operation log and makes
//     it durable: from here on a crash is resolved by the next Open;
//  3. writes each file to a temporary file, makes that durable, exchanges it with
//     the target and looks at what it displaced. If that isn't the expected text,
//     an editor saved at that moment: its text goes back in place and the change
//     is merged into it or refused. A moment later the displaced file is looked
//     at again, for an editor that still had it open;
//  4. appends a completed record.
//
// An error means that no file was changed, except where the error of taking back
// the first ones of several says so. After nil, the change survives a crash and a
// loss of power. It returns ErrReadOnly, ErrInvalidPath, ErrExists, ErrConflict,
// ErrNotRegular, or what the file system says.
func (v *Vault) Apply(ctx context.Context, b Batch) ([]Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	ops, err := v.plan(b)
	if err != nil {
		return nil, err
	}
	return v.run(ops)
}

// ready says whether a write may start.
func (v *Vault) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if v.closed {
		return ErrClosed
	}
	if why := v.ReadOnly(); why != "" {
		return fmt.Errorf("%w: %s", ErrReadOnly, why)
	}
	return nil
}

// planned is an operation with the texts it moves between.
type planned struct {
	op    Operation
	files []*replacement
}

// plan checks a batch against the disk and returns its operations, changing
// nothing. undoes gives each step's undone operation when they undo.
func (v *Vault) plan(b Batch, undoes ...string) ([]*planned, error) {
	if len(b.Steps) == 0 {
		return nil, fmt.Errorf("%w: a batch without steps", ErrInvalid)
	}
	batch := v.NewID()
	overlay := map[string][]byte{} // what the steps so far leave
	var out []*planned
	for i, s := range b.Steps {
		p := &planned{op: Operation{
			ID: v.NewID(), At: v.now(), Type: s.Type, Entity: s.Entity, Reason: oneLine(s.Reason), Batch: batch,
			Actor: b.Origin.Actor, Client: oneLine(b.Origin.Client), Session: b.Origin.Session, Turn: b.Origin.Turn,
		}}
		if i < len(undoes) {
			p.op.Undoes = undoes[i]
		}
		if len(s.Changes) == 0 {
			return nil, fmt.Errorf("%w: nothing to change in %s", ErrInvalid, s.Entity.Path)
		}
		for _, c := range s.Changes {
			r, err := v.planChange(c, overlay)
			if err != nil {
				return nil, err
			}
			r.id = p.op.ID
			overlay[r.path] = r.after
			if HashOf(r.before) != HashOf(r.after) {
				p.files = append(p.files, r)
			}
		}
		if len(p.files) == 0 {
			return nil, fmt.Errorf("%w: %s says so already", ErrStatus, s.Entity.Path)
		}
		p.describe()
		out = append(out, p)
	}
	return out, nil
}

func (v *Vault) planChange(c Change, overlay map[string][]byte) (*replacement, error) {
	clean, err := v.writablePath(c.Path)
	if err != nil {
		return nil, err
	}
	now, seen := overlay[clean]
	if !seen {
		if now, err = v.readOrNil(clean); err != nil {
			return nil, err
		}
		if now != nil {
			if _, err := v.writable(clean); err != nil {
				return nil, err
			}
		}
	}
	r := &replacement{path: clean, before: c.Before, after: c.After}
	return r, v.rebase(r, now)
}

// describe fills in what the log says of the files, and the digest over it.
func (p *planned) describe() {
	p.op.Changes = nil
	for _, r := range p.files {
		p.op.Changes = append(p.op.Changes, FileChange{
			Path: r.path, Before: HashOf(r.before), After: HashOf(r.after), Patch: merge.Diff(r.path, r.before, r.after),
		})
	}
	p.op.Digest = digest(p.op)
}

// digest is the SHA-256 over what an operation would do.
func digest(op Operation) string {
	type change struct{ Path, Before, After, Patch string }
	var cs []change
	for _, c := range op.Changes {
		cs = append(cs, change{c.Path, string(c.Before), string(c.After), c.Patch})
	}
	text, _ := json.Marshal([]any{op.ID, op.Type, op.Entity, cs}) // plain strings always marshal
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// run logs and writes planned operations. The lock is held.
func (v *Vault) run(ops []*planned) ([]Operation, error) {
	start := time.Now()
	if err := v.logBegun(ops); err != nil {
		return nil, err
	}
	var done []*replacement
	for _, p := range ops {
		for _, r := range p.files {
			done = append(done, r)
			err := v.replace(r, func() error {
				p.describe()
				return v.logBegun([]*planned{p})
			})
			if err != nil {
				return nil, v.abort(ops, done, err)
			}
		}
	}
	out, err := v.finish(ops, StatusCompleted, nil, time.Since(start))
	if err != nil {
		return nil, v.abort(ops, done, err)
	}
	return out, nil
}

func (v *Vault) logBegun(ops []*planned) error {
	at := v.now()
	var records []record
	for _, p := range ops {
		r := recordOf(p.op, StatusBegun, at)
		records = append(records, r)
	}
	return v.ops.append(at, records...)
}

// recordOf is an operation's first record, or a later one that restates it.
func recordOf(op Operation, event Status, at time.Time) record {
	e := recordEntity(op.Entity)
	r := record{
		ID: op.ID, Event: event, At: at, Type: op.Type, Entity: &e, Actor: op.Actor, Client: op.Client,
		Session: op.Session, Turn: op.Turn, Batch: op.Batch, Reason: op.Reason, Undoes: op.Undoes, Digest: op.Digest,
	}
	for _, c := range op.Changes {
		r.Changes = append(r.Changes, recordChange{Path: c.Path, Before: c.Before, After: c.After, Patch: c.Patch})
	}
	return r
}

// finish ends operations in the log and tells followers and watchers.
func (v *Vault) finish(ops []*planned, end Status, cause error, took time.Duration) ([]Operation, error) {
	at := v.now()
	var records []record
	for _, p := range ops {
		p.op.Status, p.op.Duration = end, took
		if end == StatusCompleted {
			p.op.Seq = v.changed(p.files)
		}
		if cause != nil {
			p.op.Error = oneLine(cause.Error())
		}
		records = append(records, record{ID: p.op.ID, Event: end, At: at, Seq: p.op.Seq, Error: p.op.Error, DurationMS: took.Milliseconds()})
	}
	if err := v.ops.append(at, records...); err != nil {
		return nil, err
	}
	var out []Operation
	for _, p := range ops {
		out = append(out, p.op)
		v.news.send(p.op)
	}
	return out, nil
}

// changed numbers the changes of files that followers care about.
func (v *Vault) changed(files []*replacement) Seq {
	var paths []string
	for _, r := range files {
		if isMarkdown(r.path) {
			paths = append(paths, r.path)
		}
	}
	return v.changes.add(paths...)
}

// abort takes back the files that were written, of which the last may or may not
// be in place, and ends the batch in the log.
func (v *Vault) abort(ops []*planned, tried []*replacement, cause error) error {
	end := StatusFailed
	for i := len(tried) - 1; i >= 0; i-- {
		r := tried[i]
		if i == len(tried)-1 {
			now, err := v.readOrNil(r.path)
			if err == nil && HashOf(now) != HashOf(r.after) {
				continue
			}
		}
		end = StatusRolledBack
		back := &replacement{id: r.id, path: r.path, before: r.after, after: r.before}
		if err := v.replace(back, func() error { return nil }); err != nil {
			cause = errors.Join(cause, fmt.Errorf("take back %s: %w", r.path, err))
			continue
		}
		v.changed([]*replacement{r})
	}
	if _, err := v.finish(ops, end, cause, 0); err != nil {
		cause = errors.Join(cause, err)
	}
	return cause
}
