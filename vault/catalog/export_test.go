package catalog

import (
	"context"

	"kist/vault"
)

// Limit bounds how many tasks are remembered.
func Limit(v *vault.Vault, n int) { vault.Kept[follower](v).limit = n }

// Room is what is remembered: documents, what the map of them has room for, and news that
// nobody asked for yet.
func Room(v *vault.Vault) (documents, room, news int) {
	f := vault.Kept[follower](v)
	return len(f.known), f.most, len(f.stale)
}

const MaxStale = maxStale

// Impatient has the vault's documents all looked at, as after a wait for the watcher that
// took too long.
func Impatient(ctx context.Context, v *vault.Vault) error {
	f := vault.Kept[follower](v)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.compare(ctx, v, Known{Seq: v.Seq(), Told: true})
}

// Anew makes the list anew, of all documents.
func Anew(ctx context.Context, v *vault.Vault) error {
	f := vault.Kept[follower](v)
	f.mu.Lock()
	f.list = nil
	f.mu.Unlock()
	return Impatient(ctx, v)
}

// LookedAtAll reports whether all documents were looked at since it was asked last.
func LookedAtAll(v *vault.Vault) bool { return vault.Kept[follower](v).took.Swap(0) > 0 }
