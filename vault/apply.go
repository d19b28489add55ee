package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"kist/vault/canvas"
	"kist/vault/disk"
	"kist/vault/merge"
	"kist/vault/oplog"
)

// Apply carries out a batch, all of it or nothing, and returns its operations in
// the order of its steps. Under one lock it
//
//  1. compares each change's Before with the disk; where the file has moved on it
//     merges the two by lines, where those touch by meaning, and returns a [ConflictError]
//     where that contradicts;
//  2. appends a begun record with the full patch to the operation log and makes
//     it durable: from here on a crash is resolved by the next Open;
//  3. writes each file to a temporary file, makes that durable, exchanges it with
//     the target and looks at what it displaced. If that isn't the expected text,
//     an editor saved at that moment: its text goes back in place and the change
//     is merged into it or refused. When all is done the folders are made durable; the
//     displaced files are watched for as long as a program has them open;
//  4. appends a completed record.
//
// An error means that no file was changed, except where the error of taking back
// the first ones of several says so. After nil, the change survives a crash and a
// loss of power. It returns ErrReadOnly, ErrBusy, ErrInvalidPath, ErrExists, ErrConflict,
// ErrNoChange, ErrProtected, ErrNotRegular, or what the file system says.
func (v *Vault) Apply(ctx context.Context, b Batch) ([]Operation, error) {
	v.tree.LockFor(ctx, b.edited()...)
	defer v.tree.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	ops, err := newPlan(v).batch(b)
	if err != nil {
		return nil, err
	}
	return v.run(ops)
}

// edited returns the files that a batch gives another text.
func (b Batch) edited() (paths []string) {
	for _, s := range b.Steps {
		for _, c := range s.Changes {
			if p, err := disk.Clean(c.Path); err == nil && c.From == "" && c.Before != nil {
				paths = append(paths, p)
			}
		}
	}
	return paths
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
	if v.git != nil {
		if what := v.git.Busy(); what != "" {
			return fmt.Errorf("%w: %s", ErrBusy, what)
		}
	}
	return nil
}

// planned is an operation with the texts it moves between.
type planned struct {
	op    Operation
	files []*disk.Replacement
}

// rename gives an operation that isn't logged yet another id.
func (p *planned) rename(id string) {
	p.op.ID = id
	for _, r := range p.files {
		r.ID = id
	}
	p.op.Digest = oplog.Digest(p.op)
}

// describe fills in what the log says of the files, and the digest over it.
func (p *planned) describe() {
	p.op.Changes = nil
	for _, r := range p.files {
		p.op.Changes = append(p.op.Changes, changeOf(r))
	}
	p.op.Digest = oplog.Digest(p.op)
}

// changeOf is what the log says of a replacement.
func changeOf(r *disk.Replacement) FileChange {
	if r.From != "" {
		return FileChange{Path: r.Path, From: r.From, Before: r.Hash, After: r.Hash}
	}
	c := FileChange{Path: r.Path, Before: HashOf(r.Before), After: HashOf(r.After), Patch: merge.Delta(r.Before, r.After, nil)}
	if r.Before == nil || r.After == nil {
		c.Mode = r.Mode
	}
	return c
}

// run logs and writes planned operations; first are records that go before theirs.
// The lock is held.
func (v *Vault) run(ops []*planned, first ...oplog.Record) ([]Operation, error) {
	start := time.Now()
	if err := v.checkProtected(ops); err != nil {
		return nil, err // proposals stay, and so does what they are about
	}
	v.history.Begin()
	defer v.history.Drop()
	if err := v.logBegun(ops, first...); err != nil {
		return nil, err
	}
	done, err := carryOut(v.tree, ops, func(p *planned) error {
		p.describe()
		return v.logBegun([]*planned{p})
	})
	if err != nil {
		return nil, v.abort(ops, done, err)
	}
	out, err := v.finish(ops, StatusCompleted, nil, time.Since(start))
	if err != nil {
		// Done but not in the log would not outlive an editor's save and a crash.
		return nil, v.abort(ops, done, err)
	}
	v.history.Keep()
	return out, nil
}

// carryOut writes the files of operations, and says of which that was tried. remerge is called
// with an operation that changed because of an editor.
func carryOut(tree *disk.Tree, ops []*planned, remerge func(*planned) error) (tried []*disk.Replacement, err error) {
	stroke := tree.Begin()
	defer func() {
		if end := stroke.End(); err == nil {
			err = end
		}
	}()
	var all []*disk.Replacement
	of := map[*disk.Replacement]*planned{}
	for _, p := range ops {
		for _, r := range p.files {
			all, of[r] = append(all, r), p
		}
	}
	for i, r := range all {
		if i%disk.Ahead == 0 {
			stroke.Ahead(all[i:min(i+disk.Ahead, len(all))])
		}
		err := stroke.Replace(r, func() error { return remerge(of[r]) })
		if err != nil {
			return all[:i+1], err
		}
		r.Done = true
	}
	return all, nil
}

