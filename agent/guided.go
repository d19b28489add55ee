package agent

import (
	"context"
	"fmt"
	"slices"

	"kist/agent/guide"
	"kist/agent/model"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// This file holds what a session of a mode other than general keeps: its mode,
// phase, draft and the questions it has asked. Tools and clients change them; the
// phase follows from the rest, so that no model can get lost between phases.

// The phases of a guided session, and the mode that is none.
const (
	gathering  = "gathering_info"
	clarifying = "clarifying"
	finalizing = "finalizing"
	completed  = "completed"
	general    = "general"
)

// enterMode begins a session of another mode within the same conversation.
func (t *turn) enterMode(mode, draft string) {
	if mode == t.sess.Mode && draft == t.sess.Draft && t.sess.Phase != completed {
		return
	}
	t.sess.Mode, t.sess.Draft, t.sess.Asked, t.sess.Phase = mode, draft, nil, ""
	t.sess.Question = conversation.Question{}
	if mode != general {
		t.sess.Phase = gathering
	}
	t.emit(SessionPhase{t.sess.Mode, t.sess.Phase})
}

// leaveMode goes back to general after a guided session was completed.
func (t *turn) leaveMode() {
	if t.sess.Phase == completed {
		t.sess.Mode, t.sess.Phase, t.sess.Draft, t.sess.Asked = general, "", "", nil
		t.emit(SessionPhase{general, ""})
	}
}

// steer applies what a tool says of the session.
func (t *turn) steer(ctx context.Context, c *tool.SessionChange) {
	if c == nil {
		return
	}
	switch {
	case c.End:
		t.sess.Phase = completed
		t.emit(SessionPhase{t.sess.Mode, completed})
	case c.Mode != "":
		t.enterMode(c.Mode, c.Draft)
	case c.Draft != "":
		t.sess.Draft = c.Draft
	}
	if c.Draft != "" {
		t.loadDraft(ctx)
	}
}

// loadDrafts reads the session's draft, and the others that can be gone on with.
func (t *turn) loadDrafts(ctx context.Context) error {
	all, err := entity.Drafts(ctx, t.vault, "")
	if err != nil {
		return wrap("list drafts", err)
	}
	own := func(d entity.Draft) bool { return d.Slug == t.sess.Draft }
	if i := slices.IndexFunc(all, own); i >= 0 && t.sess.Draft != "" {
		t.draft = &all[i]
	} else {
		t.loadDraft(ctx) // it may be named otherwise, or be gone
	}
	for _, d := range all {
		if d.Status == "in_progress" && !own(d) {
			t.drafts = append(t.drafts, d)
		}
	}
	return nil
}

// loadDraft reads the session's draft anew. One that the user deleted, or edited
// into something that doesn't parse, is let go with a notice.
func (t *turn) loadDraft(ctx context.Context) {
	t.draft = nil
	if t.sess.Draft == "" {
		return
	}
	d, err := entity.FindDraft(ctx, t.vault, t.sess.Draft)
	if err != nil {
		if ctx.Err() == nil {
			t.emit(Notice{fmt.Sprintf("The draft %q can't be used any more (%v), so this session goes on without it.", t.sess.Draft, err)})
			t.sess.Draft = ""
		}
		return
	}
	t.draft = &d
}

// drafted tells about a draft that was changed.
func (t *turn) drafted(ctx context.Context, ops []vault.Operation) {
	for _, op := range ops {
		if op.Entity.Type != "draft" || op.Type == vault.OpDelete {
			continue
		}
		d, err := entity.FindDraft(ctx, t.vault, op.Entity.Path)
		if err != nil {
			continue // it was the user's edit that made it unreadable, and is told on the next turn
		}
		if d.Slug == t.sess.Draft {
			t.draft = &d
		}
		t.emit(DraftUpdate{d})
	}
}

// phase works out where a guided session stands at the end of a turn.
func (t *turn) phase() string {
	switch {
	case t.sess.Mode == general || t.sess.Mode == "":
		return ""
	case t.sess.Phase == completed:
		return completed
	case t.sess.Mode == "project_create":
		return phaseOfDraft(t.draft, t.sess)
	case t.pending > 0:
		return finalizing
	case t.sess.Question.Kind != "":
		return clarifying
	case len(t.operations) > 0:
		return finalizing
	}
	return t.sess.Phase
}

func phaseOfDraft(draft *entity.Draft, sess conversation.Session) string {
	switch {
	case draft == nil:
		return gathering
	case draft.Status != "in_progress":
		return completed
	case sess.Question.Kind == "":
		return sess.Phase
	case sess.Question.Kind == guide.KindFinalize:
		return finalizing
	case sess.Question.Kind == guide.KindDimension:
		return clarifying
	case len(draft.Covered) == 0:
		return gathering
	}
	return finalizing
}

// closeTurn keeps what the turn's last question was about, and enters the phase
// that follows.
func (t *turn) closeTurn() {
	if t.sess.Mode != general {
		if q, ok := guide.Asked(model.Question(t.sess.Question)); ok && q.ID != guide.Unlisted && !slices.Contains(t.sess.Asked, q.ID) {
			t.sess.Asked = append(t.sess.Asked, q.ID)
		}
	}
	if next := t.phase(); next != t.sess.Phase {
		t.sess.Phase = next
		t.emit(SessionPhase{t.sess.Mode, next})
	}
}
