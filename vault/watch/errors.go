package watch

import "errors"

// Errors of [Watcher.Barrier].
var (
	// ErrNoBarrier means that no file can be made to wait for: Options.Cookies is
	// empty or the folder can't be written, and then the cause is wrapped as well.
	ErrNoBarrier = errors.New("the watcher has no folder for cookies")

	// ErrStopped means that the Watcher doesn't run, or that its folder is away.
	ErrStopped = errors.New("the watcher is stopped")
)
