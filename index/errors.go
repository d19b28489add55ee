package index

import (
	"errors"

	"kist/index/query"
	"kist/index/store"
)

// The sentinels of this package.
var (
	// ErrQuery: a query that can't be carried out, such as one that is too long.
	ErrQuery = query.ErrQuery
	// ErrClosed: the index was closed.
	ErrClosed = store.ErrClosed
	// ErrRunning: a second Run on an index that is already followed.
	ErrRunning = errors.New("index is already running")
	// ErrInUse: another process has the index open.
	ErrInUse = store.ErrInUse
	// ErrDamaged: the stored index can't be used. On opening it is set aside and
	// built anew; a search that meets the damage later returns this error, and
	// Rebuild repairs it.
	ErrDamaged = store.ErrDamaged
)
