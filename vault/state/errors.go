package state

import "errors"

// The sentinels of this package; its errors wrap one of them where the caller
// could act on the difference.
var (
	// ErrLocked: another process, or another DB of this one, has the file open.
	ErrLocked = errors.New("state file is in use")
	// ErrDamaged: the file can't be read; it is set aside at the next [Open].
	ErrDamaged = errors.New("state file is damaged")
	// ErrGivenUp: the file couldn't be written, and what waited was let go.
	ErrGivenUp = errors.New("state file can't be written")
	// ErrInvalid: an argument that can't be kept, such as an empty path.
	ErrInvalid = errors.New("invalid argument")
	// ErrClosed: the DB was closed.
	ErrClosed = errors.New("state is closed")
)
