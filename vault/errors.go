package vault

import (
	"errors"

	"kist/vault/disk"
	"kist/vault/oplog"
)

// The sentinels of this package. Errors returned by it wrap one of them where
// the caller could act on the difference.
var (
	// ErrNotFound: no file, entity or operation of that name.
	ErrNotFound = disk.ErrNotFound
	// ErrExists: something is there already and would be overwritten.
	ErrExists = disk.ErrExists
	// ErrConflict: the file is not what the change was made for. See [ConflictError].
	ErrConflict = disk.ErrConflict
	// ErrInvalidPath: a path that leaves the vault, or that kist doesn't write to.
	ErrInvalidPath = disk.ErrInvalidPath
	// ErrInvalid: an argument that can't be carried out, such as an empty title.
	ErrInvalid = oplog.ErrInvalid
	// ErrDigest: an approval that names other bytes than the proposed ones.
	ErrDigest = errors.New("digest does not match")
	// ErrStatus: the operation's status doesn't allow that, such as undoing it twice.
	ErrStatus = errors.New("wrong status")
	// ErrNoChange: the files are what they would be afterwards already.
	ErrNoChange = errors.New("nothing to change")
	// ErrAmbiguous: more than one thing is meant by that reference.
	ErrAmbiguous = oplog.ErrAmbiguous
	// ErrNotKept: of a change the log has only hashes.
	ErrNotKept = errors.New("the log has only hashes")
	// ErrTooLarge: a file over the limit for what was asked.
	ErrTooLarge = disk.ErrTooLarge
	// ErrNotText: a file that isn't UTF-8 text.
	ErrNotText = errors.New("not UTF-8 text")
	// ErrNotRegular: a folder, link, device, pipe or socket where a file is needed.
	ErrNotRegular = disk.ErrNotRegular
	// ErrNotDownloaded: a cloud service keeps the file elsewhere. It is neither read,
	// which would download it, nor written.
	ErrNotDownloaded = disk.ErrNotDownloaded
	// ErrProtected: a file that its mode lets nobody write to. It is not edited or
	// deleted either, though replacing it as a whole would be possible.
	ErrProtected = disk.ErrProtected
	// ErrFrontMatter: front matter that doesn't parse; nothing writes into the file until it does.
	ErrFrontMatter = errors.New("invalid front matter")
	// ErrReadOnly: the vault can't be written at present. See [Vault.ReadOnly].
	ErrReadOnly = errors.New("vault is read-only")
	// ErrBusy: the user's git is in the middle of a rebase, a merge or the like: nothing is written
	// until that is over.
	ErrBusy = errors.New("git is in the middle of something, so that nothing is written")
	// ErrMoved: another folder has the vault's path now.
	ErrMoved = errors.New("another folder is in the vault's place")
	// ErrResync ends a stream whose reader fell so far behind that news was lost: it
	// should list operations and watch anew.
	ErrResync = oplog.ErrResync
	// ErrClosed: the vault was closed.
	ErrClosed = errors.New("vault is closed")
)

// A ConflictError says that a change could not be merged with what the file
// holds now. It wraps [ErrConflict]. Nothing was changed.
type ConflictError = disk.ConflictError

// A NotFoundError names what was looked for and what comes near it. It wraps
// [ErrNotFound]. Nothing ever acts on a suggestion by itself.
type NotFoundError = disk.NotFoundError

// A HintedError says what to do about another error, which it wraps.
type HintedError struct {
	error
	Hint string
}

// Unwrap returns the error without its hint.
func (e *HintedError) Unwrap() error { return e.error }

// Hinted adds to an error what to do about it, in a sentence for a person.
func Hinted(err error, hint string) error { return &HintedError{err, hint} }
