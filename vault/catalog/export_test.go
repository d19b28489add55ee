package catalog

import "kist/vault"

// Limit bounds how many tasks are remembered.
func Limit(v *vault.Vault, n int) { vault.Kept[follower](v).limit = n }
