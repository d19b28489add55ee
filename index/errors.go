package index

import "errors"

// The sentinels of this package.
var (
	// ErrQuery: a query that can't be carried out, such as one that is too long.
	ErrQuery = errors.New("invalid query")
	// ErrClosed: the index was closed.
	ErrClosed = errors.New("index is closed")
	// ErrRunning: a second Run on an index that is already followed.
	ErrRunning = errors.New("index is already running")

	// errDamaged: the stored index can't be used and has to be set aside.
	errDamaged = errors.New("damaged index")
)
