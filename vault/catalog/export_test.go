package catalog

import "kist/vault"

// Limit bounds how many tasks are remembered.
func Limit(v *vault.Vault, n int) { vault.Kept[follower](v).limit = n }

// Room is what is remembered: documents, what the map of them has room for, and news that
// nobody asked for yet.
func Room(v *vault.Vault) (documents, room, news int) {
	f := vault.Kept[follower](v)
	return len(f.known), f.most, len(f.stale)
}

const MaxStale = maxStale
