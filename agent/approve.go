package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"kist/agent/model"
	"kist/agent/tool"
	"kist/vault"
)

// settle looks at what waits for approval in this session and, if the message
// is the user's word on it, approves or rejects it before the model is asked.
func (t *turn) settle(ctx context.Context) error {
	waiting, err := t.waiting(ctx)
	if err != nil {
		return err
	}
	t.pending = len(waiting)
	if c, ok := t.chosen(waiting); ok {
		return t.settleSome(ctx, waiting, c)
	}
	consent := model.ConsentOf(t.msg.Text)
	// A bare yes or no answers what was said last, which may have been a
	// question about something else.
	// "Shall I add this?" - "yes" is the go for just that, if nothing else waits.
	asked := consent == model.Yes && strings.HasPrefix(t.sess.Question, "Shall I ")
	t.told = (consent == model.Go || asked) && t.pending == 0 && !t.outside()
	if consent != model.Go && t.sess.Question != "" && !t.justProposed(waiting) {
		return nil
	}
	t.action = consent == model.Go || consent == model.Yes && t.pending > 0
	if t.pending > 0 {
		if err := t.opened(); err != nil {
			return err
		}
	}
	switch {
	case t.action:
		for _, op := range waiting {
			if err := t.agreed(ctx, op); err != nil {
				return err
			}
		}
	case consent == model.No:
		for _, op := range waiting {
			if err := t.reject(ctx, op); err != nil {
				return err
			}
		}
	}
	return nil
}

// agreed carries out a proposal that go covers.
func (t *turn) agreed(ctx context.Context, op vault.Operation) error {
	if t.guarded(op) {
		// Naming it is enough: a whole command would be run by whoever reads it.
		t.emit(Notice{"Go doesn't cover this: " + oneLine(op.Reason, 200) + ". It was proposed after text from outside was read, so it needs an approval of its own, as the operation " + op.ID + "."})
		return nil
	}
	return t.approve(ctx, op)
}

// chosen reads the message as a choice among what waits, unless a question with
// choices of its own was asked last.
func (t *turn) chosen(waiting []vault.Operation) (model.Choice, bool) {
	if q := t.sess.Question; q != "" && (strings.Contains(q, `"`) || !t.justProposed(waiting)) {
		return model.Choice{}, false
	}
	return model.ChoiceOf(t.msg.Text, reasonsOf(waiting))
}

// settleSome carries out and rejects what the user chose; the rest waits on.
func (t *turn) settleSome(ctx context.Context, waiting []vault.Operation, c model.Choice) error {
	if err := t.opened(); err != nil {
		return err
	}
	for _, i := range c.Take {
		if err := t.agreed(ctx, waiting[i]); err != nil {
			return err
		}
	}
	for _, i := range c.Drop {
		if err := t.reject(ctx, waiting[i]); err != nil {
			return err
		}
	}
	return nil
}

func reasonsOf(ops []vault.Operation) []string {
	var out []string
	for _, op := range ops {
		out = append(out, oneLine(op.Reason, 200))
	}
	return out
}

// justProposed reports whether one of ops was proposed in the turn before this.
func (t *turn) justProposed(ops []vault.Operation) bool {
	return slices.ContainsFunc(ops, func(op vault.Operation) bool { return slices.Contains(t.before, op.ID) })
}

// waiting returns this session's proposals, oldest first.
func (t *turn) waiting(ctx context.Context) ([]vault.Operation, error) {
	if t.sess.Turns == 0 {
		return nil, nil // a new session has none
	}
	ops, err := t.vault.Operations(ctx, vault.Filter{Session: t.sess.ID, Status: vault.StatusProposed})
	if err != nil {
		return nil, wrap("list proposals", err)
	}
	slices.Reverse(ops)
	return ops, nil
}

// approve carries out one proposal. One that no longer fits stays as it is and
// doesn't stop the others.
func (t *turn) approve(ctx context.Context, op vault.Operation) error {
	done, err := t.vault.Approve(ctx, op.ID, op.Digest, t.origin(vault.ActorUser))
	if errors.Is(err, vault.ErrConflict) && slices.Contains(t.approved, op.Entity.Path) {
		// It was this go itself that changed the file: the go covers both.
		if again, ok := t.successor(ctx, op); ok {
			done, err = t.vault.Approve(ctx, again.ID, again.Digest, t.origin(vault.ActorUser))
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		f := tool.Explain(err)
		t.settled = append(t.settled, model.Outcome{Reason: op.Reason, Error: f.Error})
		t.emit(Notice{"Not done: " + f.Error})
		return nil
	}
	t.changed.Store(int64(t.vault.Seq()))
	t.stale = true
	t.pending--
	t.approved = append(t.approved, op.Entity.Path)
	t.logged(done)
	t.settled = append(t.settled, model.Outcome{Reason: op.Reason})
	t.emit(Operation{done})
	if op.Type == vault.OpCreate && op.Entity.Type == "project" {
		if err := t.loadProjects(ctx); err != nil {
			return err
		}
		return t.move(ctx, tool.Move{Project: t.vault.ProjectOf(op.Entity.Path)})
	}
	return nil
}

// successor finds what a refused proposal was proposed again as.
func (t *turn) successor(ctx context.Context, op vault.Operation) (vault.Operation, bool) {
	waiting, err := t.waiting(ctx)
	if err != nil {
		return op, false
	}
	i := slices.IndexFunc(waiting, func(w vault.Operation) bool {
		return w.ID > op.ID && w.Entity.Path == op.Entity.Path && w.Type == op.Type && w.Reason == op.Reason
	})
	if i < 0 {
		return op, false
	}
	return waiting[i], true
}

func (t *turn) reject(ctx context.Context, op vault.Operation) error {
	done, err := t.vault.Reject(ctx, op.ID, t.origin(vault.ActorUser))
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		t.emit(Notice{"Not rejected: " + tool.Explain(err).Error})
		return nil
	}
	t.pending--
	t.logged(done)
	t.settled = append(t.settled, model.Outcome{Reason: op.Reason, Rejected: true})
	return nil
}
