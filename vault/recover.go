package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/vault/disk"
	"kist/vault/fsys"
	"kist/vault/merge"
	"kist/vault/oplog"
)

// A recovery ends, when a vault is opened, what a crash left without an end.
type recovery struct{ v *Vault }

// run reads what this device logged last, ends what a crash left without an
// end, and returns the highest sequence number there.
func (rec recovery) run(ctx context.Context) (Seq, error) {
	if err := rec.v.ops.Renew(); err != nil {
		return 0, err
	}
	if err := rec.v.ops.RefreshRecent(); err != nil {
		return 0, err
	}
	last, err := rec.lastSeq()
	if err != nil {
		return 0, err
	}
	rec.v.changes.Restart(rec.v.numbers.Given(last), rec.v.numbers.Keep)
	if err := rec.unapprove(); err != nil {
		return 0, err
	}
	batches := map[string][]*oplog.Folded{}
	for op, err := range rec.v.ops.With(oplog.ByStatus(StatusBegun)) {
		if err != nil {
			return 0, err
		}
		// Other devices' operations are theirs to end.
		if op.By(rec.v.device).Status == StatusBegun {
			batches[op.Batch] = append(batches[op.Batch], op)
		}
	}
	for _, ops := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		slices.SortFunc(ops, func(a, b *oplog.Folded) int { return strings.Compare(a.ID, b.ID) }) // by time
		if err := rec.recoverBatch(ops); err != nil {
			return 0, err
		}
	}
	return rec.v.Seq(), nil
}

