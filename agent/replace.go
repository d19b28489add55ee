package agent

import (
	"context"
	"slices"

	"kist/agent/overlap"
	"kist/vault"
)

// replace drops the proposals that newer ones stand in for: said "move it to the 5th"
// and then "no, the 8th", go means the 8th. Without it the first would be done and the
// second refused, since the first had changed the line.
func (t *turn) replace(ctx context.Context, newer []vault.Operation) error {
	waiting, err := t.assent.waiting(ctx)
	if err != nil {
		return err
	}
	for _, older := range waiting {
		if slices.ContainsFunc(newer, func(op vault.Operation) bool { return op.Turn == older.Turn }) || t.guarded(older) {
			continue
		}
		same := slices.ContainsFunc(newer, func(op vault.Operation) bool {
			if op.Type != older.Type || op.Entity.Path != older.Entity.Path {
				return false
			}
			return op.Type == vault.OpUpdate && overlap.SameSpot(ctx, t.vault, older, op) || op.Type == vault.OpCreate && overlap.SameText(ctx, t.vault, older, op)
		})
		if !same {
			continue
		}
		done, err := t.vault.Reject(ctx, older.ID, "", t.origin(vault.ActorAgent))
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue // somebody else has decided on it meanwhile
		}
		t.pending--
		t.assent.withdraw(older.ID)
		t.logged(done)
	}
	return nil
}
