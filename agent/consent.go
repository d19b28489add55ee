package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/model"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
)

// Consent in conversation: what the message means for what was offered is decided
// before any model is asked, and what this turn offers is shown by the engine, in its
// own words, behind the model's. No model's words open, widen or keep open an offer.

// An assent is what the message of a turn says to proposals, and what its reply offers.
type assent struct {
	t        *turn
	before   conversation.Session // as the turn before this one left it
	verdict  consent.Verdict
	offers   []vault.Operation // what the reply shows as proposed
	destroys map[string]bool   // of those, by id: they remove, rename or move something
	settled  []model.Outcome
	approved []string // paths that this go has changed
}

// consider decides what the message does to proposals, and tells first of all what it
// is about to carry out.
func (a *assent) consider(ctx context.Context) error {
	waiting, err := a.waiting(ctx)
	if err != nil {
		return err
	}
	a.t.pending = len(waiting)
	a.resume(ctx, waiting)
	a.verdict = consent.Decide(a.t.msg.Text, shownIn(a.t.sess), waitingOf(a.t.sess, waiting), a.t.sess.Question.Kind != "")
	a.t.action = a.verdict.Reply == consent.Go || len(a.verdict.Approve) > 0
	if !a.verdict.Settles() {
		return nil
	}
	if err := a.t.opened(); err != nil {
		return err
	}
	if going := a.goingAhead(waiting); going != "" {
		a.t.emit(Notice{going})
	}
	return nil
}

// resume finds what a go agreed to that a crash cut off: an operation that was begun was
// taken back at the start, and waits under another id. It is the same if it would do
// the same to the byte.
func (a *assent) resume(ctx context.Context, waiting []vault.Operation) {
	if len(a.t.continues) == 0 {
		return
	}
	for i, o := range a.t.sess.Offers {
		if _, ok := operation(waiting, o.ID); ok {
			continue
		}
		old, err := a.t.vault.Operation(ctx, o.ID)
		if err != nil || old.Digest != o.Digest {
			continue
		}
		for _, w := range waiting {
			again, err := a.t.vault.Operation(ctx, w.ID)
			if err == nil && w.ID > o.ID && w.Reason == old.Reason && slices.Equal(again.Changes, old.Changes) {
				a.t.sess.Offers[i].ID, a.t.sess.Offers[i].Digest = w.ID, w.Digest
			}
		}
	}
	a.before = a.t.sess
}

