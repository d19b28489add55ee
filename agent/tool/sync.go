package tool

import "context"

// A Sync is how the sync of the vault between the user's machines stands.
type Sync struct {
	State     string // off, paused, ready, syncing or failing
	Sentence  string // in words, without a capital at its beginning
	Conflicts int    // files of which another version lies beside them
}

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
	s := e.Sync(ctx)
	v := map[string]any{"state": s.State, "sentence": s.Sentence, "conflicts": s.Conflicts}
	if s.Conflicts > 0 {
		v["next"] = "the user looks at them with `kist sync conflicts` and decides with `kist sync resolve`"
	}
	return Result{Value: v}, nil
}
