package index

import (
	"context"
	"errors"
	"time"

	"kist/index/page"
	"kist/vault"
	"kist/vault/watch"
)

const (
	// freshLimit is how long an answer waits for the watcher to tell what was saved
	// before the question. It takes a few milliseconds, if nothing else is going on.
	freshLimit = 100 * time.Millisecond
	// commitLimit is how long it waits for that to be indexed, before it looks into the
	// files themselves.
	commitLimit = 30 * time.Millisecond
	// longPerByte is how much longer it waits for each byte of long documents, longLimit at most: of such
	// a one the index has most entries already, while a search would prepare all of it.
	longPerByte = 3 * time.Microsecond
	longLimit   = 3 * time.Second
)

// catchUp waits until all that was saved before the call is known, and as a rule
// indexed, and says why an answer may lack some of it. A build that is under way isn't
// waited for. known, which may be nil, gets the newest change as soon as that is known.
func (x *Index) catchUp(ctx context.Context, known func(vault.Seq)) (degraded string) {
	limited, cancel := context.WithTimeout(ctx, freshLimit)
	defer cancel()
	seq, err := x.vault.Barrier(limited)
	switch {
	case err == nil:
		if known != nil {
			known(seq)
		}
		x.mu.RLock()
		ready := x.state == Ready && x.caughtUp
		x.mu.RUnlock()
		if ready {
			limited, cancel := context.WithTimeout(ctx, x.patience())
			defer cancel()
			_ = x.Wait(limited, seq) // what is late is looked for in the files
		}
		return ""
	case errors.Is(err, watch.ErrStopped):
		return "changes of files are not noticed at present: " + x.vault.Watcher()
	case errors.Is(err, context.DeadlineExceeded):
		return "files saved just now may be missing: the watcher is late"
	}
	return "files saved just now may be missing: " + err.Error()
}

// patience is how long an answer waits for what isn't indexed.
func (x *Index) patience() time.Duration {
	files, _ := x.unindexed()
	x.mu.RLock()
	defer x.mu.RUnlock()
	wait := time.Duration(0)
	for _, f := range files {
		if x.current == nil {
			break
		}
		if e := x.current.manifest.Files[f.Path]; e.Entries > 1 {
			wait += time.Duration(min(e.Size, page.MaxFile)) * longPerByte
		}
	}
	return commitLimit + min(wait, longLimit)
}

// settled returns the vault's newest change, and whether the index holds all that is
// known of.
func (x *Index) settled() (vault.Seq, bool) {
	seq := x.vault.Seq()
	x.mu.RLock()
	defer x.mu.RUnlock()
	return seq, x.current != nil && x.state == Ready && x.caughtUp && x.surveyed && len(x.waiting) == 0 &&
		x.indexed >= seq && x.position.notice == ""
}
