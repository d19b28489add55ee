package agent

import (
	"context"
	"fmt"
	"slices"

	"kist/agent/model"
	"kist/agent/tool"
	"kist/vault"
)

// A turn is written into its session before anything of it happens, and taken out
// when it is in the conversation. One that is still there when the session is
// loaded was interrupted: by a crash, a power cut, a kill.

// open keeps the message until the turn is recorded.
func (t *turn) open(ctx context.Context) error {
	t.sess.Interrupted = &vault.OpenTurn{ID: t.id, At: t.now(), Client: t.msg.Client, Text: t.msg.Text, Project: t.sess.Project}
	return wrap("save session", t.vault.SaveSession(ctx, t.sess))
}

// recover puts an interrupted turn into the conversation with what was done of it,
// and takes it up again if this message says so.
func (t *turn) recover(ctx context.Context) error {
	cut := t.sess.Interrupted
	if cut == nil {
		return nil
	}
	ops, err := t.vault.Operations(ctx, vault.Filter{Session: t.sess.ID})
	if err != nil {
		return wrap("list operations", err)
	}
	ops = slices.DeleteFunc(ops, func(op vault.Operation) bool { return op.Turn != cut.ID })
	slices.Reverse(ops)
	if err := t.recordCut(ctx, *cut, ops); err != nil {
		return err
	}
	t.sess.Interrupted = nil
	done := ""
	if n := len(ops); n > 0 {
		done = fmt.Sprintf(" %d of its changes had been made or proposed: `kist op list --session %s` shows them.", n, t.sess.ID)
	}
	if model.ConsentOf(t.msg.Text) == model.Go {
		t.emit(Notice{"Going on with your last message, which was interrupted: " + oneLine(cut.Text, 200) + done})
		t.msg.Text, t.made = cut.Text, ops
		return nil
	}
	t.emit(Notice{"Your last message was interrupted: " + oneLine(cut.Text, 200) + done + " Nothing is lost; send it again if you still want it."})
	return nil
}

// recordCut writes the interrupted turn, unless the crash came after that.
func (t *turn) recordCut(ctx context.Context, cut vault.OpenTurn, ops []vault.Operation) error {
	past, err := t.vault.RecentTurns(ctx, cut.Project, historyTurns)
	if err != nil {
		return wrap("read conversation", err)
	}
	if slices.ContainsFunc(past, func(p vault.Turn) bool { return p.ID == cut.ID }) {
		return nil
	}
	was := vault.Turn{ID: cut.ID, Session: t.sess.ID, Project: cut.Project, At: cut.At, User: cut.Text, Reply: "(This turn was interrupted.)"}
	for _, op := range ops {
		was.Operations = append(was.Operations, op.ID)
	}
	_, err = t.vault.AppendTurn(ctx, was)
	if err == nil {
		t.sess.Turns++
	}
	return wrap("write conversation", err)
}

// already finds the operations that a call of an interrupted turn has made, so that
// going on with it makes nothing twice. Each stands for one call.
func (t *turn) already(res tool.Result) ([]vault.Operation, bool) {
	var found []vault.Operation
	rest := slices.Clone(t.made)
	for _, s := range res.Steps {
		i := slices.IndexFunc(rest, func(op vault.Operation) bool {
			return op.Type == s.Type && op.Entity.Type == s.Entity.Type && op.Reason == s.Reason
		})
		if i < 0 {
			return nil, false
		}
		found = append(found, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	t.made = rest
	return found, true
}
