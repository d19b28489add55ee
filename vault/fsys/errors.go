package fsys

import (
	"errors"
	"io/fs"
	"os"
)

// ErrNoExchange: the file system has no atomic exchange, or no rename that never
// overwrites.
var ErrNoExchange = errors.New("no atomic exchange here")

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
