/*
Package fault says what errors are on the wire: a code, a reason that stays the same from
version to version, a hint for people, and what else a caller can use. [Rules] is the only
table of it; docs/errors.md has it for readers.

	return fault.Connect(err)

Messages are made here from errors of the domain, and nothing else is.
*/
package fault

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
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
	"kist/rpc/tokens"
	"kist/rpc/turns"
	"kist/rpc/validate"
	"kist/vault"
	"kist/vault/imports/export"
	"kist/vault/markdown"
	"kist/vault/merge"
	"kist/vault/order"
	"kist/vault/state"
	vaulttask "kist/vault/task"
	"kist/vault/taskline"
	"kist/vault/watch"
)

// Errors of serving itself.
var (
	ErrPanic      = errors.New("internal error") // in a handler
	ErrStopping   = errors.New("the daemon is stopping")
	ErrStreams    = errors.New("too many streams are open")
	ErrLarge      = errors.New("it is too large for one answer")
	ErrRequestID  = errors.New("another request had this request_id")
	ErrNoTurn     = errors.New("not found")
	ErrRequest    = errors.New("the request breaks the rules of its fields")
	ErrHost       = errors.New("this host name is not served")
	ErrOrigin     = errors.New("requests from this origin are not allowed")
	ErrToken      = errors.New("the token is missing or wrong")
	ErrOwnWord    = errors.New("this is answered on the socket only")
	ErrReadToken  = errors.New("this token only reads")
	ErrNamedToken = errors.New("tokens are managed with the vault's own token only")
	ErrUnknown    = errors.New("the daemon doesn't know this call")
)

// A Rule says what an error of the domain is on the wire.
type Rule struct {
	Is     error
	Code   connect.Code
	Reason string // in upper case; it never changes its meaning
	Hint   string
}

