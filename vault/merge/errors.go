package merge

import (
	"errors"
	"fmt"
)

// The sentinels of this package; every error returned wraps one of them.
var (
	// ErrConflict: both sides changed the same or neighbouring lines, or the
	// place that a patch changes can't be found for sure. See [ConflictError].
	ErrConflict = errors.New("conflict")
	// ErrPatch: the text is not a unified diff of one file.
	ErrPatch = errors.New("invalid patch")
	// ErrMismatch: the patch was not made from this text.
	ErrMismatch = errors.New("patch does not match the text")
)

// A ConflictError says where a merge gave up. It wraps [ErrConflict].
type ConflictError struct {
	Line   int // in the current text (ours, now), from 1
	Reason string
}

func (e *ConflictError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

func (e *ConflictError) Unwrap() error { return ErrConflict }
