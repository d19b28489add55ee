package vault

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one folder, atomically. errNoExchange where the
// file system can't.
func exchange(dir *os.File, a, b string) error {
	return renameat2(dir, a, b, unix.RENAME_EXCHANGE)
}

// renameNew renames a to b, which must not exist (fs.ErrExist otherwise).
func renameNew(dir *os.File, a, b string) error {
	return renameat2(dir, a, b, unix.RENAME_NOREPLACE)
}

func renameat2(dir *os.File, a, b string, flags uint) error {
	fd := int(dir.Fd())
	err := unix.Renameat2(fd, a, fd, b, flags)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errNoExchange
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return nil
}
