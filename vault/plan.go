package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"kist/vault/disk"
	"kist/vault/merge"
	"kist/vault/oplog"
)

// A plan works out what steps, one after another, would do to the files, and changes
// nothing.
type plan struct {
	v     *Vault
	texts map[string][]byte // what the steps so far leave of the files they touch; nil: no file
}

func newPlan(v *Vault) *plan { return &plan{v: v, texts: map[string][]byte{}} }

// read returns what a file will hold; nil: no file.
func (pl *plan) read(p string) ([]byte, error) {
	if text, ok := pl.texts[p]; ok {
		return text, nil
	}
	return pl.v.tree.ReadOrNil(p)
}

// batch checks a batch against the disk and returns its operations. undoes gives each step's undone operation when they undo.
func (pl *plan) batch(b Batch, undoes ...string) ([]*planned, error) {
	if len(b.Steps) == 0 {
		return nil, fmt.Errorf("%w: a batch without steps", ErrInvalid)
	}
	batch := ""
	var out []*planned
	for i, s := range b.Steps {
		p := &planned{op: Operation{
			ID: pl.v.NewID(), At: pl.v.now(), Type: s.Type, Entity: s.Entity, Reason: OneLine(s.Reason), Batch: batch,
			Actor: b.Origin.Actor, Client: OneLine(b.Origin.Client), Session: b.Origin.Session, Turn: b.Origin.Turn, Outside: b.Origin.Outside, Request: b.Origin.Request,
		}}
		if i == 0 {
			batch, p.op.Batch = p.op.ID, p.op.ID // one that has no other step need not be named
		}
		if i < len(undoes) {
			p.op.Undoes = undoes[i]
		}
		if len(s.Changes) == 0 {
			return nil, fmt.Errorf("%w: nothing to change in %s", ErrInvalid, s.Entity.Path)
		}
		for _, c := range s.Changes {
			r, err := pl.change(c)
			if err != nil {
				return nil, err
			}
			r.ID = p.op.ID
			if r.From != "" || HashOf(r.Before) != HashOf(r.After) {
				p.files = append(p.files, r)
			}
		}
		if len(p.files) == 0 {
			return nil, fmt.Errorf("%w: %s says so already", ErrNoChange, s.Entity.Path)
		}
		if err := unresolved(p.files, b.Origin.Actor); err != nil {
			return nil, err
		}
		p.describe()
		out = append(out, p)
	}
	return out, pl.v.checkProtected(out)
}

// withMode notes the permissions of a file that goes, so that it can come back with them;
// one that is made gets those given.
func (pl *plan) withMode(r *disk.Replacement, made fs.FileMode) *disk.Replacement {
	switch {
	case r.Before == nil:
		r.Mode = made.Perm()
	case r.After == nil:
		if fi, err := pl.v.tree.Lstat(r.Path); err == nil {
			r.Mode = fi.Mode().Perm()
		}
	}
	return r
}

func (pl *plan) change(c Change) (*disk.Replacement, error) {
	clean, err := pl.v.WritablePath(c.Path)
	if err != nil {
		return nil, err
	}
	if c.From != "" {
		return pl.move(c, clean)
	}
	now, planned := pl.texts[clean]
	if !planned {
		if now, err = pl.v.tree.ReadOrNil(clean); err != nil {
			return nil, err
		}
		if now != nil {
			if _, err := pl.v.tree.Writable(clean); err != nil {
				return nil, err
			}
		}
	}
	r := &disk.Replacement{Path: clean, Before: c.Before, After: c.After, Exact: c.Expect != ""}
	if !planned && HashOf(now) != HashOf(r.Before) && pl.v.tree.BeingWritten(clean) {
		// Not what the change was made for, because it is being saved just now.
		pl.v.tree.WaitClosed(r)
		if now, err = pl.v.tree.ReadOrNil(clean); err != nil {
			return nil, err
		}
	}
	if err := expected(c, clean, HashOf(now), now); err != nil {
		return nil, err
	}
	if err := pl.v.tree.Rebase(r, now); err != nil {
		return nil, err
	}
	pl.texts[clean] = r.After
	return pl.withMode(r, c.Mode), nil
}

// expected wants a file to be what the caller saw.
func expected(c Change, p string, is Hash, now []byte) error {
	if c.Expect == "" || c.Expect == is {
		return nil
	}
	return &ConflictError{Path: p, Reason: "it was edited since it was read", Now: now, Wanted: c.After}
}

