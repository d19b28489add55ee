package vault

import (
	"context"
	"fmt"

	"kist/vault/merge"
)

// An UndoTarget names what to take back: exactly one field is set.
type UndoTarget struct {
	ID      string // one operation, which may itself be an undo
	Batch   string
	Session string // everything one session did that stands still
}

// Undo takes operations back, newest first, as one batch, and returns the
// operations that do so. It is a three-way merge with the operation's result as
// the base: later edits of other lines stay. Where an edit touches the same lines
// (or the created file was edited, or the deleted one exists again) it changes
// nothing and returns a [ConflictError]. Other errors: ErrNotFound, ErrStatus for
// what isn't completed or was undone already, and those of [Vault.Apply].
func (v *Vault) Undo(ctx context.Context, t UndoTarget, o Origin) ([]Operation, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	targets, err := v.undoTargets(ctx, t)
	if err != nil {
		return nil, err
	}
	b := Batch{Origin: o}
	var ids []string
	overlay := map[string][]byte{}
	for _, op := range targets {
		step, err := v.undoStep(op, overlay)
		if err != nil {
			return nil, err
		}
		b.Steps = append(b.Steps, step)
		ids = append(ids, op.ID)
	}
	ops, err := v.plan(b, ids...)
	if err != nil {
		return nil, err
	}
	return v.run(ops)
}

// undoTargets returns the operations that t means, newest first.
func (v *Vault) undoTargets(ctx context.Context, t UndoTarget) ([]Operation, error) {
	if t.ID != "" {
		op, err := v.Operation(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		switch {
		case op.Status != StatusCompleted:
			return nil, fmt.Errorf("%w: operation %s is %s; there is nothing to undo", ErrStatus, op.ID, op.Status)
		case op.UndoneBy != "":
			return nil, fmt.Errorf("%w: operation %s was undone already", ErrStatus, op.ID)
		}
		return []Operation{op}, nil
	}
	ops, err := v.Operations(ctx, Filter{Batch: t.Batch, Session: t.Session, Status: StatusCompleted})
	if err != nil {
		return nil, err
	}
	var out []Operation
	for _, op := range ops {
		if op.UndoneBy != "" || op.Undoes != "" {
			continue
		}
		full, err := v.Operation(ctx, op.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, full)
	}
	if len(out) == 0 {
		kind, ref := "batch", t.Batch
		if ref == "" {
			kind, ref = "session", t.Session
		}
		return nil, &NotFoundError{Kind: "operation that stands in " + kind, Ref: ref}
	}
	return out, nil
}

// undoStep is the step that takes op back. overlay holds what the steps before it
// leave of the files.
func (v *Vault) undoStep(op Operation, overlay map[string][]byte) (Step, error) {
	step := Step{Type: inverse(op.Type), Entity: op.Entity, Reason: "undo: " + op.Reason}
	if op.Reason == "" {
		step.Reason = "undo"
	}
	for i := len(op.Changes) - 1; i >= 0; i-- {
		c := op.Changes[i]
		now, seen := overlay[c.Path]
		if !seen {
			var err error
			if now, err = v.readOrNil(c.Path); err != nil {
				return Step{}, err
			}
		}
		before, err := takeBack(c, now)
		if err != nil {
			return Step{}, err
		}
		overlay[c.Path] = before
		step.Changes = append(step.Changes, Change{Path: c.Path, Before: now, After: before})
	}
	return step, nil
}

func inverse(t OpType) OpType {
	switch t {
	case OpCreate:
		return OpDelete
	case OpDelete:
		return OpCreate
	}
	return t
}

// takeBack returns what a file that now holds now would hold without c.
func takeBack(c FileChange, now []byte) ([]byte, error) {
	conflict := func(why string) ([]byte, error) {
		return nil, &ConflictError{Path: c.Path, Reason: why, Now: now}
	}
	if HashOf(now) != c.After {
		switch {
		case c.Before == "":
			return conflict("edited since it was created; undoing would lose the edit")
		case c.After == "":
			return conflict("exists again; undoing would overwrite it")
		case now == nil:
			return conflict("removed since")
		}
	}
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, fmt.Errorf("undo %s: %w", c.Path, err)
	}
	if HashOf(now) == c.After {
		before, err := merge.Patch(now, inverse)
		if err != nil || HashOf(before) != c.Before {
			return conflict("the log's patch does not lead back to the logged text")
		}
		return before, nil
	}
	before, err := merge.Shift(now, inverse)
	if err != nil {
		return conflict("the same lines were edited since")
	}
	return before, nil
}
