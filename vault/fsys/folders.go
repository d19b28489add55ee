package fsys

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// A FolderError says in a sentence why the folder of kist's own records can't be used. It
// wraps [ErrNotRegular].
type FolderError struct{ What string }

func (e *FolderError) Error() string { return e.What }

// Unwrap returns ErrNotRegular.
func (e *FolderError) Unwrap() error { return ErrNotRegular }

// recordLevels is how deep folders of records are: operations/YYYY/MM.
const recordLevels = 2

// CheckFolders returns a [*FolderError] where a folder of kist's own records, one on the
// way to it, or one in it, is a link or no folder: what a link leads to may be somebody
// else's, or gone on the next machine, and a walk passes it over, so that a log would
// seem empty. What isn't there is in order.
func CheckFolders(root *Root, dirs ...string) error {
	for _, dir := range dirs {
		at := ""
		for name := range strings.SplitSeq(dir, "/") {
			at = path.Join(at, name)
			fi, err := root.Lstat(at)
			if err != nil {
				break
			}
			if !fi.IsDir() && fi.Mode()&fs.ModeSymlink == 0 {
				return &FolderError{at + " is not a folder: kist keeps records of its own there"}
			}
			if err := noLink(at, fi.Mode()); err != nil {
				return err
			}
		}
		if err := checkWithin(root, dir, recordLevels); err != nil {
			return err
		}
	}
	return nil
}

func checkWithin(root *Root, dir string, levels int) error {
	f, err := root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", dir, BareError(err))
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if err := noLink(p, e.Type()); err != nil {
			return err
		}
		if e.IsDir() && levels > 1 {
			if err := checkWithin(root, p, levels-1); err != nil {
				return err
			}
		}
	}
	return err
}

// noLink refuses links, but for those of other programs, such as an editor's locks.
func noLink(p string, mode fs.FileMode) error {
	if mode&fs.ModeSymlink == 0 || strings.HasPrefix(path.Base(p), ".") {
		return nil
	}
	return &FolderError{p + " is a link: kist keeps records of its own there, and only in folders of the vault itself"}
}
