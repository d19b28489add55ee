package vault

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"kist/vault/canvas"
	"kist/vault/disk"
	"kist/vault/documents"
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
		Rules: ignore.IsRules, Listed: v.Rules().Listed, Renew: v.Rules().Forget,
	})
	v.watcher.Store(w)
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	defer following.Wait()
	defer cancel()
	following.Go(func() {
		// Years of operations take a second to read: not while somebody waits.
		if err := v.ops.Refresh(); err != nil {
			v.log.Error("read operation log", "err", err)
		}
		select {
		case <-w.Ready():
			v.history.Follow(ctx)
		case <-ctx.Done():
		}
	})
	return w.Run(ctx, v.heard)
}

// unwatched reports whether a path is of no interest: neither a document or canvas nor a file
// of the operation log.
func (v *Vault) unwatched(p string, dir bool) bool {
	if file, ok := fsys.Stubbed(p); ok && !dir {
		p = file
	}
	if disk.Hidden(p) {
		return true
	}
	if p == v.Layout().Operations || strings.HasPrefix(p, v.Layout().Operations+"/") {
		return !dir && !v.ops.Has(p)
	}
	return !dir && !disk.IsMarkdown(p) && !canvas.Is(p) || v.Rules().Match(p, dir)
}

// heard takes in what the watcher saw.
func (v *Vault) heard(e watch.Event) {
	if e.Rescan != "" {
		v.log.Info("comparing everything", "why", e.Rescan)
		v.ops.Changed("")
		v.changes.Add("")
		return
	}
	var changed []string
	for _, p := range e.Paths {
		if file, ok := fsys.Stubbed(p); ok {
			p = file
		}
		if v.ops.Has(p) {
			v.ops.Changed(p)
		} else {
			changed = append(changed, documents.Heard(v.Folder, p))
		}
	}
	for _, p := range changed {
		v.records.Heard(p)
	}
	v.changes.Add(changed...)
}

// Compared reports whether what is known of the vault has been compared with the
// folder since it was opened: what other programs save from then on is recorded.
func (v *Vault) Compared() bool { return v.history.Compared() }

// Vanished says that many documents are gone at once and that this was not taken
// for deleting them; empty: no. It ends when they are back, or by [Vault.AcceptVanished].
func (v *Vault) Vanished() string { return v.history.Vanished() }

// AcceptVanished says that the documents which vanished are meant to be gone: they
// are recorded as deleted.
func (v *Vault) AcceptVanished() { v.history.AcceptVanished() }

// Record has what other programs saved before the call recorded now, rather than
// when they are quiet. It returns an error where that can't be seen, or ctx's.
func (v *Vault) Record(ctx context.Context) error {
	if _, err := v.Barrier(ctx); err != nil {
		return err
	}
	return v.history.Record(ctx)
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

// noticing is how changes by other programs are noticed.
type noticing struct {
	watcher atomic.Pointer[watch.Watcher]

	mu      sync.Mutex
	offered []string // ids of operations
}

// Offered returns, once for each, the operations that were offered again since another program saved an old text over them.
func (n *noticing) Offered() (ids []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids, n.offered = n.offered, nil
	return ids
}

func (n *noticing) noteOffer(ids ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.offered = append(n.offered, ids...)
}

// Watching is closed once changes by other programs are seen; nil before [Vault.Run].
func (n *noticing) Watching() <-chan struct{} {
	if w := n.watcher.Load(); w != nil {
		return w.Ready()
	}
	return nil
}

// Watcher tells how changes by other programs are noticed: starting, watching,
// polling or stopped, and why.
func (n *noticing) Watcher() string {
	w := n.watcher.Load()
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
func (n *noticing) WatchStats() watch.Stats {
	if w := n.watcher.Load(); w != nil {
		return w.Stats()
	}
	return watch.Stats{}
}

// watched reports whether changes by other programs are seen.
func (n *noticing) watched() bool {
	select {
	case <-n.Watching():
		return true
	default:
		return false // nil: never
	}
}
