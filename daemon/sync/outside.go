package sync

import (
	"cmp"
	"context"
	"fmt"
	"path"

	"kist/daemon/sync/git"
)

// Outside of the vault's folder, in a larger repository, kist merges nothing: a file is what the side made of it that changed it.

// outside takes in what theirs changed outside of the vault's folder, since both had base (empty: nothing). What both sides changed is for the user's git.
func (m *merger) outside(ctx context.Context, base, ours, theirs string) error {
	from := cmp.Or(base, m.store.EmptyTree())
	own, err := m.repo.Outside(ctx, m.store, from, ours)
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
	diff, err := m.repo.Outside(ctx, m.store, from, theirs)
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
		if at, changes := changed[d.Path]; changes {
			had, err := git.Had(ctx, m.store, ours, base, d.Path, d.After)
			if err == nil && had {
				continue // ours was made of what theirs has
			}
			if err == nil {
				had, err = git.Had(ctx, m.store, theirs, base, d.Path, at)
			}
			if err != nil {
				return err
			}
			both = !had // else theirs was made of it: a user may commit what a killed round has put in place
		}
		if both {
			return fmt.Errorf("%w: %s (outside of the vault, and both sides changed it: git pull merges it)", ErrHeld, d.Path)
		}
		m.result[d.Path] = d.After
	}
	return nil
}