// rules is the only map from errors to codes. The first match counts, so what is
// more exact comes first. Hints never hold a command that destroys something:
// whoever reads them, a model perhaps, may run it.
var rules = []Rule{
	{vault.ErrNotFound, connect.CodeNotFound, "NOT_FOUND", "list what there is; a name must be given exactly"},
	{vault.ErrExists, connect.CodeAlreadyExists, "EXISTS", "choose another name, or change the one that is there"},
	{vault.ErrDigest, connect.CodeAborted, "DIGEST", "look at the operation again and approve what it says now"},
	{vault.ErrConflict, connect.CodeAborted, "CONFLICT", "read the file as it is now and make the change again"},
	{vault.ErrAmbiguous, connect.CodeInvalidArgument, "AMBIGUOUS", "use the id or the full path"},
	{vault.ErrInvalidPath, connect.CodeInvalidArgument, "INVALID_PATH", "give a path inside the vault, from its root, such as notes/idea.md"},
	{vault.ErrFrontMatter, connect.CodeFailedPrecondition, "FRONT_MATTER", "correct the front matter in an editor; until then nothing writes into the file"},
	{order.ErrOrder, connect.CodeInvalidArgument, "ORDER", "name fields by comma, each with desc behind it for the other way round"},
	{vaulttask.ErrQuery, connect.CodeInvalidArgument, "TASK_QUERY", "days are written as 2026-12-31, dates named due, scheduled, start, done or created, paths from the vault's root as Daily or Daily/**; the help of task list shows all that narrows a list"},
	{taskline.ErrValue, connect.CodeInvalidArgument, "TASKLINE_VALUE", "a title is one line without the marks of dates and priority, which are set by themselves; what is more than that, in the document"},
	{taskline.ErrRule, connect.CodeInvalidArgument, "TASKLINE_RULE", "write the rule as \"every week\", \"every month on the 1st\" or \"every 3 days when done\", or take it out"},
	{vault.ErrInvalid, connect.CodeInvalidArgument, "INVALID", "what is wrong is said before this; the help of the command, and the comments of the call in proto/kist/v1, say what it takes"},
	{vault.ErrStatus, connect.CodeFailedPrecondition, "STATUS", "look at the operation's status; it may have been decided already"},
	{vault.ErrNoChange, connect.CodeFailedPrecondition, "NO_CHANGE", "nothing was written; show the document to see what it says now"},
	{vault.ErrNotKept, connect.CodeFailedPrecondition, "NOT_KEPT", "the text before it is in no log; look for it in a backup"},
	{vault.ErrTooLarge, connect.CodeFailedPrecondition, "TOO_LARGE", "open the file in an editor, or split it"},
	{vault.ErrNotText, connect.CodeFailedPrecondition, "NOT_TEXT", "save the file as UTF-8"},
	{vault.ErrNotRegular, connect.CodeFailedPrecondition, "NOT_REGULAR", "use a regular file; links, folders and devices are left alone"},
	{vault.ErrNotDownloaded, connect.CodeFailedPrecondition, "NOT_DOWNLOADED", "have the file kept on this machine; nothing downloads it by itself"},
	{vault.ErrProtected, connect.CodeFailedPrecondition, "PROTECTED", "write-protected files stay as they are; make it writable first if it may be changed"},
	{vault.ErrReadOnly, connect.CodeFailedPrecondition, "READ_ONLY", "the status says why; reading and searching still work"},
	{vault.ErrBusy, connect.CodeUnavailable, "BUSY", "finish it or break it off, then try again; reading and searching work meanwhile"},
	{export.ErrFile, connect.CodeInvalidArgument, "IMPORT_FILE", "give conversations.json, or the .zip with it as the export came, and the program that it is of"},
	{markdown.ErrFrontMatter, connect.CodeFailedPrecondition, "MARKDOWN_FRONT_MATTER", "correct the front matter in an editor; until then nothing writes into the file"},
	{markdown.ErrUnsupported, connect.CodeFailedPrecondition, "MARKDOWN_UNSUPPORTED", "make this change in an editor"},
	{markdown.ErrValue, connect.CodeInvalidArgument, "MARKDOWN_VALUE", "give plain text on one line; what a property is to hold is read as YAML, so put it in quotes where it has special characters"},
	{markdown.ErrNoProperty, connect.CodeNotFound, "MARKDOWN_NO_PROPERTY", "show the document to see its properties"},
	{markdown.ErrNoSection, connect.CodeNotFound, "MARKDOWN_NO_SECTION", "show the document to see its headings"},
	{markdown.ErrAmbiguous, connect.CodeInvalidArgument, "MARKDOWN_AMBIGUOUS", "give the heading's full path, or its number as in Plan#2"},
	{markdown.ErrNotItem, connect.CodeNotFound, "MARKDOWN_NOT_ITEM", "show the document to see on which lines its items are"},
	{merge.ErrConflict, connect.CodeAborted, "MERGE_CONFLICT", "read the file as it is now and make the change again"},
	{merge.ErrMismatch, connect.CodeAborted, "MERGE_MISMATCH", "read the file as it is now and make the change again"},
	{merge.ErrPatch, connect.CodeInternal, "MERGE_PATCH", "this is a fault in kist; the daemon's log has the details"},
	{policy.ErrChanged, connect.CodeAborted, "POLICY_CHANGED", "look at the policy again; what was shown isn't what it asks now"},
	{policy.ErrNotKept, connect.CodeFailedPrecondition, "POLICY_NOT_KEPT", "the folder for state (XDG_STATE_HOME, else ~/.local/state) must be writable and in no vault"},
	{model.ErrPrivate, connect.CodeFailedPrecondition, "MODEL_PRIVATE", "ask elsewhere, or use a model on this machine"},
	{model.ErrAnew, connect.CodeUnavailable, "MODEL_ANEW", "say it again"},
	{model.ErrPrice, connect.CodeFailedPrecondition, "MODEL_PRICE", "add its price to the settings of this machine, under models.prices"},
	{model.ErrLimit, connect.CodeResourceExhausted, "MODEL_LIMIT", "raise the limit in the settings, or wait until the day or the month is over"},
	{model.ErrTooLong, connect.CodeFailedPrecondition, "MODEL_TOO_LONG", "say it in fewer words, or use a model with a larger window"},
	{model.ErrCut, connect.CodeUnavailable, "MODEL_CUT", "the model's server ended in the middle of its answer; its log may say why"},
	{models.ErrName, connect.CodeInvalidArgument, "MODELS_NAME", "list the models to see how they are named"},
	{keyring.ErrUnavailable, connect.CodeFailedPrecondition, "KEYRING_UNAVAILABLE", "unlock the keyring, or give the key in the environment or the settings of this machine"},
	{keyring.ErrNotFound, connect.CodeNotFound, "KEYRING_NOT_FOUND", "put the key into the keyring, or give it in the environment or the settings of this machine"},
	{keyring.ErrKey, connect.CodeInvalidArgument, "KEYRING_KEY", "copy the key from its server anew"},
	{models.ErrServer, connect.CodeFailedPrecondition, "MODELS_SERVER", "name the server in the settings of this machine, or in the environment of the daemon"},
	{models.ErrSettings, connect.CodeFailedPrecondition, "MODELS_SETTINGS", "the settings of this machine are a file that can be edited; showing the models names it"},
	{index.ErrQuery, connect.CodeInvalidArgument, "INDEX_QUERY", "make the query shorter or simpler; the help of search explains what it may hold"},
	{index.ErrRunning, connect.CodeFailedPrecondition, "INDEX_RUNNING", "the index is being followed already"},
	{index.ErrInUse, connect.CodeFailedPrecondition, "INDEX_IN_USE", "another process has the index open; try again when it has ended"},
	{index.ErrDamaged, connect.CodeDataLoss, "INDEX_DAMAGED", "rebuild the index; it is made from the files, which are as they were"},
	{index.ErrClosed, connect.CodeUnavailable, "INDEX_CLOSED", "try again; the daemon is stopping"},
	{watch.ErrStopped, connect.CodeUnavailable, "WATCH_STOPPED", "the status says why changes of files are not noticed at present"},
	{watch.ErrNoBarrier, connect.CodeUnavailable, "WATCH_NO_BARRIER", "the status says why changes of files are not noticed at present"},
	{state.ErrLocked, connect.CodeFailedPrecondition, "STATE_LOCKED", "another process has this vault open; try again when it has ended"},
	{state.ErrDamaged, connect.CodeUnavailable, "STATE_DAMAGED", "start the daemon again; what it remembers is worked out anew from the files"},
	{state.ErrGivenUp, connect.CodeUnavailable, "STATE_GIVEN_UP", "make room on the disk and start the daemon again"},
	{state.ErrInvalid, connect.CodeInvalidArgument, "STATE_INVALID", "this is a fault in kist; the daemon's log has the details"},
	{state.ErrClosed, connect.CodeUnavailable, "STATE_CLOSED", "try again; the daemon is stopping"},
	{sync.ErrNotSetUp, connect.CodeFailedPrecondition, "SYNC_NOT_SET_UP", "set up a remote first: the address of an empty repository of your own, or of a vault on another machine"},
	{sync.ErrSetUp, connect.CodeFailedPrecondition, "SYNC_SET_UP", "one remote at a time is synced with; the status names it"},
	{sync.ErrBusy, connect.CodeFailedPrecondition, "SYNC_BUSY", "finish it or break it off; sync goes on by itself then"},
	{sync.ErrDetached, connect.CodeFailedPrecondition, "SYNC_DETACHED", "check out the branch that is synced; sync goes on by itself then"},
	{sync.ErrHeld, connect.CodeFailedPrecondition, "SYNC_HELD", "commit or unstage the file, move it away, or merge by hand what the remote has; sync goes on by itself then"},
	{sync.ErrBranchGone, connect.CodeFailedPrecondition, "SYNC_BRANCH_GONE", "set up the same remote once more to sync with the branch that it has now; or bring the branch back there, and sync goes on by itself"},
	{sync.ErrRewritten, connect.CodeFailedPrecondition, "SYNC_REWRITTEN", "nothing here was changed; find out who rewrote the history, or ask for a sync that merges both"},
	{sync.ErrUnrelated, connect.CodeFailedPrecondition, "SYNC_UNRELATED", "the address may be that of another vault; look what it holds"},
	{sync.ErrVanished, connect.CodeFailedPrecondition, "SYNC_VANISHED", "bring the documents back; rebuilding the index confirms that they're meant to be gone"},
	{sync.ErrKeptApart, connect.CodeFailedPrecondition, "SYNC_KEPT_APART", "the folder for state (XDG_STATE_HOME, else ~/.local/state) must be writable and in no vault"},
	{sync.ErrLeaveOut, connect.CodeFailedPrecondition, "SYNC_LEAVE_OUT", "mend kist.yaml; sync goes on by itself then"},
	{sync.ErrNoConflict, connect.CodeNotFound, "SYNC_NO_CONFLICT", "list the conflicts to see what there is"},
	{git.ErrNoGit, connect.CodeFailedPrecondition, "GIT_NO_GIT", "install git, version 2.30 or newer"},
	{git.ErrNoRepository, connect.CodeFailedPrecondition, "GIT_NO_REPOSITORY", "set up a remote first; that makes a repository of the vault's folder"},
	{git.ErrUnsupported, connect.CodeFailedPrecondition, "GIT_UNSUPPORTED", "sync the vault from an ordinary clone"},
	{git.ErrUnsafe, connect.CodeInvalidArgument, "GIT_UNSAFE", "give an https, ssh or file address, or the absolute path of a folder"},
	{git.ErrCredentials, connect.CodePermissionDenied, "GIT_CREDENTIALS", "it must be reachable without a question: by an ssh key in the agent, or a credential helper in your own settings"},
	{git.ErrUnreachable, connect.CodeUnavailable, "GIT_UNREACHABLE", "see whether the network is there; sync tries again by itself"},
	{git.ErrGone, connect.CodeNotFound, "GIT_GONE", "see whether the address is right and the disk is there; an empty repository has to be made first"},
	{git.ErrBehind, connect.CodeAborted, "GIT_BEHIND", "another machine was faster several times; try again"},
	{git.ErrRefusedByRemote, connect.CodePermissionDenied, "GIT_REFUSED_BY_REMOTE", "see whether you may write there"},
	{git.ErrDamaged, connect.CodeDataLoss, "GIT_DAMAGED", "what the remote has is damaged or made to do harm; nothing of it was taken"},
	{git.ErrHook, connect.CodeFailedPrecondition, "GIT_HOOK", "do what the hook asks for, or have it let pass what comes from sync: it has KIST_SYNC=1 in its environment"},
	{git.ErrMovedOn, connect.CodeAborted, "GIT_MOVED_ON", "try again; it was used at the same moment"},
	{git.ErrLocked, connect.CodeUnavailable, "GIT_LOCKED", "wait until the other one has ended; where none runs, index.lock was left behind by one that was killed"},
	{git.ErrTime, connect.CodeDeadlineExceeded, "GIT_TIME", "try again, or see what takes so long"},
	{git.ErrTooMuch, connect.CodeResourceExhausted, "GIT_TOO_MUCH", "the repository is larger than sync can read"},
	{ErrLarge, connect.CodeFailedPrecondition, "LARGE_ANSWER", "where the call has pages, ask for them (pages: true; a program of kist's that can't is older than the daemon), else for less at a time"},
	{ErrRequestID, connect.CodeInvalidArgument, "REQUEST_ID_REUSED", "give each request a name of its own, and a request that is sent again the name it had"},
	{turns.ErrReused, connect.CodeInvalidArgument, "MESSAGE_ID_REUSED", "give each message a name of its own, and a message that is sent again the name it had"},
	{ErrNoTurn, connect.CodeNotFound, "NO_TURN", "list the turns of the session"},
	{page.ErrToken, connect.CodeInvalidArgument, "PAGE_TOKEN", "begin with the first page again, and change nothing but the token from page to page"},
	{vault.ErrResync, connect.CodeAborted, "RESYNC", "list the operations and watch again"},
	{vault.ErrMoved, connect.CodeUnavailable, "MOVED", "try again; the daemon of the folder that was moved away is stopping"},
	{vault.ErrClosed, connect.CodeUnavailable, "CLOSED", "try again; the daemon is stopping"},
	{ErrRequest, connect.CodeInvalidArgument, "INVALID_REQUEST", "change the field that is named; what it may be says the comment beside it in proto/kist/v1, and DaemonService/Describe lists the values of those that have only some"},
	{ErrHost, connect.CodePermissionDenied, "HOST", "call 127.0.0.1 or localhost at the port of the daemon, or its socket"},
	{ErrOrigin, connect.CodePermissionDenied, "ORIGIN", "an origin is allowed by the settings of this machine"},
	{ErrToken, connect.CodeUnauthenticated, "TOKEN", "send the header Authorization: Bearer and the token in .kist/token"},
	{ErrReadToken, connect.CodePermissionDenied, "READ_TOKEN", "use a token that isn't only for reading"},
	{ErrNamedToken, connect.CodePermissionDenied, "NAMED_TOKEN", "send the token in .kist/token"},
	{tokens.ErrName, connect.CodeInvalidArgument, "TOKEN_NAME", "use small letters, digits, dots, dashes and underscores, at most 40, such as nvim"},
	{turns.ErrWithdrawn, connect.CodeCanceled, "TOKEN_WITHDRAWN", "send the message again with a token that counts"},
	{tokens.ErrExists, connect.CodeAlreadyExists, "TOKEN_EXISTS", "choose another name, or withdraw the one that is there"},
	{tokens.ErrNotFound, connect.CodeNotFound, "TOKEN_NOT_FOUND", "list the tokens to see their names"},
	{tokens.ErrMany, connect.CodeResourceExhausted, "TOKEN_MANY", "withdraw those that aren't used any more; the list says when each was"},
	{tokens.ErrNotKept, connect.CodeFailedPrecondition, "TOKEN_NOT_KEPT", "the folder for state (XDG_STATE_HOME, else ~/.local/state) must be writable by you alone and in no vault"},
	{ErrOwnWord, connect.CodePermissionDenied, "SOCKET_ONLY", "call it on the unix socket, which only this user's programs reach"},
	{ErrUnknown, connect.CodeUnimplemented, "UNKNOWN_CALL", "the daemon is older: kist down, and the next command starts one of its own version"},
	{ErrStreams, connect.CodeResourceExhausted, "TOO_MANY_STREAMS", "close streams that are no longer read, or wait for some to end"},
	{ErrStopping, connect.CodeUnavailable, "STOPPING", "try again; the daemon is stopping"},
	{ErrPanic, connect.CodeInternal, "INTERNAL", "this is a fault in kist; the daemon's log has the details"},
	{context.Canceled, connect.CodeCanceled, "CANCELED", ""},
	{context.DeadlineExceeded, connect.CodeDeadlineExceeded, "DEADLINE_EXCEEDED", "try again, or allow more time"},
	{syscall.ENOSPC, connect.CodeResourceExhausted, "DISK_FULL", "the disk is full; make room and try again"},
	{syscall.ENAMETOOLONG, connect.CodeInvalidArgument, "NAME_TOO_LONG", "choose a shorter name; most file systems take up to 255 bytes"},
	{fs.ErrPermission, connect.CodePermissionDenied, "PERMISSION", "check who may read and write the file and its folder"},
	{fs.ErrNotExist, connect.CodeNotFound, "FILE_NOT_FOUND", "list what there is; a name must be given exactly"},
}

