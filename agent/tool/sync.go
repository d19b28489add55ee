package tool

import "context"

// syncTools tell how sync stands.
func syncTools(c *catalogue) {
	define(c, "show_sync", Read, "Show how sync between machines stands.", showSync)
	// Not beside what acts outside or makes a project: all tools at once are more than a request may hold.
	c.when(tier{"on when the message speaks of sync", func(e *Env) bool { return e.Syncing && !e.External && !draftTier().on(e) }, false})
}

func showSync(ctx context.Context, e *Env, _ noArgs) (Result, error) {
	if e.Sync == nil {
		return fault("nothing is known of sync here", "`kist sync status` tells"), nil
	}
	return Result{Value: e.Sync(ctx).value(e.Vault)}, nil
}