// goingAhead names what a go is about to do.
func (a *assent) goingAhead(waiting []vault.Operation) string {
	var names []string
	for _, p := range a.verdict.Approve {
		if op, ok := operation(waiting, p.ID); ok && !a.t.guarded(op) {
			names = append(names, prose.OneLine(op.Reason, 160))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "Going ahead: " + names[0] + "."
	}
	return fmt.Sprintf("Going ahead with %d changes: %s.", len(names), strings.Join(names, "; "))
}

// settle carries the verdict out.
func (a *assent) settle(ctx context.Context) error {
	// "Build it" with nothing that it could mean: what the model does next is what the
	// user wants done.
	waiting, err := a.waiting(ctx)
	if err != nil {
		return err
	}
	a.t.told = a.verdict.Reply == consent.Go && len(a.before.Offers) == 0 && !a.t.outside() && !slices.ContainsFunc(waiting, a.t.guarded)
	if !a.verdict.Settles() {
		return nil
	}
	for _, p := range a.verdict.Approve {
		if op, ok := operation(waiting, p.ID); ok {
			if err := a.agreed(ctx, op, p.Digest); err != nil {
				return err
			}
		}
	}
	for _, id := range a.verdict.Reject {
		if op, ok := operation(waiting, id); ok {
			if err := a.reject(ctx, op); err != nil {
				return err
			}
		}
	}
	for _, id := range a.verdict.Again {
		switch op, ok := operation(waiting, id); {
		case ok && a.t.guarded(op):
			a.ownApproval(op)
		case ok:
			a.offer(op)
		}
	}
	return nil
}

// removes reports whether an operation takes something away or elsewhere. The class of
// the tool that proposed it knows more than the log: a project's new name is an update.
func (a *assent) removes(op vault.Operation) bool {
	return op.Type == vault.OpDelete || op.Type == vault.OpMove || a.destroys[op.ID]
}

// agreed carries out a proposal that the message agrees to.
func (a *assent) agreed(ctx context.Context, op vault.Operation, digest string) error {
	if a.t.guarded(op) {
		a.ownApproval(op)
		return nil
	}
	return a.approve(ctx, op, digest)
}

// ownApproval says what a go doesn't cover. Naming the operation is enough: a whole
// command would be run by whoever reads it.
func (a *assent) ownApproval(op vault.Operation) {
	a.t.emit(Notice{"Go doesn't cover this: " + prose.OneLine(op.Reason, 200) + ". It was proposed after text from outside was read, so it needs an approval of its own, as the operation " + op.ID + "."})
}

// waiting returns this session's proposals, oldest first.
func (a *assent) waiting(ctx context.Context) ([]vault.Operation, error) {
	if a.t.sess.Turns == 0 {
		return nil, nil // a new session has none
	}
	ops, err := a.t.vault.Operations(ctx, vault.Filter{Session: a.t.sess.ID, Status: vault.StatusProposed})
	if err != nil {
		return nil, wrap("list proposals", err)
	}
	slices.Reverse(ops)
	return ops, nil
}

// approve carries out one proposal, bound to the bytes that were shown. One that no
// longer fits is offered as it would be now, and doesn't stop the others.
func (a *assent) approve(ctx context.Context, op vault.Operation, digest string) error {
	done, err := a.t.vault.Approve(ctx, op.ID, digest, a.t.origin(vault.ActorUser))
	if errors.Is(err, vault.ErrConflict) {
		again, ok := a.successor(ctx, op)
		switch {
		case ok && slices.Contains(a.approved, op.Entity.Path):
			// It was this go itself that changed the file: the go covers both.
			done, err = a.t.vault.Approve(ctx, again.ID, again.Digest, a.t.origin(vault.ActorUser))
		case ok:
			a.offer(again)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		f := tool.Explain(err)
		if errors.Is(err, vault.ErrConflict) && a.rescue(ctx, op) {
			f.Error = "" // its words are kept
		} else {
			a.t.emit(Notice{"Not done: " + f.Error})
		}
		a.settled = append(a.settled, model.Outcome{Reason: op.Reason, Path: op.Entity.Path, Error: f.Error})
		return nil
	}
	a.t.changed.Store(int64(a.t.vault.Seq()))
	a.t.stale = true
	a.t.pending--
	a.approved = append(a.approved, op.Entity.Path)
	a.t.logged(done)
	a.settled = append(a.settled, model.Outcome{Reason: op.Reason, Path: op.Entity.Path})
	a.t.emit(Operation{done})
	if op.Entity.Type != "project" {
		return nil
	}
	return a.follow(ctx, op)
}

// follow goes where an approved change of a whole project leads: into a new one, along
// with one that was moved or merged, and out of one that was deleted.
func (a *assent) follow(ctx context.Context, op vault.Operation) error {
	if err := a.t.loadProjects(ctx); err != nil {
		return err
	}
	defer a.t.pruneStack()
	_, still := a.t.projects.project(a.t.sess.Project)
	switch {
	case op.Type == vault.OpCreate:
		return a.t.move(ctx, tool.Move{Project: a.t.vault.ProjectOf(op.Entity.Path)})
	case still || a.t.sess.Project == "":
		return nil
	case op.Type == vault.OpMove:
		return a.t.move(ctx, tool.Move{Project: a.t.vault.ProjectOf(op.Entity.Path)})
	}
	return a.t.move(ctx, tool.Move{})
}

// successor finds what a refused proposal was proposed again as.
func (a *assent) successor(ctx context.Context, op vault.Operation) (vault.Operation, bool) {
	waiting, err := a.waiting(ctx)
	if err != nil {
		return op, false
	}
	i := slices.IndexFunc(waiting, func(w vault.Operation) bool {
		// Two that were shown together may have the same reason: neither is the other's successor.
		shown := slices.ContainsFunc(a.before.Offers, func(o conversation.Offer) bool { return o.ID == w.ID })
		return !shown && w.ID > op.ID && w.Entity.Path == op.Entity.Path && w.Type == op.Type && w.Reason == op.Reason
	})
	if i < 0 {
		return op, false
	}
	return waiting[i], true
}

// reject ends a proposal, with the words that declined it.
func (a *assent) reject(ctx context.Context, op vault.Operation) error {
	done, err := a.t.vault.Reject(ctx, op.ID, prose.OneLine(a.t.msg.Text, 200), a.t.origin(vault.ActorUser))
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		a.t.emit(Notice{"Not rejected: " + tool.Explain(err).Error})
		return nil
	}
	a.t.pending--
	a.t.logged(done)
	a.settled = append(a.settled, model.Outcome{Reason: op.Reason, Path: op.Entity.Path, Rejected: true})
	return nil
}
