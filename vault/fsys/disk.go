package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// A Disk is the one way in which the vault changes the file system: every call
// that a crash could fall before, or that a full or failing disk could refuse, is a
// method of it or of [File]. A test of the vault holds all other files to that.
// Paths are relative to Root, and no link is followed. What is made durable survives a loss of power.
//
// Each call first asks Fault by its name, so that a test can end the process
// between any two calls, or make any one of them fail. The names are: create, open,
// write, write half, truncate, chmod, chown, setxattr, fsync, close, open folder,
// fsync folder, rename, rename new, exchange, link, unlink, mkdir, rmdir and read
// displaced. An error for "write half" lets half of the bytes through, as a disk
// does that becomes full.
type Disk struct {
	Root  *Root
	Fault func(call string) error // nil: no faults
	Lost  func(err error)         // told of a failed fsync; may be nil
}

// Ask returns the error that a test wants of a call, in the shape of a real one. It is
// for calls that read and that a test must reach all the same.
func (d Disk) Ask(call, p string) error {
	if d.Fault == nil {
		return nil
	}
	if err := d.Fault(call); err != nil {
		return &fs.PathError{Op: call, Path: p, Err: err}
	}
	return nil
}

// do asks for faults and then makes the call.
func (d Disk) do(call, p string, make func() error) error {
	if err := d.Ask(call, p); err != nil {
		return err
	}
	return make()
}

// Create makes a new file, which must not exist. The umask applies to mode.
func (d Disk) Create(p string, mode fs.FileMode) (*File, error) {
	return d.openFile("create", p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
}

// openAppend opens a file for adding to it, and makes it if there is none.
func (d Disk) openAppend(p string) (*File, error) {
	return d.openFile("open", p, os.O_RDWR|os.O_CREATE|os.O_APPEND|openNonblock, 0o666)
}

func (d Disk) openFile(call, p string, flags int, mode fs.FileMode) (*File, error) {
	if err := d.Ask(call, p); err != nil {
		return nil, err
	}
	f, err := d.Root.openFile(p, flags, mode)
	if err != nil {
		return nil, err
	}
	return &File{f: f, d: d, path: p}, nil
}

// OpenFolder opens a folder for exchanging names in it and making that durable.
func (d Disk) OpenFolder(p string) (*os.File, error) {
	if err := d.Ask("open folder", p); err != nil {
		return nil, err
	}
	return d.Root.Open(p)
}

// SyncFolder makes the names in a folder durable.
func (d Disk) SyncFolder(dir *os.File) error {
	err := d.Ask("fsync folder", dir.Name())
	if err == nil && canSyncDir {
		err = dir.Sync()
	}
	return d.told(err)
}

func (d Disk) told(err error) error {
	if err != nil && d.Lost != nil {
		d.Lost(err)
	}
	return err
}

// Exchange swaps two names in the folder dir, atomically; ErrNoExchange where the
// file system can't.
func (d Disk) Exchange(dir *os.File, a, b string) error {
	return d.do("exchange", b, func() error { return exchange(dir, path.Base(a), path.Base(b)) })
}

// RenameNew renames from in fromDir to to in toDir, where nothing may be:
// fs.ErrExist otherwise. ErrNoExchange where the file system can't see to that.
func (d Disk) RenameNew(fromDir, toDir *os.File, from, to string) error {
	return d.do("rename new", to, func() error { return renameNew(fromDir, toDir, path.Base(from), path.Base(to)) })
}

// Rename gives a file the name to, whatever had it.
func (d Disk) Rename(from, to string) error {
	return d.do("rename", to, func() error { return d.Root.rename(from, to) })
}

// Link gives a file a second name, where nothing may be: fs.ErrExist otherwise.
func (d Disk) Link(from, to string) error {
	return d.do("link", to, func() error { return d.Root.link(from, to) })
}

// Remove removes a file.
func (d Disk) Remove(p string) error {
	return d.do("unlink", p, func() error { return d.Root.remove(p) })
}

// Mkdir makes a folder, which must not exist. The umask applies to mode.
func (d Disk) Mkdir(p string, mode fs.FileMode) error {
	return d.do("mkdir", p, func() error { return d.Root.mkdir(p, mode) })
}

// Rmdir removes an empty folder.
func (d Disk) Rmdir(p string) error {
	return d.do("rmdir", p, func() error { return d.Root.remove(p) })
}

// A File is a file that is being written.
type File struct {
	f    *os.File
	d    Disk
	path string
}

// Write writes text where the last write ended.
func (f *File) Write(text []byte) error {
	if err := f.d.Ask("write half", f.path); err != nil {
		_, werr := f.f.Write(text[:len(text)/2])
		return errors.Join(err, werr)
	}
	return f.d.do("write", f.path, func() error {
		_, err := f.f.Write(text)
		return err
	})
}

func (f *File) truncate(size int64) error {
	return f.d.do("truncate", f.path, func() error { return f.f.Truncate(size) })
}

func (f *File) chmod(mode fs.FileMode) error {
	return f.d.do("chmod", f.path, func() error { return f.f.Chmod(mode) })
}

// chown changes owner and group; -1 leaves one as it is.
func (f *File) chown(uid, gid int) error {
	return f.d.do("chown", f.path, func() error { return f.f.Chown(uid, gid) })
}

func (f *File) setAttr(name string, value []byte) error {
	return f.d.do("setxattr", f.path, func() error { return setAttr(f.f, name, value) })
}

func (f *File) removeAttr(name string) error {
	return f.d.do("setxattr", f.path, func() error { return removeAttr(f.f, name) })
}

func (f *File) sync() error {
	return f.d.told(f.d.do("fsync", f.path, f.f.Sync))
}

// Close closes the file even where a test makes it fail.
func (f *File) Close() error {
	return errors.Join(f.d.Ask("close", f.path), f.f.Close())
}

// CreateSynced makes a file with text and makes it, but not yet its name, durable.
// dress sets its mode and such before; it may be nil.
func (d Disk) CreateSynced(p string, text []byte, mode fs.FileMode, dress func(*File) error) error {
	f, err := d.Create(p, mode)
	if err != nil {
		return err
	}
	err = f.Write(text)
	if err == nil && dress != nil {
		err = dress(f)
	}
	if err == nil {
		err = f.sync()
	}
	return errors.Join(err, f.Close())
}

// ReplaceSynced makes text durable as the file p, at once: after a crash there is what was
// there before, or all of text. p+".part" is used up.
func (d Disk) ReplaceSynced(p string, text []byte, mode fs.FileMode) error {
	part := p + ".part"
	if err := d.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.CreateSynced(part, text, mode, nil); err != nil {
		return err
	}
	return d.Rename(part, p)
}

// MakeFolders creates p and its parents, each made durable in its own parent.
func (d Disk) MakeFolders(p string) error {
	if fi, err := d.Root.Lstat(p); err == nil && fi.IsDir() {
		return nil
	}
	parent := path.Dir(p)
	if err := d.MakeFolders(parent); err != nil {
		return err
	}
	if err := d.Mkdir(p, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncFolderAt(parent)
}

// SyncFolderAt makes the names in the folder p durable.
func (d Disk) SyncFolderAt(p string) error {
	dir, err := d.OpenFolder(p)
	if err != nil {
		return err
	}
	defer dir.Close()
	return d.SyncFolder(dir)
}
