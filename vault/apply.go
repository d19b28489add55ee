package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"kist/vault/fsys"
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
// ErrNoChange, ErrProtected, ErrNotRegular, or what the file system says.
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

// overlay holds what the steps planned so far leave of the files they touch.
type overlay map[string][]byte

// read returns what a file will hold; nil: no file.
func (o overlay) read(v *Vault, p string) ([]byte, error) {
	if text, ok := o[p]; ok {
		return text, nil
	}
	return v.readOrNil(p)
}

// plan checks a batch against the disk and returns its operations, changing
// nothing. undoes gives each step's undone operation when they undo.
func (v *Vault) plan(b Batch, undoes ...string) ([]*planned, error) {
	if len(b.Steps) == 0 {
		return nil, fmt.Errorf("%w: a batch without steps", ErrInvalid)
	}
	batch := v.NewID()
	seen := overlay{}
	var out []*planned
	for i, s := range b.Steps {
		p := &planned{op: Operation{
			ID: v.NewID(), At: v.now(), Type: s.Type, Entity: s.Entity, Reason: oneLine(s.Reason), Batch: batch,
			Actor: b.Origin.Actor, Client: oneLine(b.Origin.Client), Session: b.Origin.Session, Turn: b.Origin.Turn, Outside: b.Origin.Outside,
		}}
		if i < len(undoes) {
			p.op.Undoes = undoes[i]
		}
		if len(s.Changes) == 0 {
			return nil, fmt.Errorf("%w: nothing to change in %s", ErrInvalid, s.Entity.Path)
		}
		for _, c := range s.Changes {
			r, err := v.planChange(c, seen)
			if err != nil {
				return nil, err
			}
			r.id = p.op.ID
			if r.from != "" || HashOf(r.before) != HashOf(r.after) {
				p.files = append(p.files, r)
			}
		}
		if len(p.files) == 0 {
			return nil, fmt.Errorf("%w: %s says so already", ErrNoChange, s.Entity.Path)
		}
		p.describe()
		out = append(out, p)
	}
	return out, v.checkProtected(out)
}

func (v *Vault) planChange(c Change, seen overlay) (*replacement, error) {
	clean, err := v.writablePath(c.Path)
	if err != nil {
		return nil, err
	}
	if c.From != "" {
		return v.planMove(c.From, clean, seen)
	}
	now, planned := seen[clean]
	if !planned {
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
	if !planned && HashOf(now) != HashOf(r.before) && v.beingWritten(clean) {
		// Not what the change was made for, because it is being saved just now.
		v.waitClosed(r)
		if now, err = v.readOrNil(clean); err != nil {
			return nil, err
		}
	}
	if err := v.rebase(r, now); err != nil {
		return nil, err
	}
	seen[clean] = r.after
	return r, nil
}

func (v *Vault) planMove(from, to string, seen overlay) (*replacement, error) {
	from, err := v.writablePath(from)
	if err != nil {
		return nil, err
	}
	r := &replacement{path: to, from: from}
	if text, planned := seen[from]; planned {
		if text == nil {
			return nil, &NotFoundError{Kind: "file", Ref: from}
		}
		r.hash = HashOf(text)
		seen[to] = text
	} else {
		if _, err := v.writable(from); err != nil {
			return nil, err
		}
		if r.hash, err = v.hashFile(from); err != nil {
			return nil, err
		}
		if isMarkdown(from) {
			if seen[to], err = v.Read(from); err != nil {
				return nil, err
			}
		}
	}
	seen[from] = nil
	if v.there(to) {
		return nil, fmt.Errorf("%w: %s", ErrExists, to)
	}
	return r, nil
}

// hashFile hashes a file of any size without keeping it in memory.
func (v *Vault) hashFile(p string) (Hash, error) {
	f, _, err := v.open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", p, fsys.BareError(err))
	}
	return Hash(hex.EncodeToString(h.Sum(nil))), nil
}

// rename gives an operation that isn't logged yet another id.
func (p *planned) rename(id string) {
	p.op.ID = id
	for _, r := range p.files {
		r.id = id
	}
	p.op.Digest = digest(p.op)
}

// describe fills in what the log says of the files, and the digest over it.
func (p *planned) describe() {
	p.op.Changes = nil
	for _, r := range p.files {
		p.op.Changes = append(p.op.Changes, r.change())
	}
	p.op.Digest = digest(p.op)
}

// change is what the log says of a replacement.
func (r *replacement) change() FileChange {
	if r.from != "" {
		return FileChange{Path: r.path, From: r.from, Before: r.hash, After: r.hash}
	}
	return FileChange{Path: r.path, Before: HashOf(r.before), After: HashOf(r.after), Patch: merge.Diff(r.path, r.before, r.after)}
}

// digest is the SHA-256 over what an operation would do.
func digest(op Operation) string {
	type change struct {
		Path, Before, After, Patch string
		From                       string `json:",omitempty"`
	}
	var cs []change
	for _, c := range op.Changes {
		cs = append(cs, change{c.Path, string(c.Before), string(c.After), c.Patch, c.From})
	}
	text, _ := json.Marshal([]any{op.ID, op.Type, op.Entity, cs}) // plain strings always marshal
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// run logs and writes planned operations; first are records that go before theirs.
// The lock is held.
func (v *Vault) run(ops []*planned, first ...record) ([]Operation, error) {
	start := time.Now()
	if err := v.checkProtected(ops); err != nil {
		return nil, err // proposals stay, and so does what they are about
	}
	v.written = &written{}
	defer func() { v.written = nil }()
	if err := v.logBegun(ops, first...); err != nil {
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
			r.done = true
		}
	}
	out, err := v.finish(ops, StatusCompleted, nil, time.Since(start))
	if err != nil {
		// Done but not in the log would not outlive an editor's save and a crash.
		return nil, v.abort(ops, done, err)
	}
	v.written.keep(v)
	return out, nil
}

