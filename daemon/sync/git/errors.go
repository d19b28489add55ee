package git

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// The sentinels of this package. An [Error] wraps one where the reason is known.
var (
	// ErrNoGit: there is no git, or none that is new enough.
	ErrNoGit = errors.New("no git 2.30 or newer was found")
	// ErrNoRepository: the folder is in no repository.
	ErrNoRepository = errors.New("the folder is in no git repository")
	// ErrUnsupported: a kind of repository that is left alone.
	ErrUnsupported = errors.New("this kind of repository is left alone")
	// ErrUnsafe: something that names a program, or an option, where a name should be.
	ErrUnsafe = errors.New("refused as unsafe")
	// ErrCredentials: the remote wants other credentials, and nobody is asked for them.
	ErrCredentials = errors.New("the remote refused the credentials")
	// ErrUnreachable: the remote did not answer.
	ErrUnreachable = errors.New("the remote can't be reached")
	// ErrGone: where the remote should be there is no repository.
	ErrGone = errors.New("there is no repository at the remote's address")
	// ErrBehind: the remote has commits that were not fetched yet.
	ErrBehind = errors.New("the remote has newer commits")
	// ErrRefusedByRemote: the remote doesn't take the push: read-only, or a rule of its own.
	ErrRefusedByRemote = errors.New("the remote does not take changes")
	// ErrHook: a hook of the user's own refused a commit or a push, or did not end.
	ErrHook = errors.New("your git hook refused")
	// ErrDamaged: what came from the remote isn't sound and was not taken.
	ErrDamaged = errors.New("what the remote sent is not sound")
	// ErrMovedOn: the branch or the index changed while it was to be moved.
	ErrMovedOn = errors.New("the repository changed meanwhile")
	// ErrLocked: another git holds the index.
	ErrLocked = errors.New("another git is at work in the repository")
	// ErrTime: git took longer than it may.
	ErrTime = errors.New("git took too long")
	// ErrTooMuch: git said more than is read.
	ErrTooMuch = errors.New("git's answer is too large")
)

// An Error is what a git command that failed said, without secrets.
type Error struct {
	Verb   string // such as fetch
	Status int    // of its end; -1: it was ended, or never began
	Text   string // the last line that says why; may be empty
	Kind   error  // one of the sentinels, syscall.ENOSPC, or nil
}

// Error says in a line what failed.
func (e *Error) Error() string {
	var parts []string
	if e.Kind != nil {
		parts = append(parts, e.Kind.Error())
	}
	if e.Text != "" {
		parts = append(parts, e.Text)
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("it ended with status %d", e.Status))
	}
	return "git " + e.Verb + ": " + strings.Join(parts, ": ")
}

// Unwrap returns the sentinel that the error is of.
func (e *Error) Unwrap() error { return e.Kind }

// A sign is what git or ssh says, in small letters, and what that means.
type sign struct {
	words string
	kind  error
}

// signs are the words by which git and ssh, in English, say why a remote failed. The first
// that is there counts.
func signs() []sign {
	return []sign{
		{"no space left on device", syscall.ENOSPC},
		{"disk quota exceeded", syscall.ENOSPC},
		{"file too large", syscall.ENOSPC},
		{"authentication failed", ErrCredentials},
		{"could not read username", ErrCredentials},
		{"could not read password", ErrCredentials},
		{"terminal prompts disabled", ErrCredentials},
		{"permission denied (", ErrCredentials},
		{"host key verification failed", ErrCredentials},
		{"returned error: 401", ErrCredentials},
		{"returned error: 403", ErrRefusedByRemote},
		{"permission to ", ErrRefusedByRemote}, // "... denied to deploy key"
		{"not allowed to push", ErrRefusedByRemote},
		{"could not resolve", ErrUnreachable},
		{"connection refused", ErrUnreachable},
		{"connection timed out", ErrUnreachable},
		{"operation timed out", ErrUnreachable},
		{"network is unreachable", ErrUnreachable},
		{"no route to host", ErrUnreachable},
		{"couldn't connect to server", ErrUnreachable},
		{"failed to connect", ErrUnreachable},
		{"unable to connect", ErrUnreachable},
		{"connection closed by", ErrUnreachable},
		{"connection reset by", ErrUnreachable},
		{"unable to access", ErrUnreachable},
		{"transport '", ErrUnsafe},
		{"from promisor remote", ErrUnreachable},
		{"fsck error", ErrDamaged},
		{"object of unexpected type", ErrDamaged},
		{"not a git repository", ErrGone},
		{"does not appear to be a git repository", ErrGone},
		{"repository not found", ErrGone},
		{"/' not found", ErrGone},
		{"command not found", ErrGone},    // there is no git
		{"git-http-push failed", ErrGone}, // what answered was the page of a web site
		{"info/refs not valid", ErrGone},
		{"does not exist", ErrGone},
		{"early eof", ErrUnreachable},
		{"remote end hung up", ErrUnreachable},
		{"index-pack failed", ErrDamaged},
		{"unpack-objects failed", ErrDamaged},
		{"index.lock", ErrLocked},
		{"cannot lock ref", ErrMovedOn},
	}
}

// kindOf returns the sentinel of what git said; nil: none.
func kindOf(said string) error {
	said = strings.ToLower(said)
	for _, s := range signs() {
		if strings.Contains(said, s.words) {
			return s.kind
		}
	}
	return nil
}
