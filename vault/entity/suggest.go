package entity

import (
	"context"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/spelling"
)

// Suggest gives an error that says which document isn't there the paths that may be meant.
func Suggest(ctx context.Context, v *vault.Vault, err error) {
	spelling.Suggest(v, err, func() (all []string) {
		entries, _ := catalog.List(ctx, v) // without them there is nothing to suggest
		for _, e := range entries {
			all = append(all, e.Path)
		}
		return all
	})
}