// unapprove ends operations whose approval was all that got into the log.
func (rec recovery) unapprove() error {
	var ends []oplog.Record
	var again []Operation
	at := rec.v.now()
	for op, err := range rec.v.ops.With(oplog.ByStatus(StatusApproved)) {
		if err != nil {
			return err
		}
		if op.By(rec.v.device).Status == StatusApproved {
			ends = append(ends, oplog.Record{ID: op.ID, Event: StatusRolledBack, At: at, Error: "interrupted before anything was written"})
			full, err := rec.v.ops.Patches(op)
			if err != nil {
				return err
			}
			again = append(again, full)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	slices.Reverse(again)
	return rec.v.ops.Append(at, append(ends, rec.repropose(at, again)...)...)
}

// repropose returns the records that propose anew what had been approved when a crash
// came, and of which nothing was written: a yes must not make a proposal vanish. They
// go into the log with the end of what they replace, so that another crash neither
// loses nor doubles them.
func (rec recovery) repropose(at time.Time, ops []Operation) []oplog.Record {
	var out []oplog.Record
	batch := rec.v.NewID()
	for _, op := range ops {
		p := &planned{op: op}
		p.op.At, p.op.Batch, p.op.Status, p.op.Seq, p.op.Error = at, batch, StatusProposed, 0, ""
		p.rename(rec.v.NewID())
		out = append(out, oplog.RecordOf(p.op, StatusProposed, at))
	}
	return out
}

// lastSeq returns this device's highest sequence number, and sees to it that new
// ids sort behind its newest one even if the clock was set back since. What other
// devices' clocks say is nothing to go by.
func (rec recovery) lastSeq() (Seq, error) {
	const newest = 200
	var last Seq
	n := 0
	for op, err := range rec.v.ops.With(oplog.ByDevice(rec.v.device)) {
		if err != nil {
			return 0, err
		}
		last = max(last, op.By(rec.v.device).Seq)
		if id, err := ulid.ParseStrict(op.ID); err == nil && op.Maker == rec.v.device {
			rec.v.ids.last = max(rec.v.ids.last, id.Time()+1)
		}
		if n++; n == newest {
			break
		}
	}
	return last, nil
}

// recoverBatch carries a batch that was begun to its end: the log has the whole
// change, so what is missing on disk is made up for. A batch of which nothing was
// written is ended as rolled back instead, since nobody was told that it happened.
func (rec recovery) recoverBatch(ops []*oplog.Folded) error {
	var todo []*planned
	var approved []Operation
	for _, op := range ops {
		full, err := rec.v.ops.Patches(op)
		if err != nil {
			return err
		}
		todo = append(todo, &planned{op: full})
		if op.Approved {
			approved = append(approved, full)
		}
	}
	started := false
	for _, p := range todo {
		for _, c := range p.op.Changes {
			r, applied, err := rec.recoverChange(p.op, c, todo)
			if err != nil {
				rec.v.log.Error("recovery", "operation", p.op.ID, "path", c.Path, "err", err)
				p.op.Error = err.Error()
				continue
			}
			started = started || applied
			if r != nil {
				p.files = append(p.files, r)
			}
		}
	}
	if err := rec.endBatch(todo, started, approved); err != nil {
		// Reading goes on. The batch stays open, for a disk that takes writes.
		rec.v.setReadOnly("an operation that was interrupted can't be finished: " + OneLine(err.Error()))
		return nil
	}
	for _, p := range todo {
		sweeper(rec).dirs(p.op)
	}
	return nil
}

// endBatch makes up for what is missing of a batch that was started, and then ends
// its operations in the log. Of one that wasn't started, what was approved waits
// again. In this order: after another crash in between, the
// files still tell that the whole batch was started. Where a file doesn't let it be
// finished, because somebody edited it, the batch is taken back.
func (rec recovery) endBatch(todo []*planned, started bool, approved []Operation) error {
	rec.v.history.Begin()
	defer rec.v.history.Drop()
	var cause error
	for _, p := range todo {
		if p.op.Error != "" {
			cause = errors.Join(cause, errors.New(p.op.Error))
		}
	}
	for _, p := range todo {
		if !started || cause != nil {
			break
		}
		if err := rec.restate(p); err != nil {
			return err
		}
		for _, r := range p.files {
			err := rec.v.tree.Replace(r, func() error { return rec.restate(p) })
			if err != nil && !disk.OfTheFiles(err) {
				return err
			}
			if err != nil {
				cause = fmt.Errorf("finish after a crash: %w", err)
			}
			r.Done = err == nil
		}
	}
	end := StatusCompleted
	switch {
	case !started:
		end, cause = StatusRolledBack, errors.Join(errors.New("interrupted before anything was written"), cause)
	case cause != nil:
		end = StatusRolledBack
		stands, err := rec.undoBatch(todo)
		if err != nil {
			return err
		}
		if stands != nil {
			end, cause = StatusFailed, errors.Join(cause, stands)
		}
	}
	at, records := rec.v.ending(todo, end, cause, 0)
	if !started {
		records = append(records, rec.repropose(at, approved)...)
	}
	if err := rec.v.ops.Append(at, records...); err != nil {
		return err
	}
	rec.v.ended(todo)
	if end == StatusCompleted {
		rec.v.history.Keep()
	}
	rec.v.log.Warn("ended an interrupted batch", "operation", todo[0].op.ID, "status", end)
	return nil
}

// restate logs what an operation does where that isn't what was logged: somebody
// edited a file since.
func (rec recovery) restate(p *planned) error {
	changed := false
	for i, c := range p.op.Changes {
		for _, r := range p.files {
			if r.Path == c.Path && r.From == "" && c.From == "" && HashOf(r.Before) != c.Before {
				p.op.Changes[i] = changeOf(r)
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	p.op.Digest = oplog.Digest(p.op)
	return rec.v.logBegun([]*planned{p})
}

// recoverChange says whether a change of the batch was applied before the crash
// and, if not, what is left to do.
func (rec recovery) recoverChange(op Operation, c FileChange, batch []*planned) (*disk.Replacement, bool, error) {
	if c.From != "" {
		return rec.recoverMove(op, c)
	}
	now, err := rec.v.tree.ReadOrNil(rec.whereabouts(c, batch))
	if err != nil {
		return nil, false, err
	}
	switch HashOf(now) {
	case c.After:
		return nil, true, nil
	case c.Before:
		rec.v.tree.DropTwins(op.ID, c.Path)
		after, err := merge.Patch(now, c.Patch)
		if err != nil {
			return nil, false, err
		}
		if HashOf(after) != c.After {
			return nil, false, fmt.Errorf("%w: the patch in the log does not lead to the logged hash", ErrInvalid)
		}
		return &disk.Replacement{ID: op.ID, Path: c.Path, Before: now, After: after, Mode: c.Mode}, false, nil
	}
	// Somebody edited the file since. If our change can be taken out of it, it is in.
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, false, err
	}
	if _, err := merge.Shift(now, inverse); err == nil {
		return nil, true, nil
	}
	after, err := merge.Shift(now, c.Patch)
	if err != nil {
		return nil, false, &ConflictError{Path: c.Path, Reason: "edited while an interrupted operation was open", Now: now}
	}
	return &disk.Replacement{ID: op.ID, Path: c.Path, Before: now, After: after, Mode: c.Mode}, false, nil
}

// whereabouts returns where the file of an edit is while a move of it, in the same
// batch, was made or was not.
func (rec recovery) whereabouts(c FileChange, batch []*planned) string {
	if c.Before == "" || c.After == "" || rec.v.tree.Exists(c.Path) {
		return c.Path
	}
	for _, p := range batch {
		for _, m := range p.op.Changes {
			switch {
			case m.From == "":
			case m.From == c.Path && rec.v.tree.Exists(m.Path):
				return m.Path
			case m.Path == c.Path && rec.v.tree.Exists(m.From):
				return m.From
			}
		}
	}
	return c.Path
}

// recoverMove says whether a move was made before the crash and, if not, what is
// left to do.
func (rec recovery) recoverMove(op Operation, c FileChange) (*disk.Replacement, bool, error) {
	_, fromErr := rec.v.tree.Lstat(c.From)
	_, toErr := rec.v.tree.Lstat(c.Path)
	for _, err := range []error{fromErr, toErr} {
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !fsys.IsNotDir(err) {
			return nil, false, rec.v.tree.PathError("file", c.Path, err)
		}
	}
	todo := &disk.Replacement{ID: op.ID, Path: c.Path, From: c.From}
	switch {
	case fromErr != nil && toErr != nil:
		return nil, false, fmt.Errorf("%w: neither %s nor %s is there to finish a move", ErrConflict, c.From, c.Path)
	case fromErr != nil:
		return nil, true, nil
	case toErr != nil:
		return todo, false, nil
	}
	if same, err := rec.v.tree.SameFile(c.From, c.Path); err == nil && same {
		return todo, true, nil
	}
	return nil, false, fmt.Errorf("%w: %s and %s are both there, so a move can't be finished", ErrConflict, c.From, c.Path)
}
