package vault

import (
	"errors"
	"fmt"
	"strings"
)

// The sentinels of this package. Errors returned by it wrap one of them where
// the caller could act on the difference.
var (
	// ErrNotFound: no file, entity or operation of that name.
	ErrNotFound = errors.New("not found")
	// ErrExists: something is there already and would be overwritten.
	ErrExists = errors.New("already exists")
	// ErrConflict: the file is not what the change was made for. See [ConflictError].
	ErrConflict = errors.New("conflict")
	// ErrInvalidPath: a path that leaves the vault, or that kist doesn't write to.
	ErrInvalidPath = errors.New("invalid path")
	// ErrInvalid: an argument that can't be carried out, such as an empty title.
	ErrInvalid = errors.New("invalid argument")
	// ErrDigest: an approval that names other bytes than the proposed ones.
	ErrDigest = errors.New("digest does not match")
	// ErrStatus: the operation's status doesn't allow that, such as undoing it twice.
	ErrStatus = errors.New("wrong status")
	// ErrNoChange: the files are what they would be afterwards already.
	ErrNoChange = errors.New("nothing to change")
	// ErrAmbiguous: more than one thing is meant by that reference.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrTooLarge: a file over the limit for what was asked.
	ErrTooLarge = errors.New("too large")
	// ErrNotText: a file that isn't UTF-8 text.
	ErrNotText = errors.New("not UTF-8 text")
	// ErrNotRegular: a folder, link, device, pipe or socket where a file is needed.
	ErrNotRegular = errors.New("not a regular file")
	// ErrNotDownloaded: a cloud service keeps the file elsewhere. It is neither read,
	// which would download it, nor written.
	ErrNotDownloaded = errors.New("not downloaded")
	// ErrProtected: a file that its mode lets nobody write to. It is not edited or
	// deleted either, though replacing it as a whole would be possible.
	ErrProtected = errors.New("write-protected")
	// ErrFrontMatter: front matter that doesn't parse; nothing writes into the file until it does.
	ErrFrontMatter = errors.New("invalid front matter")
	// ErrReadOnly: the vault can't be written at present. See [Vault.ReadOnly].
	ErrReadOnly = errors.New("vault is read-only")
	// ErrClosed: the vault was closed.
	ErrClosed = errors.New("vault is closed")
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
