package store

import (
	"fmt"
	"runtime/debug"
)

// GuardSearch makes an error of what a search panics with, until the function that
// it returns is called.
func GuardSearch(err *error) (end func()) {
	// A damaged index file shows as a panic or, being mapped, as a memory fault.
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			*err = fmt.Errorf("search: %w: %v; rebuild it", ErrDamaged, p)
		}
	}
}

// GuardDamage turns a panic, which is how a damaged index file shows, into ErrDamaged.
func GuardDamage(fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return fn()
}

// A Error says that the index, not a file of the vault, is the trouble.
type Error struct{ Err error }

func (e Error) Error() string { return e.Err.Error() }

func (e Error) Unwrap() error { return e.Err }
