package agent

import (
	"cmp"
	"context"
	"time"

	"kist/agent/effect"
	"kist/agent/model"
	"kist/agent/prose"
	"kist/vault"
	"kist/vault/conversation"
)

// What was changed lately is only looked up where the message may ask for it.
const (
	changesBack  = 7 * 24 * time.Hour
	changesTold  = 60
	changesAsked = 200 // bytes: a question about changes is short
)

// changes are the operations of the last days that stand, newest first, without what
// other programs saved.
func (a *Agent) changes(ctx context.Context, said string, here conversation.Session) []model.Change {
	if len(said) > changesAsked {
		return nil
	}
	ops, _ := a.vault.Operations(ctx, vault.Filter{Since: a.now().Add(-changesBack), Status: vault.StatusCompleted, Limit: 4 * changesTold}) // else the answer is that there are none
	var out []model.Change
	for _, op := range ops {
		if op.Actor == vault.ActorEditor || op.Actor == vault.ActorSync || len(out) == changesTold {
			continue
		}
		session := op.Session
		if session == here.ID {
			session = cmp.Or(a.seed, session) // as the situation names it
		}
		out = append(out, model.Change{At: op.At, Reason: prose.OneLine(op.Reason, 200), Path: op.Entity.Path, Session: session, Turn: op.Turn, Undoes: op.Undoes != "", Boxes: effect.Boxes(ctx, a.vault, op, here.ID)})
	}
	return out
}