// Find returns the rule of an error of the domain.
func Find(err error) Rule {
	for _, r := range rules {
		if errors.Is(err, r.Is) {
			return r
		}
	}
	return Rule{err, connect.CodeInternal, "UNKNOWN", "the daemon's log may say more"}
}

// Hint is what to do about an error: what it says itself, else what its kind does.
func Hint(err error) string {
	if own, ok := errors.AsType[*vault.HintedError](err); ok {
		return own.Hint
	}
	if missing, ok := errors.AsType[*vault.NotFoundError](err); ok && listed[missing.Kind] != "" {
		return "list the " + listed[missing.Kind] + ": one is named as it stands there"
	}
	return Find(err).Hint
}

// listed are the kinds of things that can be listed, where what isn't there can be looked up.
var listed = map[string]string{
	"project": "projects", "task": "tasks", "checkbox": "tasks", "draft": "drafts", "session": "sessions", "operation": "operations", "memory": "memories",
	"file": "documents", "note": "documents", "file in the index": "documents", "document or folder": "documents",
}

// reasonOf is the reason of an error that has a code already, which only the library that
// serves gives: of what it refuses before a handler sees it.
func reasonOf(code connect.Code) string {
	if code == connect.CodeInvalidArgument {
		return Find(ErrRequest).Reason
	}
	return strings.ToUpper(code.String())
}

