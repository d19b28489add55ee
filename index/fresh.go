package index

import (
	"context"
	"errors"
	"time"

	"kist/vault/watch"
)

// freshLimit is how long an answer waits for what was saved before the question. It
// takes a few milliseconds, if nothing else is going on.
const freshLimit = 100 * time.Millisecond

// catchUp waits until all that was saved before the call is searchable, and says why
// an answer may lack some of it. A build that is under way isn't waited for: how
// much it has yet to do is in the receipt.
func (x *Index) catchUp(ctx context.Context) (degraded string) {
	x.mu.RLock()
	ready := x.state == Ready && x.caughtUp
	x.mu.RUnlock()
	if !ready {
		return ""
	}
	limited, cancel := context.WithTimeout(ctx, freshLimit)
	defer cancel()
	seq, err := x.vault.Barrier(limited)
	switch {
	case err == nil:
		// Late is not degraded: the receipt counts what is pending.
		_ = x.Wait(limited, seq)
		return ""
	case errors.Is(err, watch.ErrStopped):
		return "changes of files are not noticed at present: " + x.vault.Watcher()
	case errors.Is(err, context.DeadlineExceeded):
		return "files saved just now may be missing: the watcher is late"
	}
	return "files saved just now may be missing: " + err.Error()
}
