package fault

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"connectrpc.com/connect"

	"kist/agent/keyring"
	"kist/agent/model"
	"kist/agent/models"
	"kist/agent/policy"
	"kist/daemon/sync"
	"kist/daemon/sync/git"
	"kist/index"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/tokens"
	"kist/rpc/turns"
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

// sentinels is every exported sentinel of the domain with its code.
var sentinels = map[string]struct {
	err  error
	code connect.Code
}{
	"tokens.ErrName":          {tokens.ErrName, connect.CodeInvalidArgument},
	"order.ErrOrder":          {order.ErrOrder, connect.CodeInvalidArgument},
	"turns.ErrWithdrawn":      {turns.ErrWithdrawn, connect.CodeCanceled},
	"tokens.ErrExists":        {tokens.ErrExists, connect.CodeAlreadyExists},
	"tokens.ErrNotFound":      {tokens.ErrNotFound, connect.CodeNotFound},
	"tokens.ErrMany":          {tokens.ErrMany, connect.CodeResourceExhausted},
	"tokens.ErrNotKept":       {tokens.ErrNotKept, connect.CodeFailedPrecondition},
	"vault.ErrNotFound":       {vault.ErrNotFound, connect.CodeNotFound},
	"vault.ErrExists":         {vault.ErrExists, connect.CodeAlreadyExists},
	"vault.ErrConflict":       {vault.ErrConflict, connect.CodeAborted},
	"vault.ErrInvalidPath":    {vault.ErrInvalidPath, connect.CodeInvalidArgument},
	"vault.ErrInvalid":        {vault.ErrInvalid, connect.CodeInvalidArgument},
	"export.ErrFile":          {export.ErrFile, connect.CodeInvalidArgument},
	"task.ErrQuery":           {vaulttask.ErrQuery, connect.CodeInvalidArgument},
	"taskline.ErrValue":       {taskline.ErrValue, connect.CodeInvalidArgument},
	"taskline.ErrRule":        {taskline.ErrRule, connect.CodeInvalidArgument},
	"vault.ErrDigest":         {vault.ErrDigest, connect.CodeAborted},
	"vault.ErrNoChange":       {vault.ErrNoChange, connect.CodeFailedPrecondition},
	"vault.ErrStatus":         {vault.ErrStatus, connect.CodeFailedPrecondition},
	"vault.ErrAmbiguous":      {vault.ErrAmbiguous, connect.CodeInvalidArgument},
	"vault.ErrMoved":          {vault.ErrMoved, connect.CodeUnavailable},
	"vault.ErrNotKept":        {vault.ErrNotKept, connect.CodeFailedPrecondition},
	"vault.ErrTooLarge":       {vault.ErrTooLarge, connect.CodeFailedPrecondition},
	"vault.ErrNotText":        {vault.ErrNotText, connect.CodeFailedPrecondition},
	"vault.ErrNotRegular":     {vault.ErrNotRegular, connect.CodeFailedPrecondition},
	"vault.ErrFrontMatter":    {vault.ErrFrontMatter, connect.CodeFailedPrecondition},
	"vault.ErrNotDownloaded":  {vault.ErrNotDownloaded, connect.CodeFailedPrecondition},
	"vault.ErrProtected":      {vault.ErrProtected, connect.CodeFailedPrecondition},
	"vault.ErrReadOnly":       {vault.ErrReadOnly, connect.CodeFailedPrecondition},
	"vault.ErrBusy":           {vault.ErrBusy, connect.CodeUnavailable},
	"vault.ErrClosed":         {vault.ErrClosed, connect.CodeUnavailable},
	"vault.ErrResync":         {vault.ErrResync, connect.CodeAborted},
	"markdown.ErrFrontMatter": {markdown.ErrFrontMatter, connect.CodeFailedPrecondition},
	"markdown.ErrUnsupported": {markdown.ErrUnsupported, connect.CodeFailedPrecondition},
	"markdown.ErrValue":       {markdown.ErrValue, connect.CodeInvalidArgument},
	"markdown.ErrNoProperty":  {markdown.ErrNoProperty, connect.CodeNotFound},
	"markdown.ErrNoSection":   {markdown.ErrNoSection, connect.CodeNotFound},
	"markdown.ErrAmbiguous":   {markdown.ErrAmbiguous, connect.CodeInvalidArgument},
	"markdown.ErrNotItem":     {markdown.ErrNotItem, connect.CodeNotFound},
	"merge.ErrConflict":       {merge.ErrConflict, connect.CodeAborted},
	"merge.ErrPatch":          {merge.ErrPatch, connect.CodeInternal},
	"merge.ErrMismatch":       {merge.ErrMismatch, connect.CodeAborted},
	"state.ErrLocked":         {state.ErrLocked, connect.CodeFailedPrecondition},
	"state.ErrDamaged":        {state.ErrDamaged, connect.CodeUnavailable},
	"state.ErrGivenUp":        {state.ErrGivenUp, connect.CodeUnavailable},
	"state.ErrInvalid":        {state.ErrInvalid, connect.CodeInvalidArgument},
	"state.ErrClosed":         {state.ErrClosed, connect.CodeUnavailable},
	"watch.ErrStopped":        {watch.ErrStopped, connect.CodeUnavailable},
	"watch.ErrNoBarrier":      {watch.ErrNoBarrier, connect.CodeUnavailable},
	"model.ErrPrivate":        {model.ErrPrivate, connect.CodeFailedPrecondition},
	"model.ErrAnew":           {model.ErrAnew, connect.CodeUnavailable},
	"model.ErrPrice":          {model.ErrPrice, connect.CodeFailedPrecondition},
	"model.ErrLimit":          {model.ErrLimit, connect.CodeResourceExhausted},
	"model.ErrCut":            {model.ErrCut, connect.CodeUnavailable},
	"model.ErrTooLong":        {model.ErrTooLong, connect.CodeFailedPrecondition},
	"keyring.ErrUnavailable":  {keyring.ErrUnavailable, connect.CodeFailedPrecondition},
	"keyring.ErrNotFound":     {keyring.ErrNotFound, connect.CodeNotFound},
	"keyring.ErrKey":          {keyring.ErrKey, connect.CodeInvalidArgument},
	"models.ErrName":          {models.ErrName, connect.CodeInvalidArgument},
	"models.ErrServer":        {models.ErrServer, connect.CodeFailedPrecondition},
	"models.ErrSettings":      {models.ErrSettings, connect.CodeFailedPrecondition},
	"sync.ErrNotSetUp":        {sync.ErrNotSetUp, connect.CodeFailedPrecondition},
	"sync.ErrSetUp":           {sync.ErrSetUp, connect.CodeFailedPrecondition},
	"sync.ErrBusy":            {sync.ErrBusy, connect.CodeFailedPrecondition},
	"sync.ErrDetached":        {sync.ErrDetached, connect.CodeFailedPrecondition},
	"sync.ErrHeld":            {sync.ErrHeld, connect.CodeFailedPrecondition},
	"sync.ErrBranchGone":      {sync.ErrBranchGone, connect.CodeFailedPrecondition},
	"sync.ErrRewritten":       {sync.ErrRewritten, connect.CodeFailedPrecondition},
	"sync.ErrUnrelated":       {sync.ErrUnrelated, connect.CodeFailedPrecondition},
	"sync.ErrVanished":        {sync.ErrVanished, connect.CodeFailedPrecondition},
	"sync.ErrKeptApart":       {sync.ErrKeptApart, connect.CodeFailedPrecondition},
	"sync.ErrLeaveOut":        {sync.ErrLeaveOut, connect.CodeFailedPrecondition},
	"sync.ErrNoConflict":      {sync.ErrNoConflict, connect.CodeNotFound},
	"git.ErrNoGit":            {git.ErrNoGit, connect.CodeFailedPrecondition},
	"git.ErrNoRepository":     {git.ErrNoRepository, connect.CodeFailedPrecondition},
	"git.ErrUnsupported":      {git.ErrUnsupported, connect.CodeFailedPrecondition},
	"git.ErrUnsafe":           {git.ErrUnsafe, connect.CodeInvalidArgument},
	"git.ErrCredentials":      {git.ErrCredentials, connect.CodePermissionDenied},
	"git.ErrUnreachable":      {git.ErrUnreachable, connect.CodeUnavailable},
	"git.ErrGone":             {git.ErrGone, connect.CodeNotFound},
	"git.ErrBehind":           {git.ErrBehind, connect.CodeAborted},
	"git.ErrRefusedByRemote":  {git.ErrRefusedByRemote, connect.CodePermissionDenied},
	"git.ErrDamaged":          {git.ErrDamaged, connect.CodeDataLoss},
	"git.ErrHook":             {git.ErrHook, connect.CodeFailedPrecondition},
	"git.ErrMovedOn":          {git.ErrMovedOn, connect.CodeAborted},
	"git.ErrLocked":           {git.ErrLocked, connect.CodeUnavailable},
	"git.ErrTime":             {git.ErrTime, connect.CodeDeadlineExceeded},
	"git.ErrTooMuch":          {git.ErrTooMuch, connect.CodeResourceExhausted},
	"policy.ErrChanged":       {policy.ErrChanged, connect.CodeAborted},
	"policy.ErrNotKept":       {policy.ErrNotKept, connect.CodeFailedPrecondition},
	"index.ErrQuery":          {index.ErrQuery, connect.CodeInvalidArgument},
	"index.ErrClosed":         {index.ErrClosed, connect.CodeUnavailable},
	"index.ErrInUse":          {index.ErrInUse, connect.CodeFailedPrecondition},
	"index.ErrDamaged":        {index.ErrDamaged, connect.CodeDataLoss},
	"index.ErrRunning":        {index.ErrRunning, connect.CodeFailedPrecondition},
}

