package rpc

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"

	"connectrpc.com/connect"

	"kist/agent/endpoint"
	"kist/agent/keyring"
	"kist/agent/model"
	"kist/agent/models"
	"kist/agent/policy"
	"kist/daemon/sync"
	"kist/daemon/sync/git"
	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/markdown"
	"kist/vault/merge"
	"kist/vault/state"
	vaulttask "kist/vault/task"
	"kist/vault/taskline"
	"kist/vault/watch"
)

// errPanic stands for a panic in a handler.
var errPanic = errors.New("internal error")

// A rule says what an error of the domain is on the wire.
type rule struct {
	is   error
	code connect.Code
	hint string
}

// rules is the only map from errors to codes. The first match counts, so what is
// more exact comes first. Hints never hold a command that destroys something:
// whoever reads them, a model perhaps, may run it.
func rules() []rule {
	return []rule{
		{vault.ErrNotFound, connect.CodeNotFound, "list what there is; a name must be given exactly"},
		{vault.ErrExists, connect.CodeAlreadyExists, "choose another name, or change the one that is there"},
		{vault.ErrDigest, connect.CodeAborted, "look at the operation again and approve what it says now"},
		{vault.ErrConflict, connect.CodeAborted, "read the file as it is now and make the change again"},
		{vault.ErrAmbiguous, connect.CodeInvalidArgument, "use the id or the full path"},
		{vault.ErrInvalidPath, connect.CodeInvalidArgument, "give a path inside the vault, from its root, such as notes/idea.md"},
		{vault.ErrFrontMatter, connect.CodeFailedPrecondition, "correct the front matter in an editor; until then nothing writes into the file"},
		{vault.ErrInvalid, connect.CodeInvalidArgument, "correct the request and send it again"},
		{vaulttask.ErrQuery, connect.CodeInvalidArgument, "correct the request and send it again"},
		{taskline.ErrValue, connect.CodeInvalidArgument, "correct the request and send it again"},
		{taskline.ErrRule, connect.CodeInvalidArgument, "write the rule as \"every week\", \"every month on the 1st\" or \"every 3 days when done\", or take it out"},
		{vault.ErrStatus, connect.CodeFailedPrecondition, "look at the operation's status; it may have been decided already"},
		{vault.ErrNoChange, connect.CodeFailedPrecondition, "nothing was written; show the document to see what it says now"},
		{vault.ErrNotKept, connect.CodeFailedPrecondition, "the text before it is in no log; look for it in a backup"},
		{vault.ErrTooLarge, connect.CodeFailedPrecondition, "open the file in an editor, or split it"},
		{vault.ErrNotText, connect.CodeFailedPrecondition, "save the file as UTF-8"},
		{vault.ErrNotRegular, connect.CodeFailedPrecondition, "use a regular file; links, folders and devices are left alone"},
		{vault.ErrNotDownloaded, connect.CodeFailedPrecondition, "have the file kept on this machine; nothing downloads it by itself"},
		{vault.ErrProtected, connect.CodeFailedPrecondition, "write-protected files stay as they are; make it writable first if it may be changed"},
		{vault.ErrReadOnly, connect.CodeFailedPrecondition, "the status says why; reading and searching still work"},
		{vault.ErrBusy, connect.CodeUnavailable, "finish it or break it off, then try again; reading and searching work meanwhile"},
		{markdown.ErrFrontMatter, connect.CodeFailedPrecondition, "correct the front matter in an editor; until then nothing writes into the file"},
		{markdown.ErrUnsupported, connect.CodeFailedPrecondition, "make this change in an editor"},
		{markdown.ErrValue, connect.CodeInvalidArgument, "give plain text on one line; what a property is to hold is read as YAML, so put it in quotes where it has special characters"},
		{markdown.ErrNoProperty, connect.CodeNotFound, "show the document to see its properties"},
		{markdown.ErrNoSection, connect.CodeNotFound, "show the document to see its headings"},
		{markdown.ErrAmbiguous, connect.CodeInvalidArgument, "give the heading's full path, or its number as in Plan#2"},
		{markdown.ErrNotItem, connect.CodeNotFound, "show the document to see on which lines its items are"},
		{merge.ErrConflict, connect.CodeAborted, "read the file as it is now and make the change again"},
		{merge.ErrMismatch, connect.CodeAborted, "read the file as it is now and make the change again"},
		{merge.ErrPatch, connect.CodeInternal, "this is a fault in kist; the daemon's log has the details"},
		{policy.ErrChanged, connect.CodeAborted, "look at the policy again; what was shown isn't what it asks now"},
		{policy.ErrNotKept, connect.CodeFailedPrecondition, "the folder for state (XDG_STATE_HOME, else ~/.local/state) must be writable and in no vault"},
		{model.ErrPrivate, connect.CodeFailedPrecondition, "ask elsewhere, or use a model on this machine"},
		{model.ErrPrice, connect.CodeFailedPrecondition, "add its price to the settings of this machine, under models.prices"},
		{model.ErrLimit, connect.CodeResourceExhausted, "raise the limit in the settings, or wait until the day or the month is over"},
		{model.ErrTooLong, connect.CodeFailedPrecondition, "say it in fewer words, or use a model with a larger window"},
		{models.ErrName, connect.CodeInvalidArgument, "list the models to see how they are named"},
		{keyring.ErrUnavailable, connect.CodeFailedPrecondition, "unlock the keyring, or give the key in the environment or the settings of this machine"},
		{keyring.ErrNotFound, connect.CodeNotFound, "put the key into the keyring, or give it in the environment or the settings of this machine"},
		{keyring.ErrKey, connect.CodeInvalidArgument, "copy the key from its server anew"},
		{models.ErrServer, connect.CodeFailedPrecondition, "name the server in the settings of this machine, or in the environment of the daemon"},
		{models.ErrSettings, connect.CodeFailedPrecondition, "the settings of this machine are a file that can be edited; showing the models names it"},
		{index.ErrQuery, connect.CodeInvalidArgument, "make the query shorter or simpler; the help of search explains what it may hold"},
		{index.ErrRunning, connect.CodeFailedPrecondition, "the index is being followed already"},
		{index.ErrInUse, connect.CodeFailedPrecondition, "another process has the index open; try again when it has ended"},
		{index.ErrDamaged, connect.CodeDataLoss, "rebuild the index; it is made from the files, which are as they were"},
		{index.ErrClosed, connect.CodeUnavailable, "try again; the daemon is stopping"},
		{watch.ErrStopped, connect.CodeUnavailable, "the status says why changes of files are not noticed at present"},
		{watch.ErrNoBarrier, connect.CodeUnavailable, "the status says why changes of files are not noticed at present"},
		{state.ErrLocked, connect.CodeFailedPrecondition, "another process has this vault open; try again when it has ended"},
		{state.ErrDamaged, connect.CodeUnavailable, "start the daemon again; what it remembers is worked out anew from the files"},
		{state.ErrGivenUp, connect.CodeUnavailable, "make room on the disk and start the daemon again"},
		{state.ErrInvalid, connect.CodeInvalidArgument, "correct the request and send it again"},
		{state.ErrClosed, connect.CodeUnavailable, "try again; the daemon is stopping"},
		{sync.ErrNotSetUp, connect.CodeFailedPrecondition, "set up a remote first: the address of an empty repository of your own, or of a vault on another machine"},
		{sync.ErrSetUp, connect.CodeFailedPrecondition, "one remote at a time is synced with; the status names it"},
		{sync.ErrBusy, connect.CodeFailedPrecondition, "finish it or break it off; sync goes on by itself then"},
		{sync.ErrDetached, connect.CodeFailedPrecondition, "check out the branch that is synced; sync goes on by itself then"},
		{sync.ErrHeld, connect.CodeFailedPrecondition, "commit or unstage the file, or move it away; sync goes on by itself then"},
		{sync.ErrRewritten, connect.CodeFailedPrecondition, "nothing here was changed; find out who rewrote the history, or ask for a sync that merges both"},
		{sync.ErrUnrelated, connect.CodeFailedPrecondition, "the address may be that of another vault; look what it holds"},
		{sync.ErrVanished, connect.CodeFailedPrecondition, "bring the documents back; rebuilding the index confirms that they're meant to be gone"},
		{sync.ErrKeptApart, connect.CodeFailedPrecondition, "the folder for state (XDG_STATE_HOME, else ~/.local/state) must be writable and in no vault"},
		{sync.ErrNoConflict, connect.CodeNotFound, "list the conflicts to see what there is"},
		{git.ErrNoGit, connect.CodeFailedPrecondition, "install git, version 2.30 or newer"},
		{git.ErrNoRepository, connect.CodeFailedPrecondition, "set up a remote first; that makes a repository of the vault's folder"},
		{git.ErrUnsupported, connect.CodeFailedPrecondition, "sync the vault from an ordinary clone"},
		{git.ErrUnsafe, connect.CodeInvalidArgument, "give an https, ssh or file address, or the absolute path of a folder"},
		{git.ErrCredentials, connect.CodePermissionDenied, "it must be reachable without a question: by an ssh key in the agent, or a credential helper in your own settings"},
		{git.ErrUnreachable, connect.CodeUnavailable, "see whether the network is there; sync tries again by itself"},
		{git.ErrGone, connect.CodeNotFound, "see whether the address is right and the disk is there; an empty repository has to be made first"},
		{git.ErrBehind, connect.CodeAborted, "another machine was faster several times; try again"},
		{git.ErrRefusedByRemote, connect.CodePermissionDenied, "see whether you may write there"},
		{git.ErrHook, connect.CodeFailedPrecondition, "do what the hook asks for, or have it let pass what kist commits: it has KIST_SYNC=1 in its environment"},
		{git.ErrDamaged, connect.CodeDataLoss, "what the remote has is damaged or made to do harm; nothing of it was taken"},
		{git.ErrMovedOn, connect.CodeAborted, "try again; it was used at the same moment"},
		{git.ErrLocked, connect.CodeUnavailable, "wait until the other one has ended; where none runs, index.lock was left behind by one that was killed"},
		{git.ErrTime, connect.CodeDeadlineExceeded, "try again, or see what takes so long"},
		{git.ErrTooMuch, connect.CodeResourceExhausted, "the repository is larger than sync can read"},
		{page.ErrToken, connect.CodeInvalidArgument, "begin with the first page again, and change nothing but the token from page to page"},
		{vault.ErrResync, connect.CodeAborted, "list the operations and watch again"},
		{vault.ErrMoved, connect.CodeUnavailable, "try again; the daemon of the folder that was moved away is stopping"},
		{vault.ErrClosed, connect.CodeUnavailable, "try again; the daemon is stopping"},
		{errStreams, connect.CodeResourceExhausted, "close streams that are no longer read, or wait for some to end"},
		{errStopping, connect.CodeUnavailable, "try again; the daemon is stopping"},
		{errPanic, connect.CodeInternal, "this is a fault in kist; the daemon's log has the details"},
		{context.Canceled, connect.CodeCanceled, ""},
		{context.DeadlineExceeded, connect.CodeDeadlineExceeded, "try again, or allow more time"},
		{syscall.ENOSPC, connect.CodeResourceExhausted, "the disk is full; make room and try again"},
		{fs.ErrPermission, connect.CodePermissionDenied, "check who may read and write the file and its folder"},
		{fs.ErrNotExist, connect.CodeNotFound, "list what there is; a name must be given exactly"},
	}
}

