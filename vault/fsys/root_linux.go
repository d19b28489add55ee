package fsys

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openBelow opens a file in one call of the kernel, which sees to it that no link is
// on the way; false: this kernel can't, or isn't allowed to.
func (r *Root) openBelow(p string, flags int, mode fs.FileMode) (f *os.File, ok bool, err error) {
	if r.folder == nil {
		return nil, false, nil
	}
	conn, err := r.folder.SyscallConn()
	if err != nil {
		return nil, false, nil
	}
	how := &unix.OpenHow{
		Flags:   uint64(flags) | unix.O_CLOEXEC | unix.O_NOFOLLOW,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	if flags&os.O_CREATE != 0 {
		how.Mode = uint64(mode.Perm())
	}
	fd := -1
	// Control keeps the folder's descriptor from being closed meanwhile, and its number
	// from being another's.
	if ctl := conn.Control(func(dir uintptr) {
		for {
			if fd, err = unix.Openat2(int(dir), p, how); err != unix.EINTR {
				return
			}
		}
	}); ctl != nil {
		return nil, true, ctl
	}
	switch {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.E2BIG), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EAGAIN):
		return nil, false, nil
	case errors.Is(err, unix.ELOOP):
		err = ErrLink
	}
	if err != nil {
		return nil, true, &fs.PathError{Op: "open", Path: p, Err: err}
	}
	return os.NewFile(uintptr(fd), filepath.Join(r.root.Name(), p)), true, nil
}

// lstatBelow is openBelow for Lstat.
func (r *Root) lstatBelow(p string) (fs.FileInfo, bool, error) {
	f, ok, err := r.openBelow(p, unix.O_PATH, 0)
	if !ok || err != nil {
		return nil, ok, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, true, err
	}
	return fi, true, nil
}

// removeBelow is openBelow for remove: what is no folder, and else an empty one.
func (r *Root) removeBelow(p string) (bool, error) {
	return r.inFolder(p, func(dir int, name string) error {
		err := unix.Unlinkat(dir, name, 0)
		if errors.Is(err, unix.EISDIR) || errors.Is(err, unix.EPERM) {
			if rmdir := unix.Unlinkat(dir, name, unix.AT_REMOVEDIR); !errors.Is(rmdir, unix.ENOTDIR) {
				err = rmdir
			}
		}
		if err != nil {
			return &fs.PathError{Op: "unlinkat", Path: p, Err: err}
		}
		return nil
	})
}

// renameBelow is openBelow for a rename within a folder.
func (r *Root) renameBelow(from, to string) (bool, error) {
	if path.Dir(from) != path.Dir(to) {
		return false, nil
	}
	return r.inFolder(from, func(dir int, name string) error {
		if err := unix.Renameat(dir, name, dir, path.Base(to)); err != nil {
			return &os.LinkError{Op: "renameat", Old: from, New: to, Err: err}
		}
		return nil
	})
}

// inFolder calls do with the folder that p is in and p's name there; false: it can't be
// opened in one call.
func (r *Root) inFolder(p string, do func(dir int, name string) error) (bool, error) {
	f, ok, err := r.openBelow(path.Dir(p), unix.O_PATH|unix.O_DIRECTORY, 0)
	if !ok || err != nil {
		return false, nil // the long way says why
	}
	defer f.Close()
	return true, do(int(f.Fd()), path.Base(p))
}
