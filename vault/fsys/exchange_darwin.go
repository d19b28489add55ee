package fsys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one folder, atomically. ErrNoExchange where the
// file system can't.
func exchange(dir *os.File, a, b string) error {
	return renamex(dir, dir, a, b, unix.RENAME_SWAP)
}

// renameNew renames a in one folder to b in another, which must not exist
// (fs.ErrExist otherwise).
func renameNew(from, to *os.File, a, b string) error {
	return renamex(from, to, a, b, unix.RENAME_EXCL)
}

func renamex(from, to *os.File, a, b string, flags uint32) error {
	err := unix.RenameatxNp(int(from.Fd()), a, int(to.Fd()), b, flags)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return ErrNoExchange
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return nil
}