// logBegun logs that operations are about to be written. Saves by other programs
// that these stand on, and that weren't recorded yet, come first.
func (v *Vault) logBegun(ops []*planned, records ...oplog.Record) error {
	at := v.now()
	var files []*disk.Replacement
	for _, p := range ops {
		files = append(files, p.files...)
	}
	edits := v.history.Unrecorded(files)
	for _, p := range edits {
		records = append(records, p.Record(at))
	}
	if len(edits) > 0 && ops[0].op.Status == "" {
		renew(ops, v.NewID)
	}
	for _, p := range ops {
		p.op.Status = StatusBegun
		records = append(records, oplog.RecordOf(p.op, StatusBegun, at))
	}
	if err := v.ops.Append(at, records...); err != nil {
		return err
	}
	v.history.Recorded(edits)
	return nil
}

// renew gives a batch ids that come after those of what was saved before it.
func renew(ops []*planned, newID func() string) {
	for _, p := range ops {
		p.rename(newID())
		p.op.Batch = ops[0].op.ID
	}
}

// finish ends operations in the log and tells followers and watchers.
func (v *Vault) finish(ops []*planned, end Status, cause error, took time.Duration) ([]Operation, error) {
	at, records := v.ending(ops, end, cause, took)
	if err := v.ops.Append(at, records...); err != nil {
		return nil, err
	}
	return v.ended(ops), nil
}

func (v *Vault) ending(ops []*planned, end Status, cause error, took time.Duration) (time.Time, []oplog.Record) {
	at := v.now()
	var records []oplog.Record
	for _, p := range ops {
		p.op.Status, p.op.Duration = end, took
		if end == StatusCompleted {
			p.op.Seq = v.changed(p.op.Changes)
		} else {
			p.op.Seq = v.changes.Skip()
		}
		if cause != nil {
			p.op.Error = OneLine(cause.Error())
		}
		records = append(records, oplog.Record{ID: p.op.ID, Event: end, At: at, Seq: p.op.Seq, Error: p.op.Error, DurationMS: took.Milliseconds()})
	}
	return at, records
}

func (v *Vault) ended(ops []*planned) []Operation {
	var out []Operation
	for _, p := range ops {
		out = append(out, p.op)
		v.news.Send(p.op)
	}
	return out
}

// changed numbers the changes of files that followers care about. An operation on
// others gets a number too, so that operations have an order.
func (v *Vault) changed(changes []FileChange) Seq {
	var paths []string
	for _, c := range changes {
		for _, p := range []string{c.From, c.Path} {
			if disk.IsMarkdown(p) || canvas.Is(p) {
				paths = append(paths, p)
			}
		}
	}
	if len(paths) == 0 {
		return v.changes.Skip()
	}
	return v.changes.Add(paths...)
}

// abort takes back the files that were written, of which the last may or may not
// be in place, and ends the batch in the log. Where that fails too, the batch stays
// open: the vault is not written any more, and its next start ends it.
func (v *Vault) abort(ops []*planned, tried []*disk.Replacement, cause error) error {
	end := StatusFailed
	var failed error
	for i := len(tried) - 1; i >= 0; i-- {
		r := tried[i]
		if i == len(tried)-1 && !v.inPlace(r) {
			continue
		}
		end = StatusRolledBack
		if err := v.tree.Replace(r.Inverse(), func() error { return nil }); err != nil {
			failed = errors.Join(failed, fmt.Errorf("take back %s: %w", r.Path, err))
			continue
		}
		v.changed([]FileChange{changeOf(r)})
	}
	if failed != nil {
		v.setReadOnly("a change that failed half way could not be taken back: " + OneLine(failed.Error()) + "; start kist again to finish it")
		return errors.Join(cause, failed)
	}
	at, records := v.ending(ops, end, cause, 0)
	if err := v.ops.Append(at, records...); err != nil {
		// The files are as they were: the next record takes these along, and the next
		// start would find out by itself.
		v.log.Error("an operation's end is not in the log yet", "operation", ops[0].op.ID, "err", err)
		v.ops.Owe(records)
	}
	v.ended(ops)
	return cause
}

// inPlace reports whether a replacement that failed has changed the file all the same.
func (v *Vault) inPlace(r *disk.Replacement) bool {
	if r.From != "" {
		_, err := v.tree.Lstat(r.From)
		return errors.Is(err, fs.ErrNotExist)
	}
	now, err := v.tree.ReadOrNil(r.Path)
	return err != nil || HashOf(now) == HashOf(r.After)
}

// saveLate makes what a program saved into a displaced file an operation.
func (v *Vault) saveLate(p string, now, merged []byte) error {
	step := Step{
		Type: OpUpdate, Entity: Entity{Type: "document", Path: p}, Reason: "saved by a program that had the file open while kist wrote",
		Changes: []Change{{Path: p, Before: now, After: merged}},
	}
	_, err := v.Apply(context.Background(), Batch{Origin: Origin{Actor: ActorEditor}, Steps: []Step{step}})
	return err
}
