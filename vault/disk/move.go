package disk

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
func (t *Tree) moveFile(r *Replacement) error {
	if same, err := t.SameFile(r.From, r.Path); err == nil && same {
		return t.moveOntoItself(r)
	}
	if _, err := t.Writable(r.From); err != nil {
		return err
	}
	d, fromDir, toDir := t.Disk(), path.Dir(r.From), path.Dir(r.Path)
	if err := d.MakeFolders(toDir); err != nil {
		t.RemoveEmptyDirs(toDir)
		return t.moveError(r, err)
	}
	from, err := d.OpenFolder(fromDir)
	if err != nil {
		t.RemoveEmptyDirs(toDir)
		return t.moveError(r, err)
	}
	defer from.Close()
	to, err := d.OpenFolder(toDir)
	if err != nil {
		t.RemoveEmptyDirs(toDir)
		return t.moveError(r, err)
	}
	defer to.Close()
	err = d.RenameNew(from, to, r.From, r.Path)
	if errors.Is(err, fsys.ErrNoExchange) {
		err = t.moveByLink(from, r)
	}
	if err != nil {
		t.RemoveEmptyDirs(toDir)
		return t.moveError(r, err)
	}
	// The new name first: a loss of power may leave both, but never none.
	if err = d.SyncFolder(to); err == nil && fromDir != toDir {
		err = d.SyncFolder(from)
	}
	t.RemoveEmptyDirs(fromDir)
	return t.moveError(r, err)
}

func (t *Tree) moveError(r *Replacement, err error) error {
	switch {
	case err == nil, errors.Is(err, ErrRaced):
		return err
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %s", ErrExists, r.Path)
	case fsys.IsCrossDevice(err):
		return fmt.Errorf("move %s to %s: the two folders are on different disks", r.From, r.Path)
	}
	return fmt.Errorf("move %s to %s: %w", r.From, r.Path, fsys.BareError(err))
}

// moveByLink is the fallback for file systems without a rename that never
// overwrites. The old name is moved aside before it goes away, since an editor may
// have renamed its save to it after the link was made.
func (t *Tree) moveByLink(from *os.File, r *Replacement) error {
	d := t.Disk()
	if err := d.Link(r.From, r.Path); err != nil {
		return err
	}
	aside := t.tempName(r.ID, r.From, "swap")
	if err := d.Rename(r.From, aside); err != nil {
		_ = d.Remove(r.Path) // or recovery finds both to be one file
		return err
	}
	if same, err := t.SameFile(aside, r.Path); err != nil || same {
		_ = d.Remove(aside) // or a sweep does
		return nil
	}
	if err := t.PutBack(from, aside, r.From); err != nil {
		return errors.Join(ErrRaced, t.KeepCopy(aside, r.From))
	}
	return errors.Join(ErrRaced, d.Remove(r.Path))
}

// moveOntoItself: both names are one file. Either the file system takes them for
// the same name (a change of case alone), or a move by link was cut short.
func (t *Tree) moveOntoItself(r *Replacement) error {
	fi, err := t.Root.Lstat(r.From)
	if err != nil {
		return t.moveError(r, err)
	}
	d := t.Disk()
	if fsys.Links(fi) > 1 {
		err = d.Remove(r.From)
	} else {
		err = d.Rename(r.From, r.Path)
	}
	if err == nil {
		err = d.SyncFolderAt(path.Dir(r.Path))
	}
	if err == nil && path.Dir(r.From) != path.Dir(r.Path) {
		err = d.SyncFolderAt(path.Dir(r.From))
	}
	t.RemoveEmptyDirs(path.Dir(r.From))
	return t.moveError(r, err)
}
