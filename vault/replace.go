package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"kist/vault/merge"
)

// errNoExchange: the file system has no atomic exchange; see swapByLink.
var errNoExchange = errors.New("no atomic exchange here")

// errGaveBack: an editor saved between our check and the exchange; its text is
// in place again and the change has to be made anew on top of it.
var errGaveBack = errors.New("an editor saved at the same moment")

// A replacement is one file's way from before to after; nil means no file.
// When an editor saves in the middle, before and after become the editor's text
// and the merge of both.
type replacement struct {
	id     string // of the operation; part of the temporary file's name
	path   string
	before []byte
	after  []byte
}

// replaceTries bounds how often an editor that saves in a tight loop can make us
// start again.
const replaceTries = 8

// replace carries out r. remerge is called, before anything is written, each time
// r changed because of an editor. On an error the file holds what the user last
// saved.
func (v *Vault) replace(r *replacement, remerge func() error) error {
	for range replaceTries {
		err := v.replaceOnce(r)
		if !errors.Is(err, errGaveBack) {
			return err
		}
		now, err := v.readOrNil(r.path)
		if err != nil {
			return err
		}
		if err := v.rebase(r, now); err != nil {
			return err
		}
		if err := remerge(); err != nil {
			return err
		}
	}
	return &ConflictError{Path: r.path, Reason: "another program keeps saving this file", Wanted: r.after}
}

// rebase makes r start from what the file holds now.
func (v *Vault) rebase(r *replacement, now []byte) error {
	if HashOf(now) == HashOf(r.before) {
		return nil
	}
	conflict := func(why string) error {
		return &ConflictError{Path: r.path, Reason: why, Now: now, Wanted: r.after}
	}
	switch {
	case r.before == nil:
		return fmt.Errorf("%w: %s", ErrExists, r.path)
	case now == nil:
		return conflict("the file was removed meanwhile")
	case r.after == nil:
		return conflict("the file was edited meanwhile and will not be deleted")
	}
	merged, err := merge.Lines(r.before, now, r.after)
	if err != nil {
		return conflict("the same lines were edited meanwhile")
	}
	r.before, r.after = now, merged
	return nil
}

func (v *Vault) replaceOnce(r *replacement) error {
	if r.before == nil {
		if err := v.makeDirs(path.Dir(r.path)); err != nil {
			return err
		}
	}
	dir, err := v.root.Open(path.Dir(r.path))
	if err != nil {
		return v.pathError("folder", path.Dir(r.path), err)
	}
	defer dir.Close()
	switch {
	case r.before == nil:
		err = v.createFile(dir, r)
	case r.after == nil:
		err = v.removeFile(dir, r)
	default:
		err = v.swapFile(dir, r)
	}
	if err != nil {
		return err
	}
	return v.syncDir(dir)
}

// swapFile exchanges the target with a complete temporary file and then looks at
// what it displaced: whatever an editor saved up to the exchange is in our hands
// and nothing can be lost. (A check followed by a rename has a gap in between.)
func (v *Vault) swapFile(dir *os.File, r *replacement) error {
	fi, err := v.writable(r.path)
	if err != nil {
		return err
	}
	tmp, err := v.writeTemp(r, r.after, fi.Mode().Perm())
	if err != nil {
		return err
	}
	name := path.Base(r.path)
	if err := v.fault("exchange"); err != nil {
		return errors.Join(err, v.root.Remove(tmp))
	}
	err = exchange(dir, path.Base(tmp), name)
	if errors.Is(err, errNoExchange) {
		err = swapByLink(v.root, tmp, r.path)
	}
	if err != nil {
		v.root.Remove(tmp)
		return v.pathError("file", r.path, err)
	}
	if err := v.fault("displaced"); err != nil {
		return err
	}
	displaced, err := v.Read(tmp)
	if err == nil && bytes.Equal(displaced, r.before) {
		v.settleLater(tmp, r.path, r.before)
		return nil
	}
	return v.giveBack(dir, tmp, r)
}

// giveBack undoes an exchange that displaced something unexpected.
func (v *Vault) giveBack(dir *os.File, tmp string, r *replacement) error {
	if err := exchange(dir, path.Base(tmp), path.Base(r.path)); err != nil {
		return &ConflictError{Path: r.path, Reason: "another program saved at the same moment; its text is in " + tmp, Wanted: r.after}
	}
	text, err := v.Read(tmp)
	if err == nil && bytes.Equal(text, r.after) {
		v.settleLater(tmp, r.path, r.after)
		return errGaveBack
	}
	// A second save hit our text between the two exchanges. It is the newer one:
	// it keeps the name, and the first one becomes a conflict copy.
	if err := exchange(dir, path.Base(tmp), path.Base(r.path)); err != nil {
		return err
	}
	return errors.Join(errGaveBack, v.keepCopy(tmp, r.path))
}

// swapByLink is the fallback for file systems without an exchange: the old file
// gets a second name first, so that the rename destroys nothing that was there at
// that moment. An editor that renames its own file into place between the two
// calls is the one case it can't see.
func swapByLink(root *os.Root, tmp, target string) error {
	old := tmp + "2" + tempSuffix
	if err := root.Link(target, old); err != nil {
		return err
	}
	if err := root.Rename(tmp, target); err != nil {
		return err
	}
	return root.Rename(old, tmp)
}