// logBegun logs that operations are about to be written. Saves by other programs
// that these stand on, and that weren't recorded yet, come first.
func (v *Vault) logBegun(ops []*planned, records ...record) error {
	at := v.now()
	edits := v.unrecorded(ops)
	for _, p := range edits {
		records = append(records, completedRecord(p.op, at))
	}
	for _, p := range ops {
		if len(edits) > 0 && p.op.Status == "" {
			p.rename(v.NewID()) // what was saved before also comes before
		}
		p.op.Status = StatusBegun
		records = append(records, recordOf(p.op, StatusBegun, at))
	}
	if err := v.ops.append(at, records...); err != nil {
		return err
	}
	v.recorded(edits)
	return nil
}

// recordOf is an operation's first record, or a later one that restates it.
func recordOf(op Operation, event Status, at time.Time) record {
	e := recordEntity(op.Entity)
	r := record{
		ID: op.ID, Event: event, At: at, Type: op.Type, Entity: &e, Actor: op.Actor, Client: op.Client,
		Session: op.Session, Turn: op.Turn, Outside: op.Outside, Batch: op.Batch, Reason: op.Reason, Undoes: op.Undoes, Digest: op.Digest,
	}
	for _, c := range op.Changes {
		r.Changes = append(r.Changes, recordChange{Path: c.Path, From: c.From, Before: c.Before, After: c.After, Patch: c.Patch})
	}
	return r
}

// finish ends operations in the log and tells followers and watchers.
func (v *Vault) finish(ops []*planned, end Status, cause error, took time.Duration) ([]Operation, error) {
	at, records := v.ending(ops, end, cause, took)
	if err := v.ops.append(at, records...); err != nil {
		return nil, err
	}
	return v.ended(ops), nil
}

func (v *Vault) ending(ops []*planned, end Status, cause error, took time.Duration) (time.Time, []record) {
	at := v.now()
	var records []record
	for _, p := range ops {
		p.op.Status, p.op.Duration, p.op.Seq = end, took, 0
		if end == StatusCompleted {
			p.op.Seq = v.changed(p.op.Changes)
		}
		if cause != nil {
			p.op.Error = oneLine(cause.Error())
		}
		records = append(records, record{ID: p.op.ID, Event: end, At: at, Seq: p.op.Seq, Error: p.op.Error, DurationMS: took.Milliseconds()})
	}
	return at, records
}

func (v *Vault) ended(ops []*planned) []Operation {
	var out []Operation
	for _, p := range ops {
		out = append(out, p.op)
		v.news.send(p.op)
	}
	return out
}

// changed numbers the changes of files that followers care about. An operation on
// others gets a number too, so that operations have an order.
func (v *Vault) changed(changes []FileChange) Seq {
	var paths []string
	for _, c := range changes {
		for _, p := range []string{c.From, c.Path} {
			if isMarkdown(p) {
				paths = append(paths, p)
			}
		}
	}
	if len(paths) == 0 {
		return v.changes.skip()
	}
	return v.changes.add(paths...)
}

// abort takes back the files that were written, of which the last may or may not
// be in place, and ends the batch in the log. Where that fails too, the batch stays
// open: the vault is not written any more, and its next start ends it.
func (v *Vault) abort(ops []*planned, tried []*replacement, cause error) error {
	end := StatusFailed
	var failed error
	for i := len(tried) - 1; i >= 0; i-- {
		r := tried[i]
		if i == len(tried)-1 && !v.inPlace(r) {
			continue
		}
		end = StatusRolledBack
		if err := v.replace(r.inverse(), func() error { return nil }); err != nil {
			failed = errors.Join(failed, fmt.Errorf("take back %s: %w", r.path, err))
			continue
		}
		v.changed([]FileChange{r.change()})
	}
	if failed != nil {
		v.setReadOnly("a change that failed half way could not be taken back: " + oneLine(failed.Error()) + "; start kist again to finish it")
		return errors.Join(cause, failed)
	}
	at, records := v.ending(ops, end, cause, 0)
	if err := v.ops.append(at, records...); err != nil {
		// The files are as they were: the next record takes these along, and the next
		// start would find out by itself.
		v.log.Error("an operation's end is not in the log yet", "operation", ops[0].op.ID, "err", err)
		v.ops.owe(records)
	}
	v.ended(ops)
	return cause
}

// inPlace reports whether a replacement that failed has changed the file all the same.
func (v *Vault) inPlace(r *replacement) bool {
	if r.from != "" {
		_, err := v.lstat(r.from)
		return errors.Is(err, fs.ErrNotExist)
	}
	now, err := v.readOrNil(r.path)
	return err != nil || HashOf(now) == HashOf(r.after)
}

// inverse is the way back.
func (r *replacement) inverse() *replacement {
	if r.from != "" {
		return &replacement{id: r.id, path: r.from, from: r.path, hash: r.hash}
	}
	return &replacement{id: r.id, path: r.path, before: r.after, after: r.before}
}
