package fsys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Errors of a [Root].
var (
	// ErrLink: a link stands where a folder, or the file itself, was expected.
	ErrLink = errors.New("a link is on the way")
	// ErrEscapes: a link leads out of the folder, or to nothing that can be named.
	ErrEscapes = errors.New("a link leads out of the folder")
)

// MaxWhole is how many bytes a file may have to be read whole. What is larger is read
// by its beginning, or as a stream: nobody's notes are that long, and a hundred such
// files mustn't be held at once.
const MaxWhole = 16 << 20

// A Root is an open folder below which no link is followed, for reading (a [Disk] writes), so that a file has one path
// and what is done by that path is done to that file, whatever becomes of the folders on
// the way meanwhile. [Root.Resolve] finds that path for one that goes through links.
// Paths are relative, cleaned, with forward slashes; "." is the folder itself. Methods
// may be called concurrently.
//
// An [os.Root] alone doesn't do: it follows links as long as they stay inside.
type Root struct {
	root   *os.Root
	folder *os.File // the same, for calls of the system; nil: it can't be used
}

// OpenRoot opens a folder, which may be reached through links itself.
func OpenRoot(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootOf(root), nil
}

func rootOf(root *os.Root) *Root {
	folder, _ := root.Open(".") // without it, all goes the long way
	return &Root{root: root, folder: folder}
}

// Name is the path that the folder was opened by.
func (r *Root) Name() string { return r.root.Name() }

// Close releases the folder.
func (r *Root) Close() error {
	if r.folder != nil {
		_ = r.folder.Close()
	}
	return r.root.Close()
}

// Sub opens a folder below as a Root of its own.
func (r *Root) Sub(dir string) (*Root, error) {
	sub, err := r.enter(dir)
	if err != nil {
		return nil, err
	}
	if sub == r.root {
		if sub, err = r.root.OpenRoot("."); err != nil {
			return nil, err
		}
	}
	return rootOf(sub), nil
}

// Lstat describes a file, a folder, or a link itself.
func (r *Root) Lstat(p string) (fs.FileInfo, error) {
	if fi, ok, err := r.lstatBelow(p); ok {
		return fi, err
	}
	var fi fs.FileInfo
	err := r.within(p, func(dir *os.Root, name string) (err error) {
		fi, err = dir.Lstat(name)
		return err
	})
	return fi, err
}

// A lease of a file, such as [HeldForWriting] takes for a moment, ends when somebody wants to write
// there. Who doesn't wait in the kernel for that, since it would also wait for a pipe's other end,
// asks again.
const (
	leaseAgain = time.Millisecond
	leaseMost  = 2 * time.Second // for the lease of another program
)

// openFile opens a file that no link leads to; flags and mode are those of [os.OpenFile].
func (r *Root) openFile(p string, flags int, mode fs.FileMode) (*os.File, error) {
	for began := time.Now(); ; time.Sleep(leaseAgain) {
		f, err := r.openNow(p, flags, mode)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Since(began) > leaseMost {
			return f, err
		}
	}
}

// openNow is openFile, but for what is leased to somebody.
func (r *Root) openNow(p string, flags int, mode fs.FileMode) (*os.File, error) {
	if f, ok, err := r.openBelow(p, flags, mode); ok {
		return f, err
	}
	var f *os.File
	err := r.within(p, func(dir *os.Root, name string) (err error) {
		if fi, err := dir.Lstat(name); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "open", Path: p, Err: ErrLink}
		}
		if f, err = dir.OpenFile(name, flags, mode); err != nil {
			return err
		}
		return same(dir, name, f)
	})
	if err != nil && f != nil {
		f.Close()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// same returns ErrLink unless f is what stands at the name itself.
func same(dir *os.Root, name string, f interface{ Stat() (fs.FileInfo, error) }) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if there, err := dir.Lstat(name); err != nil || !os.SameFile(there, opened) {
		return &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	}
	return nil
}

// Open opens a file or a folder for reading. It doesn't wait for the other end of a pipe.
func (r *Root) Open(p string) (*os.File, error) { return r.openFile(p, os.O_RDONLY|openNonblock, 0) }

