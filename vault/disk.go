package vault

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// disk is the one way in which this package changes the file system: every call
// that a crash could fall before, or that a full or failing disk could refuse, is a
// method of it or of [diskFile]. A test holds all other files to that. Paths are
// relative to the vault's root.
//
// Each call first asks fault by its name, so that a test can end the process
// between any two calls, or make any one of them fail. The names are: create, open,
// write, write half, truncate, chmod, chown, setxattr, fsync, close, open folder,
// fsync folder, rename, rename new, exchange, link, unlink, mkdir, rmdir and read
// displaced. An error for "write half" lets half of the bytes through, as a disk
// does that becomes full.
type disk struct {
	root  *os.Root
	fault func(call string) error // nil: no faults
	lost  func(err error)         // told of a failed fsync; may be nil
}

func (v *Vault) disk() disk {
	return disk{root: v.root, fault: v.fault, lost: v.lostWrite}
}

// lostWrite is called after a failed fsync. The kernel may have dropped the pages
// while a second fsync reports success, so there is no retry: the vault becomes
// read-only until it is opened again.
func (v *Vault) lostWrite(err error) {
	v.setReadOnly("the disk did not take a write: " + errText(err) + "; check the disk, then start kist again")
}

// ask returns the error that a test wants of a call, in the shape of a real one.
func (d disk) ask(call, p string) error {
	if d.fault == nil {
		return nil
	}
	if err := d.fault(call); err != nil {
		return &fs.PathError{Op: call, Path: p, Err: err}
	}
	return nil
}

// do asks for faults and then makes the call.
func (d disk) do(call, p string, make func() error) error {
	if err := d.ask(call, p); err != nil {
		return err
	}
	return make()
}

// create makes a new file, which must not exist. The umask applies to mode.
func (d disk) create(p string, mode fs.FileMode) (*diskFile, error) {
	return d.openFile("create", p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
}

// openAppend opens a file for adding to it, and makes it if there is none.
func (d disk) openAppend(p string) (*diskFile, error) {
	return d.openFile("open", p, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
}

func (d disk) openFile(call, p string, flags int, mode fs.FileMode) (*diskFile, error) {
	if err := d.ask(call, p); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(p, flags, mode)
	if err != nil {
		return nil, err
	}
	return &diskFile{f: f, d: d, path: p}, nil
}

// openFolder opens a folder for exchanging names in it and making that durable.
func (d disk) openFolder(p string) (*os.File, error) {
	if err := d.ask("open folder", p); err != nil {
		return nil, err
	}
	return d.root.Open(p)
}

// syncFolder makes the names in a folder durable.
func (d disk) syncFolder(dir *os.File) error {
	err := d.ask("fsync folder", dir.Name())
	if err == nil && canSyncDir {
		err = dir.Sync()
	}
	return d.told(err)
}

func (d disk) told(err error) error {
	if err != nil && d.lost != nil {
		d.lost(err)
	}
	return err
}

// exchange swaps two names in the folder dir, atomically; errNoExchange where the
// file system can't.
func (d disk) exchange(dir *os.File, a, b string) error {
	return d.do("exchange", b, func() error { return exchange(dir, path.Base(a), path.Base(b)) })
}

// renameNew renames from in fromDir to to in toDir, where nothing may be:
// fs.ErrExist otherwise. errNoExchange where the file system can't see to that.
func (d disk) renameNew(fromDir, toDir *os.File, from, to string) error {
	return d.do("rename new", to, func() error { return renameNew(fromDir, toDir, path.Base(from), path.Base(to)) })
}

func (d disk) rename(from, to string) error {
	return d.do("rename", to, func() error { return d.root.Rename(from, to) })
}

func (d disk) link(from, to string) error {
	return d.do("link", to, func() error { return d.root.Link(from, to) })
}

func (d disk) remove(p string) error {
	return d.do("unlink", p, func() error { return d.root.Remove(p) })
}

func (d disk) mkdir(p string, mode fs.FileMode) error {
	return d.do("mkdir", p, func() error { return d.root.Mkdir(p, mode) })
}

func (d disk) rmdir(p string) error {
	return d.do("rmdir", p, func() error { return d.root.Remove(p) })
}

// A diskFile is a file that is being written.
type diskFile struct {
	f    *os.File
	d    disk
	path string
}

func (f *diskFile) write(text []byte) error {
	if err := f.d.ask("write half", f.path); err != nil {
		_, werr := f.f.Write(text[:len(text)/2])
		return errors.Join(err, werr)
	}
	return f.d.do("write", f.path, func() error {
		_, err := f.f.Write(text)
		return err
	})
}

func (f *diskFile) truncate(size int64) error {
	return f.d.do("truncate", f.path, func() error { return f.f.Truncate(size) })
}

func (f *diskFile) chmod(mode fs.FileMode) error {
	return f.d.do("chmod", f.path, func() error { return f.f.Chmod(mode) })
}

// chown changes owner and group; -1 leaves one as it is.
func (f *diskFile) chown(uid, gid int) error {
	return f.d.do("chown", f.path, func() error { return f.f.Chown(uid, gid) })
}

func (f *diskFile) setAttr(name string, value []byte) error {
	return f.d.do("setxattr", f.path, func() error { return setAttr(f.f, name, value) })
}

func (f *diskFile) removeAttr(name string) error {
	return f.d.do("setxattr", f.path, func() error { return removeAttr(f.f, name) })
}

func (f *diskFile) sync() error {
	return f.d.told(f.d.do("fsync", f.path, f.f.Sync))
}

// close closes the file even where a test makes it fail.
func (f *diskFile) close() error {
	return errors.Join(f.d.ask("close", f.path), f.f.Close())
}

// createSynced makes a file with text and makes it, but not yet its name, durable.
// dress sets its mode and such before; it may be nil.
func (d disk) createSynced(p string, text []byte, mode fs.FileMode, dress func(*diskFile) error) error {
	f, err := d.create(p, mode)
	if err != nil {
		return err
	}
	err = f.write(text)
	if err == nil && dress != nil {
		err = dress(f)
	}
	if err == nil {
		err = f.sync()
	}
	return errors.Join(err, f.close())
}

// makeFolders creates p and its parents, each made durable in its own parent.
func (d disk) makeFolders(p string) error {
	if fi, err := d.root.Stat(p); err == nil && fi.IsDir() {
		return nil
	}
	parent := path.Dir(p)
	if err := d.makeFolders(parent); err != nil {
		return err
	}
	if err := d.mkdir(p, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.syncFolderAt(parent)
}

func (d disk) syncFolderAt(p string) error {
	dir, err := d.openFolder(p)
	if err != nil {
		return err
	}
	defer dir.Close()
	return d.syncFolder(dir)
}