// ofLibrary fills in what is known of an error of the library that serves, and returns what its
// message is in words for people, where that is another one.
func ofLibrary(known *connect.Error, info *kistv1.ErrorInfo) (cause error) {
	info.Reason, info.FieldViolations = reasonOf(known.Code()), violations(known)
	if known.Code() == connect.CodeInvalidArgument {
		info.Hint = Hint(ErrRequest)
	}
	if _, why, ok := strings.Cut(known.Message(), "unmarshal into "); ok {
		_, why, _ = strings.Cut(why, ": ")
		cause = errors.New("the request can't be read: " + strings.TrimLeft(strings.TrimPrefix(why, "proto:"), " \u00a0"))
		info.Hint = "send the fields that the call has in proto/kist/v1, as one JSON object"
	}
	if _, size, ok := strings.Cut(known.Message(), "larger than configured max "); ok {
		size, _, _ = strings.Cut(size, " ")
		cause = errors.New("the request is larger than the " + size + " bytes that one may have")
		info.Hint = "send less at once: what is long can be written in several edits"
	}
	if broken, ok := errors.AsType[*validate.Error](known); ok {
		cause, info.Hint = errors.New(broken.Words()), fields(info.FieldViolations)
	}
	return cause
}

// Connect turns any error into one for the wire, with an ErrorInfo.
func Connect(err error) *connect.Error {
	info := &kistv1.ErrorInfo{}
	var known *connect.Error
	var cause error // what the message says in other words
	if errors.As(err, &known) {
		cause = ofLibrary(known, info)
	} else {
		r := Find(err)
		known, info.Hint, info.Reason = connect.NewError(r.Code, plain{err}), Hint(err), r.Reason
	}
	if hasInfo(known) {
		return known
	}
	var conflict *vault.ConflictError
	if errors.As(err, &conflict) {
		info.Paths = []string{valid(conflict.Path)}
		info.Conflict = &kistv1.Conflict{
			Path:   valid(conflict.Path),
			Reason: valid(conflict.Reason),
			Now:    conflictText(conflict.Now),
			Wanted: conflictText(conflict.Wanted),
			Hash:   string(vault.HashOf(conflict.Now)),
		}
		if conflict.Now != nil && conflict.Wanted != nil {
			patch := []byte(merge.Diff(conflict.Path, conflict.Now, conflict.Wanted))
			info.Conflict.Patch = *conflictText(patch)
		}
	}
	detail, err := connect.NewErrorDetail(info)
	if err != nil { // what is valid UTF-8 can be written
		return known
	}
	out := connect.NewError(known.Code(), orElse(cause, known.Unwrap()))
	maps.Copy(out.Meta(), known.Meta())
	for _, d := range append([]*connect.ErrorDetail{detail}, known.Details()...) { // clients look at the first
		out.AddDetail(d)
	}
	return out
}