// find returns the code and hint of an error of the domain.
func find(err error) (connect.Code, string) {
	for _, r := range rules() {
		if errors.Is(err, r.is) {
			return r.code, r.hint
		}
	}
	return connect.CodeInternal, "the daemon's log may say more"
}

// toConnect turns any error into one for the wire, with an ErrorInfo.
func toConnect(err error) *connect.Error {
	info := &kistv1.ErrorInfo{}
	var known *connect.Error
	if errors.As(err, &known) {
		if known.Code() == connect.CodeInvalidArgument {
			info.Hint = "correct the request and send it again"
		}
	} else {
		code, hint := find(err)
		known, info.Hint = connect.NewError(code, plain{err}), hint
	}
	if hasInfo(known) {
		return known
	}
	var conflict *vault.ConflictError
	if errors.As(err, &conflict) {
		info.Paths = []string{text(conflict.Path)}
		info.Conflict = &kistv1.Conflict{
			Path:   text(conflict.Path),
			Reason: text(conflict.Reason),
			Now:    conflictText(conflict.Now),
			Wanted: conflictText(conflict.Wanted),
		}
		if conflict.Now != nil && conflict.Wanted != nil {
			patch := []byte(merge.Diff(conflict.Path, conflict.Now, conflict.Wanted))
			info.Conflict.Patch = *conflictText(patch)
		}
	}
	if detail, err := connect.NewErrorDetail(info); err == nil {
		known.AddDetail(detail)
	}
	return known
}

