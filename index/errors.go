package index

import (
	"errors"
	"fmt"
)

// The sentinels of this package.
var (
	// ErrQuery: a query that can't be carried out, such as one that is too long.
	ErrQuery = errors.New("invalid query")
	// ErrClosed: the index was closed.
	ErrClosed = errors.New("index is closed")
	// ErrRunning: a second Run on an index that is already followed.
	ErrRunning = errors.New("index is already running")
	// ErrInUse: another process has the index open.
	ErrInUse = errors.New("index is in use")
	// ErrDamaged: the stored index can't be used. On opening it is set aside and
	// built anew; a search that meets the damage later returns this error, and
	// Rebuild repairs it.
	ErrDamaged = errors.New("damaged index")

	errVersion = fmt.Errorf("%w: it was made by another version of kist", ErrDamaged)
)
