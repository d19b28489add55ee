package vault

import (
	"errors"
	"fmt"
	"slices"

	"kist/vault/disk"
	"kist/vault/merge"
)

// undoBatch takes back what was written of a batch that can't be finished.
// stands tells of changes that can't be taken back because they were edited since;
// err is of the disk.
func (rec recovery) undoBatch(todo []*planned) (stands, err error) {
	for _, p := range slices.Backward(todo) {
		for _, c := range slices.Backward(p.op.Changes) {
			r, err := rec.inverse(p.op, c)
			if err == nil && r != nil {
				err = rec.v.tree.Replace(r, func() error { return nil })
			}
			switch {
			case err == nil:
			case disk.OfTheFiles(err):
				stands = errors.Join(stands, fmt.Errorf("its change of %s stands: %w", c.Path, err))
			default:
				return stands, err
			}
		}
	}
	return stands, nil
}

// inverse is what takes one change back; nil if it wasn't made.
func (rec recovery) inverse(op Operation, c FileChange) (*disk.Replacement, error) {
	if c.From != "" {
		todo, made, err := rec.recoverMove(op, c)
		if err != nil || !made || todo != nil {
			return nil, err
		}
		return &disk.Replacement{ID: op.ID, Path: c.From, From: c.Path, Hash: c.After}, nil
	}
	now, err := rec.v.tree.ReadOrNil(c.Path)
	if err != nil || HashOf(now) == c.Before {
		return nil, err
	}
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, err
	}
	r := &disk.Replacement{ID: op.ID, Path: c.Path, Before: now, Mode: c.Mode}
	if HashOf(now) == c.After {
		r.After, err = merge.Patch(now, inverse)
		return r, err
	}
	if _, err := merge.Shift(now, c.Patch); err == nil {
		return nil, nil // it could still be made, so it isn't there
	}
	if r.After, err = merge.Shift(now, inverse); err != nil {
		return nil, nil // somebody wrote over it
	}
	return r, nil
}
