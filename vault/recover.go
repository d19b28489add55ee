package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/vault/merge"
)

// recover reads what this device logged last, ends what a crash left without an
// end, and returns the highest sequence number there.
func (v *Vault) recover(ctx context.Context) (Seq, error) {
	if err := v.ops.refreshRecent(); err != nil {
		return 0, err
	}
	last, err := v.lastSeq()
	if err != nil {
		return 0, err
	}
	v.changes = newChangeLog(last)
	if err := v.unapprove(); err != nil {
		return 0, err
	}
	batches := map[string][]*loggedOp{}
	for e, err := range v.ops.db.Operations(statusKey(StatusBegun), "") {
		if err != nil {
			return 0, err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return 0, err
		}
		// Other devices' operations are theirs to end.
		if v.ops.own(op.File) {
			batches[op.Batch] = append(batches[op.Batch], op)
		}
	}
	for _, ops := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		sortOps(ops)
		if err := v.recoverBatch(ops); err != nil {
			return 0, err
		}
	}
	return v.Seq(), nil
}

// unapprove ends operations whose approval was all that got into the log.
func (v *Vault) unapprove() error {
	var ends []record
	var again []Operation
	at := v.now()
	for e, err := range v.ops.db.Operations(statusKey(StatusApproved), "") {
		if err != nil {
			return err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return err
		}
		if v.ops.own(op.File) {
			ends = append(ends, record{ID: op.ID, Event: StatusRolledBack, At: at, Error: "interrupted before anything was written"})
			full, err := v.ops.patches(op)
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
	return v.ops.append(at, append(ends, v.waitAgain(at, again)...)...)
}

// waitAgain returns the records that propose anew what had been approved when a crash
// came, and of which nothing was written: a yes must not make a proposal vanish. They
// go into the log with the end of what they replace, so that another crash neither
// loses nor doubles them.
func (v *Vault) waitAgain(at time.Time, ops []Operation) []record {
	var out []record
	batch := v.NewID()
	for _, op := range ops {
		p := &planned{op: op}
		p.op.At, p.op.Batch, p.op.Status, p.op.Seq, p.op.Error = at, batch, StatusProposed, 0, ""
		p.rename(v.NewID())
		out = append(out, recordOf(p.op, StatusProposed, at))
	}
	return out
}

// lastSeq returns the highest sequence number in the log, and sees to it that new
// ids sort behind the newest one even if the clock was set back since.
func (v *Vault) lastSeq() (Seq, error) {
	const newest = 200
	var last Seq
	n := 0
	for e, err := range v.ops.db.Operations("", "") {
		if err != nil {
			return 0, err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return 0, err
		}
		last = max(last, op.Seq)
		if id, err := ulid.ParseStrict(op.ID); err == nil {
			v.ids.last = max(v.ids.last, id.Time()+1)
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
func (v *Vault) recoverBatch(ops []*loggedOp) error {
	var todo []*planned
	var approved []Operation
	for _, op := range ops {
		full, err := v.ops.patches(op)
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
			r, applied, err := v.recoverChange(p.op, c, todo)
			if err != nil {
				v.log.Error("recovery", "operation", p.op.ID, "path", c.Path, "err", err)
				p.op.Error = err.Error()
				continue
			}
			started = started || applied
			if r != nil {
				p.files = append(p.files, r)
			}
		}
	}
	if err := v.endBatch(todo, started, approved); err != nil {
		// Reading goes on. The batch stays open, for a disk that takes writes.
		v.setReadOnly("an operation that was interrupted can't be finished: " + oneLine(err.Error()))
		return nil
	}
	for _, p := range todo {
		v.sweepDirs(p.op)
	}
	return nil
}

// endBatch makes up for what is missing of a batch that was started, and then ends
// its operations in the log. Of one that wasn't started, what was approved waits
// again. In this order: after another crash in between, the
// files still tell that the whole batch was started. Where a file doesn't let it be
// finished, because somebody edited it, the batch is taken back.
func (v *Vault) endBatch(todo []*planned, started bool, approved []Operation) error {
	v.written = &written{}
	defer func() { v.written = nil }()
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
		if err := v.restate(p); err != nil {
			return err
		}
		for _, r := range p.files {
			err := v.replace(r, func() error { return v.restate(p) })
			if err != nil && !ofTheFiles(err) {
				return err
			}
			if err != nil {
				cause = fmt.Errorf("finish after a crash: %w", err)
			}
			r.done = err == nil
		}
	}
	end := StatusCompleted
	switch {
	case !started:
		end, cause = StatusRolledBack, errors.Join(errors.New("interrupted before anything was written"), cause)
	case cause != nil:
		end = StatusRolledBack
		stands, err := v.takeBackBatch(todo)
		if err != nil {
			return err
		}
		if stands != nil {
			end, cause = StatusFailed, errors.Join(cause, stands)
		}
	}
	at, records := v.ending(todo, end, cause, 0)
	if !started {
		records = append(records, v.waitAgain(at, approved)...)
	}
	if err := v.ops.append(at, records...); err != nil {
		return err
	}
	v.ended(todo)
	if end == StatusCompleted {
		v.written.keep(v)
	}
	v.log.Warn("ended an interrupted batch", "operation", todo[0].op.ID, "status", end)
	return nil
}

// restate logs what an operation does where that isn't what was logged: somebody
// edited a file since.
func (v *Vault) restate(p *planned) error {
	changed := false
	for i, c := range p.op.Changes {
		for _, r := range p.files {
			if r.path == c.Path && r.from == "" && c.From == "" && HashOf(r.before) != c.Before {
				p.op.Changes[i] = r.change()
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	p.op.Digest = digest(p.op)
	return v.logBegun([]*planned{p})
}

// ofTheFiles reports whether an error comes from what the files are, and not from a
// disk that may take the same write tomorrow.
func ofTheFiles(err error) bool {
	for _, e := range []error{ErrConflict, ErrExists, ErrNotFound, ErrNotRegular, ErrProtected, ErrInvalidPath} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// recoverChange says whether a change of the batch was applied before the crash
// and, if not, what is left to do.
func (v *Vault) recoverChange(op Operation, c FileChange, batch []*planned) (*replacement, bool, error) {
	if c.From != "" {
		return v.recoverMove(op, c)
	}
	now, err := v.readOrNil(v.whereabouts(c, batch))
	if err != nil {
		return nil, false, err
	}
	switch HashOf(now) {
	case c.After:
		return nil, true, nil
	case c.Before:
		v.dropTwins(op, c.Path)
		after, err := merge.Patch(now, c.Patch)
		if err != nil {
			return nil, false, err
		}
		if HashOf(after) != c.After {
			return nil, false, fmt.Errorf("%w: the patch in the log does not lead to the logged hash", ErrInvalid)
		}
		return &replacement{id: op.ID, path: c.Path, before: now, after: after}, false, nil
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
	return &replacement{id: op.ID, path: c.Path, before: now, after: after}, false, nil
}

// whereabouts returns where the file of an edit is while a move of it, in the same
// batch, was made or was not.
func (v *Vault) whereabouts(c FileChange, batch []*planned) string {
	if c.Before == "" || c.After == "" || v.there(c.Path) {
		return c.Path
	}
	for _, p := range batch {
		for _, m := range p.op.Changes {
			switch {
			case m.From == "":
			case m.From == c.Path && v.there(m.Path):
				return m.Path
			case m.Path == c.Path && v.there(m.From):
				return m.From
			}
		}
	}
	return c.Path
}
