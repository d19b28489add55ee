package sync

import (
	"errors"
	"fmt"
)

// The sentinels of this package, beside those of [kist/daemon/sync/git].
var (
	// ErrNotSetUp: no remote was named on this machine.
	ErrNotSetUp = errors.New("sync is not set up")
	// ErrSetUp: a remote was named already, and it is another one.
	ErrSetUp = errors.New("sync is set up with another remote")
	// ErrBusy: the user is in the middle of a rebase, a merge or the like.
	ErrBusy = errors.New("git is in the middle of something")
	// ErrDetached: no branch is checked out, or another one than is synced.
	ErrDetached = errors.New("the branch that is synced is not checked out")
	// ErrHeld: a file that the remote changed is staged, ignored or left alone here.
	ErrHeld = errors.New("the remote changed a file that is not kist's to change here")
	// ErrRewritten: the remote no longer has what it had: somebody forced another history on it.
	ErrRewritten = errors.New("the remote's history was rewritten")
	// ErrBranchGone: the remote no longer has the branch that is synced, and has others: it was renamed there, or deleted.
	ErrBranchGone = errors.New("the remote no longer has the branch that is synced")
	// ErrUnrelated: the two histories have no commit in common.
	ErrUnrelated = errors.New("the remote has another history")
	// ErrVanished: too many documents are gone at once to be taken for deleted.
	ErrVanished = errors.New("many documents are gone at once")
	// ErrKeptApart: the folder for this machine's settings can't be used.
	ErrKeptApart = errors.New("the settings of sync can't be kept")
	// ErrLeaveOut: the file that says so can't be read.
	ErrLeaveOut = errors.New("nobody knows what is to be left out")
	// ErrNoConflict: that file is no conflict copy, or has no document beside it.
	ErrNoConflict = errors.New("not a conflict copy")
)

// detached says that no branch (empty) or another one is checked out than the one that is synced.
func detached(branch, local string) error {
	if branch == "" {
		return fmt.Errorf("%w: no branch is, while %s is synced", ErrDetached, local)
	}
	return fmt.Errorf("%w: %s is, while %s is synced; until then nothing is synced, and edits by hand are left to git and not logged", ErrDetached, branch, local)
}
