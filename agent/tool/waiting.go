package tool

import (
	"context"
	"slices"
	"strings"

	"kist/vault"
)

// waitingTools tell what waits for the user's word.
func waitingTools(c *catalogue) {
	define(c, "list_waiting", Read, "List what was proposed in this session and waits for the user's word.", listWaiting)
	// Not beside what acts outside: all tools at once are more than a request may hold.
	c.when(tier{"on while something waits for approval", func(e *Env) bool { return e.Waiting && !e.External }, false})
}

func listWaiting(ctx context.Context, e *Env, _ noArgs) (Result, error) {
	ops, err := e.Vault.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil {
		return faultOf(err)
	}
	waiting, elsewhere, ids, n := []map[string]any{}, []map[string]any{}, []string{}, 0
	for _, op := range slices.Backward(ops) {
		switch {
		case op.Session == e.Session:
			if n++; n <= maxListed {
				waiting, ids = append(waiting, map[string]any{"operation": op.ID, "what": clip(op.Reason, 200), "adds": Adds(ctx, e.Vault, op)}), append(ids, op.ID)
			}
		case op.Session == "" && len(elsewhere) < maxListed: // what an editor's save undid: a go isn't about it
			elsewhere = append(elsewhere, map[string]any{"operation": op.ID, "what": clip(op.Reason, 200)})
		}
	}
	return Result{Value: map[string]any{"waiting": waiting, "elsewhere": elsewhere, "count": n}, Waiting: ids}, nil
}

// Adds reports whether an operation takes nothing away: it makes something, or only puts
// lines into a note.
func Adds(ctx context.Context, v *vault.Vault, op vault.Operation) bool {
	if op.Type != vault.OpUpdate || op.Entity.Type != "note" {
		return op.Type == vault.OpCreate
	}
	full, err := v.Operation(ctx, op.ID)
	return err == nil && !slices.ContainsFunc(full.Changes, func(c vault.FileChange) bool {
		return c.From != "" || c.Patch == "" || strings.Contains("\n"+strings.TrimPrefix(c.Patch, "--- "), "\n-")
	})
}
