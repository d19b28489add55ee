package sync

import (
	"context"
	"fmt"
	"path"

	"kist/daemon/sync/git"
)

// Outside of the vault's folder, in a larger repository, kist merges nothing: a file is what the side made of it that changed it.

// outside takes in what theirs changed outside of the vault's folder. What both sides changed is for the user's git.
func (m *merger) outside(ctx context.Context, base, ours, theirs string) error {
	own, err := m.repo.Outside(ctx, m.store, base, ours)
	if err != nil {
		return err
	}
	changed, folders := map[string]git.File{}, map[string]bool{}
	for _, d := range own {
		changed[d.Path] = d.After
		for dir := path.Dir(d.Path); d.After.ID != "" && dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	diff, err := m.repo.Outside(ctx, m.store, base, theirs)
	if err != nil {
		return err
	}
	for _, d := range diff {
		at, both := changed[d.Path]
		if both && at == d.After {
			continue
		}
		both = both || d.After.ID != "" && folders[d.Path]
		for dir := path.Dir(d.Path); d.After.ID != "" && dir != "."; dir = path.Dir(dir) {
			both = both || changed[dir].ID != ""
		}
		if both {
			return fmt.Errorf("%w: %s (outside of the vault, and both sides changed it: git pull merges it)", ErrHeld, d.Path)
		}
		m.result[d.Path] = d.After
	}
	return nil
}
