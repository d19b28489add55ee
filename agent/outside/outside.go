// Package outside remembers which documents of a vault came from outside, such as from another
// machine's commits or a clipping of the web. To find that out a log is read; it is asked of
// every document of every turn.
package outside

import (
	"context"
	"sync"
	"time"

	"kist/vault"
)

// Documents are those of a vault. Its methods may be called concurrently.
type Documents struct {
	vault *vault.Vault

	mu    sync.Mutex
	known map[string]answer
}

type answer struct {
	info vault.Info
	is   bool
}

const (
	maxKnown = 20_000
	// settledAfter is how old a file must be for what is known of it to last: the log
	// says who changed it a moment after the change.
	settledAfter = time.Minute
)

// New returns the documents of a vault, of which nothing is known yet.
func New(v *vault.Vault) *Documents { return &Documents{vault: v} }

// From is vault.FromOutside, remembered until the file changes.
func (d *Documents) From(ctx context.Context, p string) bool {
	info, err := d.vault.Stat(p)
	if err != nil {
		return d.vault.FromOutside(ctx, p)
	}
	d.mu.Lock()
	k, ok := d.known[p]
	d.mu.Unlock()
	if ok && k.info == info {
		return k.is
	}
	is := d.vault.FromOutside(ctx, p)
	if time.Since(info.ModTime) < settledAfter || time.Since(info.ChangeTime) < settledAfter || ctx.Err() != nil {
		return is
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxKnown {
		d.known = map[string]answer{}
	}
	d.known[p] = answer{info, is}
	return is
}
