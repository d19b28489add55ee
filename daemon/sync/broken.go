package sync

import (
	"context"
	"path"

	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
)

// A brokenOff is what became of documents since a merge was broken off that now goes on. Who moved or deleted one meanwhile had seen it as
// it was then: what the merge made of it, or what was there before.
type brokenOff struct {
	placed map[vault.FileChange]bool // what was put in place: a path and what it holds
	went   map[vault.Hash]string     // documents that are new here, by what they hold
}

// brokenAt finds that of a merge that began at a commit.
func brokenAt(ctx context.Context, r *round, from string) (brokenOff, error) {
	b := brokenOff{map[vault.FileChange]bool{}, map[vault.Hash]string{}}
	// Of all times: a clock may have been set since.
	ops, err := r.vault.Operations(ctx, vault.Filter{Own: true, Actor: vault.ActorSync, Status: vault.StatusCompleted})
	if err != nil {
		return b, err
	}
	for _, op := range ops {
		for _, c := range op.Changes {
			b.placed[vault.FileChange{Path: c.Path, After: c.After}] = true
		}
	}
	changes, err := r.store.Changes(ctx, from)
	for _, c := range changes {
		p, ok := r.below(c.Path)
		if !c.New || !ok || !names.Handled(p) {
			continue
		}
		if text, err := r.now(p); err == nil && text != nil && !b.placed[vault.FileChange{Path: p, After: vault.HashOf(text)}] {
			b.went[vault.HashOf(text)] = p
		}
	}
	return b, err
}

// putBack puts documents back that a merge which doesn't go on had taken away to make room for what was to come: the user has
// committed what he found, and what he had changed in them before would be in no commit's files any more. What is merged anew
// takes them away again. What theirs had where it had put something in place is noted, and
// what is put back.
func putBack(ctx context.Context, r *round, j *journal) error {
	c, err := r.coming(ctx, j.From, j.To)
	if err != nil {
		return nil // nothing was put in place
	}
	b, err := brokenAt(ctx, r, j.From)
	if err != nil {
		return err
	}
	theirs, err := r.store.Files(ctx, j.There)
	if err != nil {
		return err
	}
	var back []arrival
	r.placed = map[string]git.File{}
	for _, a := range c.arrivals {
		p := path.Join(r.repo.Prefix, a.path)
		if !b.placed[vault.FileChange{Path: a.path, After: vault.HashOf(a.after)}] {
			continue
		}
		switch {
		case a.after == nil && !r.repo.Exists(p) && names.FileAbove(r.repo.Top, p) == "":
			back = append(back, arrival{path: a.path, after: a.before})
			r.placed[p] = git.File{Mode: git.ModeFile, ID: r.store.BlobID(a.before)}
		case a.after != nil && a.before == nil && a.from == "":
			if f, ok := theirs[p]; ok {
				r.placed[p] = f
			}
		}
	}
	if len(back) == 0 {
		return nil
	}
	return r.writeDocuments(ctx, back)
}
