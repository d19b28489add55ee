package vault

import (
	"fmt"
	"io/fs"
)

// protected returns ErrProtected for a file whose mode lets nobody write to it. The
// mode counts and not what the system would permit: it lets root do anything, and an
// exchange replaces a file without writing to it.
func protected(p string, fi fs.FileInfo) error {
	if mode := fi.Mode().Perm(); mode&0o222 == 0 {
		return fmt.Errorf("%w: nobody may write to %s (mode %04o)", ErrProtected, p, mode)
	}
	return nil
}

// checkProtected refuses operations that would edit or delete a protected file, before
// any of them is logged. To move one is allowed: that changes nothing in it.
func (v *Vault) checkProtected(ops []*planned) error {
	from := map[string]string{} // where a moved file is as yet
	for _, op := range ops {
		for _, r := range op.files {
			p := r.path
			if r.from != "" {
				p = r.from
			}
			if at, moved := from[p]; moved {
				p = at
			}
			if r.from != "" {
				from[r.path] = p
				continue
			}
			if r.before == nil {
				continue
			}
			// What isn't there will be made by an operation before.
			if fi, err := v.root.Lstat(p); err == nil {
				if err := protected(r.path, fi); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