// maxConflictText is how much of a text goes along with an error.
const maxConflictText = 64 << 10

// conflictText returns a text, or the beginning of a long one; nil for no file.
func conflictText(b []byte) *string {
	if b == nil {
		return nil
	}
	s := text(string(b))
	if len(s) > maxConflictText {
		end := maxConflictText
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	return &s
}

func hasInfo(err *connect.Error) bool {
	for _, d := range err.Details() {
		if d.Type() == string((*kistv1.ErrorInfo)(nil).ProtoReflect().Descriptor().FullName()) {
			return true
		}
	}
	return false
}

// plain is an error whose text is valid UTF-8: a message that isn't would be
// dropped on its way, and file names can be anything.
type plain struct{ err error }

func (p plain) Error() string { return strings.ToValidUTF8(p.err.Error(), "\uFFFD") }
func (p plain) Unwrap() error { return p.err }

// turnError describes an error that ended a turn.
func turnError(err error) *kistv1.TurnError {
	code, hint := find(err)
	var known *connect.Error
	if errors.As(err, &known) {
		code = known.Code()
	}
	if e, ok := errors.AsType[*endpoint.Error](err); ok && !errors.Is(err, model.ErrTooLong) {
		code, hint = connect.CodeUnavailable, e.Hint()
	}
	return &kistv1.TurnError{Code: code.String(), Message: text(err.Error()), Hint: hint}
}
