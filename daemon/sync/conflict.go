package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// A Conflict is a file that two sides changed in ways that contradict each other: the document has one, and a copy beside it
// the other.
type Conflict = copies.Copy

// Conflicts lists the conflict copies among the documents, by path: those that sync made and
// those of other programs that sync folders. The list must not be changed.
func (e *Engine) Conflicts(ctx context.Context) ([]Conflict, error) {
	v := e.opts.Vault
	seq := v.Seq()
	e.mu.Lock()
	last := e.copies
	e.mu.Unlock()
	if last.found != nil && last.seq == seq && v.Watcher() == "watching" {
		// A number tells of documents alone: that others are gone isn't known by it.
		if gone := func(c Conflict) bool { return !e.isFile(c.Path) }; slices.ContainsFunc(last.found, gone) {
			return slices.DeleteFunc(slices.Clone(last.found), gone), nil
		}
		return last.found, nil
	}
	found, err := v.List(ctx, 0)
	if err != nil {
		return nil, err
	}
	out := []Conflict{}
	look := func(p string) {
		if c, ok := copies.Of(p, e.isFile); ok && (c.From != copies.ICloud || e.twins(ctx, c)) {
			c, failed := copies.Follow(ctx, v, c, e.isFile)
			out, err = append(out, c), errors.Join(err, failed)
		}
	}
	for _, f := range found.Files {
		if strings.ContainsAny(path.Base(f.Path), " .") {
			look(f.Path)
		}
	}
	for _, p := range append(found.Copies, copies.InHidden(v.Dir())...) {
		look(p)
	}
	if err != nil {
		return nil, err
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	e.mu.Lock()
	e.copies = listed{seq, out}
	e.mu.Unlock()
	return out, nil
}

// isFile reports whether there is a file, which need be no document.
func (e *Engine) isFile(p string) bool {
	fi, err := os.Lstat(filepath.Join(e.opts.Vault.Dir(), filepath.FromSlash(p)))
	return err == nil && fi.Mode().IsRegular()
}

// twins reports whether a copy and its document are [copies.Twins].
func (e *Engine) twins(ctx context.Context, c Conflict) bool {
	ours, theirs, err := e.Texts(ctx, c)
	return err == nil && copies.Twins(ours, theirs)
}

// Texts returns what the document and the copy of a conflict hold; nil: no file.
func (e *Engine) Texts(ctx context.Context, c Conflict) (ours, theirs []byte, err error) {
	return c.Texts(ctx, e.opts.Vault)
}

// A Choice is how a conflict is resolved.
type Choice = copies.Choice

// Resolve carries out a choice as operations of the user, who can undo them; for hidden files, such as an editor's settings, and kist's own
// records without an operation. p is the copy's
// path, or that of a document with one copy. It returns ErrNoConflict, ErrAmbiguous, vault.ErrConflict where
// the two are to be merged and contradict each other, or Apply's errors.
func (e *Engine) Resolve(ctx context.Context, p string, choice Choice, origin vault.Origin, propose bool) ([]vault.Operation, error) {
	c, err := e.find(ctx, p)
	if err != nil {
		return nil, err
	}
	if c.IsRecord(e.opts.Vault) && origin.Actor == vault.ActorUser && !propose {
		return nil, c.Gather(ctx, e.opts.Vault, choice)
	}
	if c.Of == "" && (choice == copies.Theirs || choice == copies.Merged) {
		choice = copies.Both // there is nothing to put it into
	}
	ours, theirs, err := e.Texts(ctx, c)
	if err != nil {
		return nil, err
	}
	v := e.opts.Vault
	text := theirs
	if choice == copies.Merged || choice == copies.Theirs {
		base, err := e.madeFrom(ctx, c, theirs)
		if err == nil {
			text, err = copies.Together(c, choice, base, ours, theirs)
		}
		if err != nil {
			return nil, err
		}
	}
	if copies.Hidden(c.Path) || c.IsRecord(v) {
		switch {
		case propose || origin.Actor != vault.ActorUser || choice == copies.Both:
			return nil, fmt.Errorf("%w: of %s, which no operation changes, only you choose, by kist sync resolve: ours, theirs or merge", vault.ErrInvalidPath, c.Path)
		case choice == copies.Ours:
			text = ours
		}
		return nil, c.Settle(ctx, v, ours, theirs, text)
	}
	steps, err := c.Steps(v, choice, ours, theirs, text)
	if err != nil {
		return nil, err
	}
	if propose {
		return v.Propose(ctx, vault.Batch{Origin: origin, Steps: steps})
	}
	return v.Apply(ctx, vault.Batch{Origin: origin, Steps: steps})
}

// find returns the conflict that a path means.
func (e *Engine) find(ctx context.Context, p string) (Conflict, error) {
	all, err := e.Conflicts(ctx)
	if err != nil {
		return Conflict{}, err
	}
	var found []Conflict
	for _, c := range all {
		if c.Path == p {
			return c, nil
		}
		if c.Of == p {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return Conflict{}, fmt.Errorf("%w: %s", ErrNoConflict, p)
	case 1:
		return found[0], nil
	}
	return Conflict{}, fmt.Errorf("%w: %s has %d conflict copies", vault.ErrAmbiguous, p, len(found))
}
