/*
Package control opens kist's control files: settings, lock, token, log, the files of
the state database and of the index. Their names are known to everybody, and a vault
can come from anybody, so that a pipe, a device or a link may lie where one is expected:
opening a pipe waits for ever, and a link leads a write to a file of somebody's own.

[Open] and [OpenFile] open nothing but a regular file and never wait; [Read] reads one
to a limit. They follow no link at the end of the name. Settings may be links, as they are
where somebody keeps them all in one folder: [ReadLinked] follows any, for files of the
user's own, and [ReadWithin] those that stay in a folder, for files of a vault.

The package knows nothing of what stands in the files.
*/
package control

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotRegular: a pipe, a device, a folder or a link where a file was expected. It
// comes in an [*fs.PathError].
var ErrNotRegular = errors.New("not a regular file")

// Open opens a control file for reading. The caller closes it.
func Open(name string) (*os.File, error) { return OpenFile(name, os.O_RDONLY, 0) }

// OpenFile is [os.OpenFile] for control files: [ErrNotRegular] for all else that has the
// name. With O_TRUNC nothing else is cut short either.
func OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return opened(name, os.Lstat, func(name string) (*os.File, error) {
		return os.OpenFile(name, flag|nonblock|nofollow, perm)
	})
}

// Read returns at most limit bytes of a control file.
func Read(name string, limit int64) ([]byte, error) { return read(limit)(Open(name)) }

// ReadLinked is [Read] for a file that a link may lead to.
func ReadLinked(name string, limit int64) ([]byte, error) {
	return read(limit)(opened(name, os.Stat, func(name string) (*os.File, error) {
		return os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	}))
}

// ReadWithin is [Read] for the file name of the folder dir, which a link may lead to as
// long as it stays below dir.
func ReadWithin(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return read(limit)(opened(name, root.Stat, func(name string) (*os.File, error) {
		return root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	}))
}

// Regular reports why name can't be opened as a control file, without opening it: nil
// for a regular file, and otherwise what the system says, or [ErrNotRegular].
func Regular(name string) error {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(name)
	}
	return err
}

// opened looks before it opens, since opening a device may do anything, and once more
// at what was opened, since another file may have taken the name meanwhile.
func opened(name string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notRegular(name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func read(limit int64) func(*os.File, error) ([]byte, error) {
	return func(f *os.File, err error) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, limit))
	}
}

func notRegular(name string) error {
	return &fs.PathError{Op: "open", Path: filepath.Clean(name), Err: ErrNotRegular}
}
