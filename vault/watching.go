package vault

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"kist/vault/fsys"
	"kist/vault/ignore"
	"kist/vault/watch"
)

// Run watches the folder until ctx ends, so that followers learn of what other
// programs save, and records it in the operation log. It returns an error when the
// folder can't be watched at all.
func (v *Vault) Run(ctx context.Context) error {
	w := watch.New(v.dir, watch.Options{
		Log: v.log, Ignore: v.unwatched, Cookies: StateDir + "/cookies",
		Rules: ignore.IsRules, Renew: v.rules.Forget,
	})
	v.watcher.Store(w)
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	defer following.Wait()
	defer cancel()
	following.Go(func() {
		// Years of operations take a second to read: not while somebody waits.
		if err := v.ops.refresh(); err != nil {
			v.log.Error("read operation log", "err", err)
		}
		select {
		case <-w.Ready():
			h := &history{v: v, seq: v.Seq(), waiting: map[string]waiting{}}
			h.follow(ctx)
		case <-ctx.Done():
		}
	})
	return w.Run(ctx, v.heard)
}

// unwatched reports whether a path is of no interest: neither a document nor a file
// of the operation log.
func (v *Vault) unwatched(p string, dir bool) bool {
	if file, ok := fsys.Stubbed(p); ok && !dir {
		p = file
	}
	if hidden(p) {
		return true
	}
	if p == v.layout.Operations || strings.HasPrefix(p, v.layout.Operations+"/") {
		return !dir && !v.ops.has(p)
	}
	return !dir && !isMarkdown(p) || v.rules.Match(p, dir)
}

// heard takes in what the watcher saw.
func (v *Vault) heard(e watch.Event) {
	if e.Rescan != "" {
		v.log.Info("comparing everything", "why", e.Rescan)
		v.ops.changed("")
		v.changes.add("")
		return
	}
	var documents []string
	for _, p := range e.Paths {
		if file, ok := fsys.Stubbed(p); ok {
			p = file
		}
		if v.ops.has(p) {
			v.ops.changed(p)
		} else {
			documents = append(documents, p)
		}
	}
	for _, p := range documents {
		if v.looksAfter(p) {
			v.settling.Go(func() { v.addAgain(p) })
		}
	}
	v.changes.add(documents...)
}

// Watching is closed once changes by other programs are seen; nil before [Vault.Run].
func (v *Vault) Watching() <-chan struct{} {
	if w := v.watcher.Load(); w != nil {
		return w.Ready()
	}
	return nil
}

// Compared reports whether what is known of the vault has been compared with the
// folder since it was opened: what other programs save from then on is recorded.
func (v *Vault) Compared() bool { return v.compared.Load() }

// Watcher tells how changes by other programs are noticed: starting, watching,
// polling or stopped, and why.
func (v *Vault) Watcher() string {
	w := v.watcher.Load()
	if w == nil {
		return "starting"
	}
	select {
	case <-w.Ready():
		return w.State()
	default:
		return "starting"
	}
}

// WatchStats counts what went wrong with noticing changes since [Vault.Run].
func (v *Vault) WatchStats() watch.Stats {
	if w := v.watcher.Load(); w != nil {
		return w.Stats()
	}
	return watch.Stats{}
}

// Barrier returns once every change that was made in the folder before the call has
// its number, and the highest of them: a follower that has reached it knows all that
// was saved. It returns an error where changes can't be waited for, or ctx's.
func (v *Vault) Barrier(ctx context.Context) (Seq, error) {
	w := v.watcher.Load()
	if w == nil {
		return 0, fmt.Errorf("wait for what was saved: %w", watch.ErrStopped)
	}
	if err := w.Barrier(ctx); err != nil {
		return 0, fmt.Errorf("wait for what was saved: %w", err)
	}
	return v.Seq(), nil
}
