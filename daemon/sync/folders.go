package sync

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/daemon/sync/sides"
)

// follow puts what each side added to a folder that the other one renamed, or moved there, where that folder is now.
func (m *merger) follow(ctx context.Context, ours, theirs string) error {
	fromOurs, err := m.renamed(ctx, ours, m.ours, m.theirs)
	if err != nil {
		return err
	}
	fromTheirs, err := m.renamed(ctx, theirs, m.theirs, m.ours)
	if err != nil {
		return err
	}
	sides.Carry(m.theirs, m.ours, fromOurs, fromTheirs)
	for p, to := range sides.Carry(m.ours, m.theirs, fromTheirs, fromOurs) {
		m.put(to, cmp.Or(m.ours.Added[to], m.ours.Moved[to]))
		m.put(p, git.File{})
	}
	return nil
}

// renamed returns which folders a side, which is at a commit, gave another name, of those into which the other one put something.
func (m *merger) renamed(ctx context.Context, commit string, from, into sides.Side) (map[string]string, error) {
	counts := sides.Goes(from, into, m.renames)
	if len(counts) == 0 {
		return nil, nil
	}
	files, err := m.store.Files(ctx, commit)
	if err != nil {
		return nil, err
	}
	return sides.Renamed(counts, from, files), nil
}

// renames reports whether a folder may have another name: one of the vault's that isn't one of kist's own.
func (m *merger) renames(dir string) bool {
	own, ok := m.below(dir)
	return ok && !m.isOwn(own) && names.Handled(own)
}

// sorted are the keys of a map.
func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
