package store

import (
	"errors"
	"fmt"
)

// The sentinels of this package.
var (
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("index is closed")
	// ErrInUse: another process has the store open.
	ErrInUse = errors.New("index is in use")
	// ErrDamaged: what is stored can't be used.
	ErrDamaged = errors.New("damaged index")
	// ErrVersion is an ErrDamaged: another version of kist made it.
	ErrVersion = fmt.Errorf("%w: it was made by another version of kist", ErrDamaged)
)
