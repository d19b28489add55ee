package sync

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

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

// rest is what two commits (the first may be empty: none) have that lies outside of the vault, which git puts in place.
func (r *round) rest(ctx context.Context, from, to string) (map[string][2]git.File, error) {
	diff, err := r.repo.Outside(ctx, r.store, cmp.Or(from, r.store.EmptyTree()), to)
	if err != nil {
		return nil, err
	}
	rest := map[string][2]git.File{}
	for _, d := range diff {
		if d.After.ID != "" && strings.HasPrefix(r.repo.Prefix, d.Path+"/") {
			return nil, fmt.Errorf("%w: %s (the vault lies in it, and the remote has a file there)", ErrHeld, d.Path)
		}
		if why := r.held[d.Path]; why != "" {
			return nil, fmt.Errorf("%w: %s (%s)", ErrHeld, d.Path, why)
		}
		rest[d.Path] = [2]git.File{d.Before, d.After}
	}
	return rest, nil
}

// place has git put files in place, or try whether it can.
func (r *round) place(ctx context.Context, rest map[string][2]git.File, try bool) error {
	why, err := r.repo.Place(ctx, r.store, rest, try)
	if err == nil && why != "" {
		err = fmt.Errorf("%w: %s", ErrHeld, strings.TrimPrefix(why, "error: "))
	}
	return err
}
