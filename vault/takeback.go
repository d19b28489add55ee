package vault

import (
	"errors"
	"fmt"
	"slices"

	"kist/vault/merge"
)

// takeBackBatch takes back what was written of a batch that can't be finished.
// stands tells of changes that can't be taken back because they were edited since;
// err is of the disk.
func (v *Vault) takeBackBatch(todo []*planned) (stands, err error) {
	for _, p := range slices.Backward(todo) {
		for _, c := range slices.Backward(p.op.Changes) {
			r, err := v.wayBack(p.op, c)
			if err == nil && r != nil {
				err = v.replace(r, func() error { return nil })
			}
			switch {
			case err == nil:
			case ofTheFiles(err):
				stands = errors.Join(stands, fmt.Errorf("its change of %s stands: %w", c.Path, err))
			default:
				return stands, err
			}
		}
	}
	return stands, nil
}

// wayBack is what takes one change back; nil if it wasn't made.
func (v *Vault) wayBack(op Operation, c FileChange) (*replacement, error) {
	if c.From != "" {
		todo, made, err := v.recoverMove(op, c)
		if err != nil || !made || todo != nil {
			return nil, err
		}
		return &replacement{id: op.ID, path: c.From, from: c.Path, hash: c.After}, nil
	}
	now, err := v.readOrNil(c.Path)
	if err != nil || HashOf(now) == c.Before {
		return nil, err
	}
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, err
	}
	r := &replacement{id: op.ID, path: c.Path, before: now}
	if HashOf(now) == c.After {
		r.after, err = merge.Patch(now, inverse)
		return r, err
	}
	if _, err := merge.Shift(now, c.Patch); err == nil {
		return nil, nil // it could still be made, so it isn't there
	}
	if r.after, err = merge.Shift(now, inverse); err != nil {
		return nil, nil // somebody wrote over it
	}
	return r, nil
}
