package disk

import (
	"errors"
	"fmt"
	"strings"
)

// Errors about files. Those of this package wrap one of them where the caller could act
// on the difference.
var (
	// ErrNotFound: no file, entity or operation of that name.
	ErrNotFound = errors.New("not found")
	// ErrExists: something is there already and would be overwritten.
	ErrExists = errors.New("already exists")
	// ErrConflict: the file is not what the change was made for. See [ConflictError].
	ErrConflict = errors.New("conflict")
	// ErrInvalidPath: a path that leaves the vault, or that kist doesn't write to.
	ErrInvalidPath = errors.New("invalid path")
	// ErrTooLarge: a file over the limit for what was asked.
	ErrTooLarge = errors.New("too large")
	// ErrNotRegular: a folder, link, device, pipe or socket where a file is needed.
	ErrNotRegular = errors.New("not a regular file")
	// ErrNotDownloaded: a cloud service keeps the file elsewhere. It is neither read,
	// which would download it, nor written.
	ErrNotDownloaded = errors.New("not downloaded")
	// ErrProtected: a file that its mode lets nobody write to. It is not edited or
	// deleted either, though replacing it as a whole would be possible.
	ErrProtected = errors.New("write-protected")
)

// A ConflictError says that a change could not be merged with what the file
// holds now. It wraps [ErrConflict]. Nothing was changed.
type ConflictError struct {
	Path   string
	Reason string
	Now    []byte // what the file holds; nil: it doesn't exist
	Wanted []byte // what it would have held; nil: it would not exist
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: %s", e.Path, e.Reason)
}

func (e *ConflictError) Unwrap() error { return ErrConflict }

// A NotFoundError names what was looked for and what comes near it. It wraps
// [ErrNotFound]. Nothing ever acts on a suggestion by itself.
type NotFoundError struct {
	Kind string // such as project
	Ref  string
	Near []string // closest names, best first
}

func (e *NotFoundError) Error() string {
	msg := fmt.Sprintf("no %s %q", e.Kind, e.Ref)
	if len(e.Near) > 0 {
		msg += fmt.Sprintf(" (did you mean %s?)", strings.Join(e.Near, " or "))
	}
	return msg
}

func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// OfTheFiles reports whether an error comes from what the files are, and not from a
// disk that may take the same write tomorrow.
func OfTheFiles(err error) bool {
	for _, e := range []error{ErrConflict, ErrExists, ErrNotFound, ErrNotRegular, ErrProtected, ErrInvalidPath} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// A cloud service may keep a file elsewhere and leave a placeholder, which says what
// the file is like. To read it would download it, or block where there is no network;
// to write beside a stub would make a second file of that name. So such a file is there,
// but neither read nor written, and never taken for deleted.

// NotDownloaded is the error about a file that only a placeholder stands for.
func NotDownloaded(p string) error { return fmt.Errorf("%w: %s", ErrNotDownloaded, p) }
