package entity

import (
	"context"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/spelling"
)

// Suggest returns an error that says which document isn't there with the paths that may be meant.
func Suggest(ctx context.Context, v *vault.Vault, err error) error {
	return spelling.Suggest(v, err, func() (all []string) {
		documents, _ := catalog.Documents(ctx, v) // without them there is nothing to suggest
		for _, d := range documents {
			all = append(all, d.Path)
		}
		return all
	})
}