func TestSentinelCodes(t *testing.T) {
	for name, want := range sentinels {
		for _, err := range []error{want.err, fmt.Errorf("read project boat: %w", want.err)} {
			got := Connect(err)
			if got.Code() != want.code {
				t.Errorf("%s: code %v, want %v", name, got.Code(), want.code)
			}
			if hint := infoOf(t, got).Hint; hint == "" {
				t.Errorf("%s has no hint", name)
			}
		}
	}
}

// TestSentinelsAreComplete reads the sources, so that a new sentinel needs a row.
func TestSentinelsAreComplete(t *testing.T) {
	for _, dir := range []string{"vault", "vault/markdown", "vault/merge", "vault/watch", "vault/state", "index", "agent", "agent/tool", "agent/model", "agent/models", "agent/policy", "daemon/sync", "daemon/sync/git"} {
		files, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no Go files in %s (%v)", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, name := range exportedErrors(t, file) {
				if full := filepath.Base(dir) + "." + name; sentinels[full].err == nil {
					t.Errorf("%s has no code: add it to rules and to this test", full)
				}
			}
		}
	}
}

func exportedErrors(t *testing.T, file string) (names []string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				if strings.HasPrefix(n.Name, "Err") {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

func TestOtherErrors(t *testing.T) {
	for _, tc := range []struct {
		err  error
		code connect.Code
	}{
		{context.Canceled, connect.CodeCanceled},
		{context.DeadlineExceeded, connect.CodeDeadlineExceeded},
		{&os.PathError{Op: "open", Path: "a.md", Err: fs.ErrPermission}, connect.CodePermissionDenied},
		{&os.PathError{Op: "open", Path: "a.md", Err: syscall.ENOENT}, connect.CodeNotFound},
		{&os.PathError{Op: "open", Path: "a.md", Err: syscall.ENAMETOOLONG}, connect.CodeInvalidArgument},
		{fmt.Errorf("write a.md: %w", syscall.ENOSPC), connect.CodeResourceExhausted},
		{ErrStopping, connect.CodeUnavailable},
		{ErrPanic, connect.CodeInternal},
		{errors.New("something new"), connect.CodeInternal},
		{connect.NewError(connect.CodeNotFound, errors.New("unknown service")), connect.CodeNotFound},
		{&vault.NotFoundError{Kind: "project", Ref: "boat", Near: []string{"houseboat"}}, connect.CodeNotFound},
		{&markdown.SyntaxError{Line: 2, Column: 1, Message: "no"}, connect.CodeFailedPrecondition},
	} {
		if got := Connect(tc.err).Code(); got != tc.code {
			t.Errorf("%v: code %v, want %v", tc.err, got, tc.code)
		}
	}
}

func TestConflictNamesThePath(t *testing.T) {
	err := fmt.Errorf("apply: %w", &vault.ConflictError{Path: "notes/a\nb.md", Reason: "changed meanwhile"})
	if got := infoOf(t, Connect(err)).Paths; len(got) != 1 || got[0] != "notes/a\nb.md" {
		t.Errorf("paths %q", got)
	}
}

func TestConflictHoldsBothTexts(t *testing.T) {
	long := []byte(strings.Repeat("x\n", 1000) + strings.Repeat("\u00fc", maxConflictText) + "\xff")
	for _, tc := range []struct {
		name        string
		now, wanted []byte
		patch       bool
	}{
		{"both", []byte("now\n"), []byte("wanted\n"), true},
		{"no file now", nil, []byte("wanted\n"), false},
		{"no file then, or unknown", []byte("now\n"), nil, false},
		{"empty ones", []byte{}, []byte{}, false},
		{"long ones, not UTF-8", append([]byte("a"), long...), long, true},
	} {
		err := fmt.Errorf("undo: %w", &vault.ConflictError{Path: "caf\xe9.md", Reason: "edited since", Now: tc.now, Wanted: tc.wanted})
		got := infoOf(t, Connect(err)).Conflict
		if got.Path != "caf\uFFFD.md" || got.Reason != "edited since" || (got.Now == nil) != (tc.now == nil) || (got.Wanted == nil) != (tc.wanted == nil) {
			t.Errorf("%s: %.200v", tc.name, got)
		}
		if got.Hash != string(vault.HashOf(tc.now)) {
			t.Errorf("%s: hash %q", tc.name, got.Hash)
		}
		if (got.Patch != "") != tc.patch {
			t.Errorf("%s: patch %.200q", tc.name, got.Patch)
		}
		for _, s := range []string{got.GetNow(), got.GetWanted(), got.Patch} {
			if !utf8.ValidString(s) || len(s) > maxConflictText || strings.HasSuffix(s, "\uFFFD") {
				t.Errorf("%s: a text of %d bytes that ends in %q", tc.name, len(s), s[max(0, len(s)-4):])
			}
		}
		if len(tc.now) < 100 && got.GetNow() != string(tc.now) {
			t.Errorf("%s: now %q", tc.name, got.GetNow())
		}
	}
	if got := infoOf(t, Connect(vault.ErrConflict)).Conflict; got != nil {
		t.Errorf("a conflict out of nothing: %v", got)
	}
}

func TestErrorTextIsUTF8(t *testing.T) {
	err := Connect(&vault.NotFoundError{Kind: "file", Ref: "caf\xe9.md"})
	if !utf8.ValidString(err.Message()) {
		t.Errorf("message %q", err.Message())
	}
	if !errors.Is(err, vault.ErrNotFound) {
		t.Error("the cause is lost")
	}
}

// TestHintsCarryNoCommand: a model reads hints and runs what it finds in them.
func TestHintsCarryNoCommand(t *testing.T) {
	for _, r := range rules {
		if r.Is == ErrUnknown {
			continue // only a program of another version gets there; what it names ends nothing but the daemon
		}
		checkHint(t, r.Hint)
	}
	hinted := regexp.MustCompile(`vault\.Hinted\(.*, "(.*?)"\)`)
	files, _ := filepath.Glob("../../vault/entity/*.go")
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range hinted.FindAllStringSubmatch(string(text), -1) {
			found++
			checkHint(t, m[1])
		}
	}
	if found < 20 {
		t.Errorf("%d hints of their own in vault/entity", found)
	}
}

func checkHint(t *testing.T, hint string) {
	t.Helper()
	for _, word := range []string{"kist ", "rm ", "git ", "--", "`"} {
		if strings.Contains(hint, word) {
			t.Errorf("the hint %q holds a command", hint)
		}
	}
}

func TestOwnHint(t *testing.T) {
	info := infoOf(t, Connect(fmt.Errorf("create: %w", vault.Hinted(fmt.Errorf("%w: a task needs a title", vault.ErrInvalid), "say what there is to do"))))
	if info.Hint != "say what there is to do" || info.Reason != "INVALID" {
		t.Errorf("%v", info)
	}
}

func infoOf(t *testing.T, err *connect.Error) *kistv1.ErrorInfo {
	t.Helper()
	var found []*kistv1.ErrorInfo
	for _, d := range err.Details() {
		v, decodeErr := d.Value()
		if decodeErr != nil {
			t.Fatal(decodeErr)
		}
		if info, ok := v.(*kistv1.ErrorInfo); ok {
			found = append(found, info)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%v has %d ErrorInfo, want 1", err, len(found))
	}
	return found[0]
}

// TestReasons: each error has a reason of its own, and docs/errors.md lists them all.
func TestReasons(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)
	seen := map[string]error{}
	var table strings.Builder
	table.WriteString("| reason | code | what it says | what to do |\n|---|---|---|---|\n")
	for _, r := range rules {
		if !form.MatchString(r.Reason) || seen[r.Reason] != nil {
			t.Errorf("%v: reason %q, as %v", r.Is, r.Reason, seen[r.Reason])
		}
		seen[r.Reason] = r.Is
		if got := infoOf(t, Connect(fmt.Errorf("about something: %w", r.Is))).Reason; got != r.Reason {
			t.Errorf("%v: reason %q, want %q", r.Is, got, r.Reason)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %v | %s |\n", r.Reason, r.Code, r.Is, r.Hint)
	}
	for name, s := range sentinels {
		if r := Find(s.err); r.Reason == "UNKNOWN" {
			t.Errorf("%s has no reason", name)
		}
	}
	const page = "../../docs/errors.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "| reason |")
	if os.Getenv("KIST_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(head+table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != head+table.String() {
		t.Errorf("%s isn't what the rules say: KIST_UPDATE=1 go test ./rpc/fault -run Reasons", page)
	}
}

// What the reason says isn't said once more in front of the message.
func TestMessageWithoutItsKind(t *testing.T) {
	for want, err := range map[string]error{
		`edit a.md: it has no name`: fmt.Errorf("edit a.md: %w: it has no name", vault.ErrInvalid),
		`can't be ordered by "foo"`: fmt.Errorf("%w: %w", vaulttask.ErrQuery, fmt.Errorf("%w: can't be ordered by %q", order.ErrOrder, "foo")),
		`such a list can't be made`: vaulttask.ErrQuery,
		`"2026-13-01" is not a day`: fmt.Errorf("%w: %q is not a day", vaulttask.ErrQuery, "2026-13-01"),
	} {
		if got := Connect(err).Message(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestHintsSayWhatToDo: none of them only says to try again otherwise.
func TestHintsSayWhatToDo(t *testing.T) {
	for _, r := range rules {
		if strings.Contains(r.Hint, "correct the request") || r.Hint == "" && r.Is != context.Canceled {
			t.Errorf("%s: %q", r.Reason, r.Hint)
		}
	}
}