func (pl *plan) move(c Change, to string) (*disk.Replacement, error) {
	from, err := pl.v.WritablePath(c.From)
	if err != nil {
		return nil, err
	}
	r := &disk.Replacement{Path: to, From: from}
	if text, planned := pl.texts[from]; planned {
		if text == nil {
			return nil, &NotFoundError{Kind: "file", Ref: from}
		}
		r.Hash = HashOf(text)
		pl.texts[to] = text
	} else {
		if _, err := pl.v.tree.Writable(from); err != nil {
			return nil, err
		}
		if r.Hash, err = pl.v.tree.HashFile(from); err != nil {
			return nil, err
		}
		if disk.IsMarkdown(from) {
			text, err := pl.v.tree.Read(from)
			if err == nil {
				pl.texts[to] = text
			} else if !errors.Is(err, ErrTooLarge) { // that is moved all the same
				return nil, err
			}
		}
	}
	if err := expected(c, from, r.Hash, pl.texts[to]); err != nil {
		return nil, err
	}
	pl.texts[from] = nil
	if pl.v.tree.Exists(to) {
		return nil, fmt.Errorf("%w: %s", ErrExists, to)
	}
	return r, nil
}

// checkProtected refuses operations that would edit or delete a protected file, before
// any of them is logged. To move one is allowed: that changes nothing in it.
func (v *Vault) checkProtected(ops []*planned) error {
	from := map[string]string{} // where a moved file is as yet
	for _, op := range ops {
		for _, r := range op.files {
			p := r.Path
			if r.From != "" {
				p = r.From
			}
			if at, moved := from[p]; moved {
				p = at
			}
			if r.From != "" {
				from[r.Path] = p
				continue
			}
			if r.Before == nil {
				continue
			}
			// What isn't there will be made by an operation before.
			if fi, err := v.tree.Root.Lstat(p); err == nil {
				if err := disk.Protected(r.Path, fi); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// loadProposed is load for an operation that must be as it was proposed.
func (pl *plan) loadProposed(p *planned) (moved bool, err error) {
	if oplog.Digest(p.op) != p.op.Digest {
		return false, fmt.Errorf("%w: the operation in the log was altered after it was proposed", ErrDigest)
	}
	return pl.load(p)
}

// load gives p the texts its patches stand for, and says whether a file has moved
// on since. What was said meanwhile doesn't count as such: see records.go.
func (pl *plan) load(p *planned) (moved bool, err error) {
	restated := false
	for _, c := range p.op.Changes {
		r, err := pl.loadChange(c)
		if err != nil {
			return false, err
		}
		if r == nil {
			continue // an editor had made the same change at that moment
		}
		r.ID = p.op.ID
		switch {
		case stands(r, c):
		case pl.v.isRecord(c):
			restated = true
		default:
			moved = true
		}
		p.files = append(p.files, r)
	}
	since, err := pl.recordsSince(p.op)
	if err != nil {
		return false, err
	}
	for _, r := range since {
		r.ID = p.op.ID
		p.files = append(p.files, r)
	}
	if restated || len(since) > 0 {
		p.describe()
	}
	return moved, nil
}

// loadChange gives one change of a logged operation its texts; nil: it changes nothing.
func (pl *plan) loadChange(c FileChange) (*disk.Replacement, error) {
	if c.From != "" {
		return pl.change(Change{Path: c.Path, From: c.From})
	}
	clean, err := pl.v.WritablePath(c.Path)
	if err != nil || c.Before == c.After {
		return nil, err
	}
	now, err := pl.read(clean)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch {
	case pl.v.isRecord(c): // it goes, whatever was added to it
	case HashOf(now) == c.Before:
		after, err = merge.Patch(now, c.Patch)
	default:
		after, err = merge.Shift(now, c.Patch)
	}
	if err != nil {
		return nil, &ConflictError{Path: clean, Reason: "edited since the proposal, in the same place", Now: now}
	}
	pl.texts[clean] = after
	return pl.withMode(&disk.Replacement{Path: clean, Before: now, After: after}, c.Mode), nil
}

// stands reports whether the file is what it was when the change was logged.
func stands(r *disk.Replacement, c FileChange) bool {
	if r.From != "" {
		return r.Hash == c.After
	}
	return HashOf(r.Before) == c.Before
}
