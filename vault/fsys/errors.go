package fsys

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrNoExchange: the file system has no atomic exchange, or no rename that never
// overwrites.
var ErrNoExchange = errors.New("no atomic exchange here")

// ErrNotRegular: a pipe, a device or a link where a file of kist's own was expected.
var ErrNotRegular = errors.New("not a regular file")

// IsFull reports whether an error says that a disk has no room, or takes no writes.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota) || errors.Is(err, syscall.EROFS)
}

// BareError is an error without the path and the name of the system call, which
// would name a temporary file.
func BareError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
