package policy

import "errors"

var (
	// ErrChanged: what was to be trusted isn't what kist.yaml says now.
	ErrChanged = errors.New("kist.yaml says something else by now")
	// ErrNotKept: this machine has no place for the user's word, or it can't be written.
	ErrNotKept = errors.New("trust can't be kept on this machine")
)