// maxConflictText is how much of a text goes along with an error.
const maxConflictText = 64 << 10

// conflictText returns a text, or the beginning of a long one; nil for no file.
func conflictText(b []byte) *string {
	if b == nil {
		return nil
	}
	s := valid(string(b))
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

// Error leaves out what the reason says already.
func (p plain) Error() string {
	text := p.err.Error()
	for _, kind := range []error{vault.ErrInvalid, vaulttask.ErrQuery, order.ErrOrder} {
		text = strings.Replace(text, kind.Error()+": ", "", 1)
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func (p plain) Unwrap() error { return p.err }

// Turn describes an error that ended a turn.
func Turn(err error) *kistv1.TurnError {
	r := Find(err)
	code, hint := r.Code, Hint(err)
	var known *connect.Error
	if errors.As(err, &known) {
		code = known.Code()
	}
	if e, ok := errors.AsType[*endpoint.Error](err); ok && !errors.Is(err, model.ErrTooLong) {
		code, hint = connect.CodeUnavailable, e.Hint()
	}
	return &kistv1.TurnError{Code: code.String(), Reason: r.Reason, Message: valid(err.Error()), Hint: hint}
}

// valid makes a string fit for a message.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// fields says which fields of a request have to be changed, and where what they may be is told.
func fields(broken []*kistv1.FieldViolation) string {
	var names, empty, more []string
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, v := range broken {
		if strings.HasSuffix(v.Rule, ".min_len") || strings.HasSuffix(v.Rule, ".min_items") || v.Rule == "required" {
			add(&empty, v.Field)
		} else {
			add(&names, v.Field)
		}
		switch {
		case v.Field == "expect" || v.Field == "hash":
			add(&more, "GetDocument tells the hash of a document")
		case v.Field == "digest":
			add(&more, "GetOperation tells the digest of an operation")
		}
	}
	if len(empty) > 0 {
		more = slices.Insert(more, 0, "fill in "+strings.Join(empty, ", "))
	}
	if len(names) > 0 {
		more = slices.Insert(more, 0, "change "+strings.Join(names, ", "))
	}
	return strings.Join(more, "; ")
}

// violations returns which fields of a request break which rules.
func violations(err *connect.Error) (all []*kistv1.FieldViolation) {
	if broken, ok := errors.AsType[*validate.Error](err); ok {
		for _, v := range broken.Violations {
			all = append(all, &kistv1.FieldViolation{Field: validate.Path(v.GetField()), Description: validate.Plain(v), Rule: v.GetRuleId()})
		}
	}
	return all
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