func (v *Vault) createFile(dir *os.File, r *replacement) error {
	tmp, err := v.writeTemp(r, r.after, 0o666&^v.umask)
	if err != nil {
		return err
	}
	if err := v.fault("create"); err != nil {
		return errors.Join(err, v.root.Remove(tmp))
	}
	err = renameNew(dir, path.Base(tmp), path.Base(r.path))
	if errors.Is(err, errNoExchange) {
		if err = v.root.Link(tmp, r.path); err == nil {
			err = v.root.Remove(tmp)
		}
	}
	if err != nil {
		v.root.Remove(tmp)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: %s", ErrExists, r.path)
		}
		return v.pathError("file", r.path, err)
	}
	return nil
}

// removeFile moves the file aside, looks at what it moved, and only then lets go.
func (v *Vault) removeFile(dir *os.File, r *replacement) error {
	if _, err := v.writable(r.path); err != nil {
		return err
	}
	tmp := v.tempName(r, "swap")
	if err := v.fault("remove"); err != nil {
		return err
	}
	err := renameNew(dir, path.Base(r.path), path.Base(tmp))
	if errors.Is(err, errNoExchange) {
		err = v.root.Rename(r.path, tmp)
	}
	if err != nil {
		return v.pathError("file", r.path, err)
	}
	if err := v.fault("displaced"); err != nil {
		return err
	}
	text, err := v.Read(tmp)
	if err == nil && bytes.Equal(text, r.before) {
		v.settleLater(tmp, r.path, r.before)
		return nil
	}
	if err := renameNew(dir, path.Base(tmp), path.Base(r.path)); err != nil {
		return errors.Join(errGaveBack, v.keepCopy(tmp, r.path))
	}
	return errGaveBack
}

// writable refuses what can't be replaced without harm: links, devices, and files
// with a second name (which would silently part from each other).
func (v *Vault) writable(p string) (fs.FileInfo, error) {
	fi, err := v.root.Lstat(p)
	if err != nil {
		return nil, v.pathError("file", p, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s (kist reads through links but does not write through them)", ErrNotRegular, p)
	}
	if links(fi) > 1 {
		return nil, fmt.Errorf("%w: %s has more than one name (hard links)", ErrNotRegular, p)
	}
	return fi, nil
}

// tempName names a temporary file in the target's folder. A "part" may be
// incomplete; a "swap" holds a complete text: ours before the exchange, the
// displaced one after it.
func (v *Vault) tempName(r *replacement, phase string) string {
	n := v.temps.Add(1)
	return path.Join(path.Dir(r.path), fmt.Sprintf("%s%s-%d.%s%s", tempPrefix, r.id, n, phase, tempSuffix))
}

func (v *Vault) writeTemp(r *replacement, text []byte, mode fs.FileMode) (string, error) {
	part, swap := v.tempName(r, "part"), v.tempName(r, "swap")
	if err := v.writeSynced(part, text, mode); err != nil {
		v.root.Remove(part)
		return "", fmt.Errorf("write %s: %w", r.path, bareError(err))
	}
	if err := v.root.Rename(part, swap); err != nil {
		v.root.Remove(part)
		return "", fmt.Errorf("write %s: %w", r.path, bareError(err))
	}
	return swap, nil
}

func (v *Vault) writeSynced(p string, text []byte, mode fs.FileMode) error {
	if err := v.fault("temp"); err != nil {
		return err
	}
	f, err := v.root.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode) // the umask may have taken bits that the old file has
	}
	if err == nil {
		err = v.sync(f)
	}
	return errors.Join(err, f.Close())
}

// sync makes a file durable. After a failed fsync the kernel may have dropped the
// pages while a second fsync reports success, so there is no retry: the vault
// becomes read-only until it is opened again.
func (v *Vault) sync(f *os.File) error {
	err := v.fault("fsync")
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		v.setReadOnly("the disk did not take a write: " + errText(err))
	}
	return err
}

func (v *Vault) syncDir(dir *os.File) error {
	if err := v.fault("fsync folder"); err != nil {
		return err
	}
	if !canSyncDir {
		return nil
	}
	return v.sync(dir)
}

// makeDirs creates dir and its parents, each made durable in its own parent.
func (v *Vault) makeDirs(dir string) error {
	if fi, err := v.root.Stat(dir); err == nil && fi.IsDir() {
		return nil
	}
	parent := path.Dir(dir)
	if err := v.makeDirs(parent); err != nil {
		return err
	}
	if err := v.root.Mkdir(dir, 0o777&^v.umask); err != nil && !errors.Is(err, fs.ErrExist) {
		return v.pathError("folder", dir, err)
	}
	f, err := v.root.Open(parent)
	if err != nil {
		return v.pathError("folder", parent, err)
	}
	defer f.Close()
	return v.syncDir(f)
}

// readOrNil is Read with nil for a missing file.
func (v *Vault) readOrNil(p string) ([]byte, error) {
	text, err := v.Read(p)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return text, err
}