// ReadDir lists a folder, in no order.
func (r *Root) ReadDir(p string) ([]fs.DirEntry, error) {
	f, err := r.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// FS is the folder for package fs.
func (r *Root) FS() fs.FS { return rootFS{r} }

type rootFS struct{ root *Root }

func (r rootFS) Open(name string) (fs.File, error) { return r.root.Open(name) }

// mkdir makes a folder, which must not exist.
func (r *Root) mkdir(p string, mode fs.FileMode) error {
	return r.within(p, func(dir *os.Root, name string) error { return dir.Mkdir(name, mode) })
}

// remove removes a file, a link itself, or an empty folder.
func (r *Root) remove(p string) error {
	if ok, err := r.removeBelow(p); ok {
		return err
	}
	return r.within(p, func(dir *os.Root, name string) error { return dir.Remove(name) })
}

// rename gives a file another name in the same folder, whatever had it.
func (r *Root) rename(from, to string) error {
	if ok, err := r.renameBelow(from, to); ok {
		return err
	}
	return r.twoNames("rename", from, to, (*os.Root).Rename)
}

// link gives a file a second name, where nothing may be.
func (r *Root) link(from, to string) error {
	return r.twoNames("link", from, to, (*os.Root).Link)
}

// twoNames makes a call that takes two names. Where their folders differ, it is made
// from the root, after both were seen to be reached through no link.
func (r *Root) twoNames(call, from, to string, do func(dir *os.Root, from, to string) error) error {
	if path.Dir(from) == path.Dir(to) {
		return r.within(from, func(dir *os.Root, name string) error { return do(dir, name, path.Base(to)) })
	}
	for _, p := range []string{from, to} {
		if err := r.within(p, func(*os.Root, string) error { return nil }); err != nil {
			return &os.LinkError{Op: call, Old: from, New: to, Err: err}
		}
	}
	return do(r.root, from, to)
}

// within calls do with the folder that p is in, open, and p's name there.
func (r *Root) within(p string, do func(dir *os.Root, name string) error) error {
	dir, err := r.enter(path.Dir(p))
	if err != nil {
		return err
	}
	if dir != r.root {
		defer dir.Close()
	}
	return do(dir, path.Base(p))
}

// enter opens the folder dir, one by one from the root; r.root itself for ".".
func (r *Root) enter(dir string) (*os.Root, error) {
	at := r.root
	if dir == "." {
		return at, nil
	}
	for name := range strings.SplitSeq(dir, "/") {
		next, err := enter(at, name)
		if at != r.root {
			at.Close()
		}
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func enter(at *os.Root, name string) (*os.Root, error) {
	fi, err := at.Lstat(name)
	if err != nil {
		return nil, err
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	}
	if !fi.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := same(at, name, rootStat{next}); err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

type rootStat struct{ root *os.Root }

func (r rootStat) Stat() (fs.FileInfo, error) { return r.root.Stat(".") }

// maxLinks is how many links are followed for one path, as on Linux.
const maxLinks = 40

// Resolve returns the path of what p names without links on the way, and without p
// itself being one if last is true. What isn't there is kept as it is: a file may be
// about to be made. It returns ErrEscapes for a link that is absolute, leads out, or
// goes round in circles, and what the file system says otherwise.
func (r *Root) Resolve(p string, last bool) (string, error) {
	fi, err := r.Lstat(p)
	switch {
	case err == nil && (!last || fi.Mode()&fs.ModeSymlink == 0), errors.Is(err, fs.ErrNotExist), IsNotDir(err):
		return p, nil
	case err != nil && !errors.Is(err, ErrLink):
		return "", err
	}
	escapes := func() (string, error) { return "", fmt.Errorf("%w: %s", ErrEscapes, p) }
	at, todo, links := ".", strings.Split(p, "/"), 0
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if name == ".." && at == "." {
			return escapes()
		}
		at = path.Join(at, name) // at has no link in it, so ".." is its parent
		if len(todo) == 0 && !last {
			break
		}
		fi, err := r.Lstat(at)
		if err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := r.readlink(at)
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks || filepath.IsAbs(target) || strings.HasPrefix(target, "/") {
			return escapes()
		}
		at, todo = path.Dir(at), append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	return at, nil
}

func (r *Root) readlink(p string) (target string, err error) {
	err = r.within(p, func(dir *os.Root, name string) (err error) {
		target, err = dir.Readlink(name)
		return err
	})
	return target, err
}
