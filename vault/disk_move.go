package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"kist/vault/fsys"
)

// moveFile moves r.from, any regular file, to r.path, where nothing may be. A save
// that an editor makes meanwhile moves along, or stays at the old name as a file of
// its own.
func (v *Vault) moveFile(r *replacement) error {
	if same, err := v.sameFile(r.from, r.path); err == nil && same {
		return v.moveOntoItself(r)
	}
	if _, err := v.writable(r.from); err != nil {
		return err
	}
	d, fromDir, toDir := v.disk(), path.Dir(r.from), path.Dir(r.path)
	if err := d.MakeFolders(toDir); err != nil {
		v.removeEmptyDirs(toDir)
		return v.moveError(r, err)
	}
	from, err := d.OpenFolder(fromDir)
	if err != nil {
		v.removeEmptyDirs(toDir)
		return v.moveError(r, err)
	}
	defer from.Close()
	to, err := d.OpenFolder(toDir)
	if err != nil {
		v.removeEmptyDirs(toDir)
		return v.moveError(r, err)
	}
	defer to.Close()
	err = d.RenameNew(from, to, r.from, r.path)
	if errors.Is(err, fsys.ErrNoExchange) {
		err = v.moveByLink(from, r)
	}
	if err != nil {
		v.removeEmptyDirs(toDir)
		return v.moveError(r, err)
	}
	// The new name first: a loss of power may leave both, but never none.
	if err = d.SyncFolder(to); err == nil && fromDir != toDir {
		err = d.SyncFolder(from)
	}
	v.removeEmptyDirs(fromDir)
	return v.moveError(r, err)
}

func (v *Vault) moveError(r *replacement, err error) error {
	switch {
	case err == nil, errors.Is(err, errGaveBack):
		return err
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %s", ErrExists, r.path)
	case fsys.IsCrossDevice(err):
		return fmt.Errorf("move %s to %s: the two folders are on different disks", r.from, r.path)
	}
	return fmt.Errorf("move %s to %s: %w", r.from, r.path, fsys.BareError(err))
}

// moveByLink is the fallback for file systems without a rename that never
// overwrites. The old name is moved aside before it goes away, since an editor may
// have renamed its save to it after the link was made.
func (v *Vault) moveByLink(from *os.File, r *replacement) error {
	d := v.disk()
	if err := d.Link(r.from, r.path); err != nil {
		return err
	}
	aside := v.tempName(r.id, r.from, "swap")
	if err := d.Rename(r.from, aside); err != nil {
		_ = d.Remove(r.path) // or recovery finds both to be one file
		return err
	}
	if same, err := v.sameFile(aside, r.path); err != nil || same {
		_ = d.Remove(aside) // or a sweep does
		return nil
	}
	if err := v.putBack(from, aside, r.from); err != nil {
		return errors.Join(errGaveBack, v.keepCopy(aside, r.from))
	}
	return errors.Join(errGaveBack, d.Remove(r.path))
}

// moveOntoItself: both names are one file. Either the file system takes them for
// the same name (a change of case alone), or a move by link was cut short.
func (v *Vault) moveOntoItself(r *replacement) error {
	fi, err := v.root.Lstat(r.from)
	if err != nil {
		return v.moveError(r, err)
	}
	d := v.disk()
	if fsys.Links(fi) > 1 {
		err = d.Remove(r.from)
	} else {
		err = d.Rename(r.from, r.path)
	}
	if err == nil {
		err = d.SyncFolderAt(path.Dir(r.path))
	}
	if err == nil && path.Dir(r.from) != path.Dir(r.path) {
		err = d.SyncFolderAt(path.Dir(r.from))
	}
	v.removeEmptyDirs(path.Dir(r.from))
	return v.moveError(r, err)
}

// sameFile reports whether two names are those of one file.
func (v *Vault) sameFile(a, b string) (bool, error) {
	x, err := v.root.Lstat(a)
	if err != nil {
		return false, err
	}
	y, err := v.root.Lstat(b)
	if err != nil {
		return false, err
	}
	return os.SameFile(x, y), nil
}

// recoverMove says whether a move was made before the crash and, if not, what is
// left to do.
func (v *Vault) recoverMove(op Operation, c FileChange) (*replacement, bool, error) {
	_, fromErr := v.lstat(c.From)
	_, toErr := v.lstat(c.Path)
	for _, err := range []error{fromErr, toErr} {
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !fsys.IsNotDir(err) {
			return nil, false, v.pathError("file", c.Path, err)
		}
	}
	todo := &replacement{id: op.ID, path: c.Path, from: c.From}
	switch {
	case fromErr != nil && toErr != nil:
		return nil, false, fmt.Errorf("%w: neither %s nor %s is there to finish a move", ErrConflict, c.From, c.Path)
	case fromErr != nil:
		return nil, true, nil
	case toErr != nil:
		return todo, false, nil
	}
	if same, err := v.sameFile(c.From, c.Path); err == nil && same {
		return todo, true, nil
	}
	return nil, false, fmt.Errorf("%w: %s and %s are both there, so a move can't be finished", ErrConflict, c.From, c.Path)
}
