package rpc_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
	"kist/vault/vaulttest"
)

const plan = "-- plan.md --\n" + planText

const planText = "# Plan\n\n## Colour\n\nred\n\none\n\ntwo\n\nwarm\n\n## List\n\n- [ ] tent\n"

// propose logs a proposal of the agent's to give a file another text.
func propose(t *testing.T, v *vault.Vault, files ...string) []vault.Operation {
	t.Helper()
	b := vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent}}
	for i := 0; i < len(files); i += 2 {
		var before []byte
		typ := vault.OpCreate
		if text, err := v.Read(files[i]); err == nil {
			before, typ = text, vault.OpUpdate
		}
		b.Steps = append(b.Steps, vault.Step{
			Type: typ, Entity: vault.Entity{Type: "note", Path: files[i]},
			Changes: []vault.Change{{Path: files[i], Before: before, After: []byte(files[i+1])}},
		})
	}
	ops, err := v.Propose(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func wantCode(t *testing.T, what string, err error, want connect.Code) {
	t.Helper()
	if connect.CodeOf(err) != want {
		t.Errorf("%s: %v, want code %v", what, err, want)
	}
}

func conflictIn(t *testing.T, err error) *kistv1.Conflict {
	t.Helper()
	var known *connect.Error
	if !errors.As(err, &known) {
		t.Fatalf("no error of a call: %v", err)
	}
	for _, d := range known.Details() {
		if v, err := d.Value(); err == nil {
			if info, ok := v.(*kistv1.ErrorInfo); ok {
				return info.Conflict
			}
		}
	}
	return nil
}

func wantText(t *testing.T, v *vault.Vault, path, want string) {
	t.Helper()
	got, err := v.Read(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

// edit gives a section another text and returns the operation.
func edit(t *testing.T, c *dial.Client, text string) *kistv1.Operation {
	t.Helper()
	r, err := c.Vault.EditSection(t.Context(), &kistv1.EditSectionRequest{Path: "plan.md", Heading: "Colour", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return r.Operation
}

func TestUndoConflict(t *testing.T) {
	s, v := openVault(t, plan)
	c := s.Client(rpctest.GRPC)
	op := edit(t, c, "blue\n\none\n\ntwo\n\ncold\n")
	edit(t, c, "green\n\none\n\ntwo\n\ncold\n")
	now := strings.NewReplacer("red", "green", "warm", "cold").Replace(planText)
	target := &kistv1.UndoOperationRequest_Id{Id: op.Id}
	_, err := c.Operation.UndoOperation(t.Context(), &kistv1.UndoOperationRequest{Target: target})
	wantCode(t, "undo", err, connect.CodeAborted)
	conflict := conflictIn(t, err)
	if conflict.GetPath() != "plan.md" || conflict.GetNow() != now || conflict.GetWanted() != planText ||
		!strings.Contains(conflict.GetPatch(), "\n-green\n+red\n") {
		t.Errorf("%v", conflict)
	}
	wantText(t, v, "plan.md", now)
	_, err = c.Operation.UndoOperation(t.Context(), &kistv1.UndoOperationRequest{Target: target, Keep: "mine"})
	wantCode(t, "keep mine", err, connect.CodeInvalidArgument)

	if _, err = c.Operation.UndoOperation(t.Context(), &kistv1.UndoOperationRequest{Target: target, Keep: "now"}); err != nil {
		t.Fatal(err)
	}
	wantText(t, v, "plan.md", strings.Replace(planText, "red", "green", 1))
	again := &kistv1.RedoOperationRequest{Target: &kistv1.RedoOperationRequest_Id{Id: op.Id}}
	r, err := c.Operation.RedoOperation(t.Context(), again)
	if err != nil || len(r.Operations) != 1 {
		t.Fatal(r, err)
	}
	wantText(t, v, "plan.md", now)
	_, err = c.Operation.RedoOperation(t.Context(), again)
	wantCode(t, "redo twice", err, connect.CodeFailedPrecondition)
	if _, err = c.Operation.UndoOperation(t.Context(), &kistv1.UndoOperationRequest{Target: target, Keep: "before"}); err != nil {
		t.Fatal(err)
	}
	wantText(t, v, "plan.md", planText)
}

func TestEditOperation(t *testing.T) {
	s, v := openVault(t, plan)
	c := s.Client(rpctest.Connect)
	op := propose(t, v, "plan.md", planText+"- [ ] stove\n")[0]
	get := func(texts bool) *kistv1.Operation {
		r, err := c.Operation.GetOperation(t.Context(), &kistv1.GetOperationRequest{Id: op.ID, Texts: texts})
		if err != nil {
			t.Fatal(err)
		}
		return r.Operation
	}
	if text := get(false).Changes[0].Text; text != nil {
		t.Errorf("a text that nobody asked for: %q", *text)
	}
	shown := get(true)
	if got := shown.Changes[0].GetText(); got != planText+"- [ ] stove\n" {
		t.Errorf("it would hold %q", got)
	}
	change := func(digest string, texts ...*kistv1.FileText) (*kistv1.EditOperationResponse, error) {
		return c.Operation.EditOperation(t.Context(), &kistv1.EditOperationRequest{Id: op.ID, Digest: digest, Texts: texts})
	}
	text := &kistv1.FileText{Path: "plan.md", Text: planText + "- [ ] oven\n"}
	_, err := change("0000", text)
	wantCode(t, "another digest", err, connect.CodeAborted)
	_, err = change(shown.Digest, text, text)
	wantCode(t, "two texts", err, connect.CodeInvalidArgument)
	_, err = change(shown.Digest, &kistv1.FileText{Path: "other.md", Text: "x"})
	wantCode(t, "another file", err, connect.CodeNotFound)
	_, err = change(shown.Digest, &kistv1.FileText{Path: "plan.md", Text: planText})
	wantCode(t, "nothing left", err, connect.CodeInvalidArgument)
	edited, err := change(shown.Digest, text)
	if err != nil || edited.Operation.Status != "proposed" || edited.Operation.Id != op.ID || edited.Operation.Digest == shown.Digest {
		t.Fatal(edited, err)
	}
	_, err = c.Operation.ApproveOperation(t.Context(), &kistv1.ApproveOperationRequest{Id: op.ID, Digest: shown.Digest})
	wantCode(t, "approve what it was", err, connect.CodeAborted)
	wantText(t, v, "plan.md", planText)
	if _, err = c.Operation.ApproveOperation(t.Context(), &kistv1.ApproveOperationRequest{Id: op.ID, Digest: edited.Operation.Digest}); err != nil {
		t.Fatal(err)
	}
	wantText(t, v, "plan.md", text.Text)
	_, err = change(edited.Operation.Digest, text)
	wantCode(t, "edit what is done", err, connect.CodeFailedPrecondition)
	if text := get(true).Changes[0].Text; text != nil {
		t.Errorf("the text of what is done: %q", *text)
	}
	_, err = c.Operation.RetryOperation(t.Context(), &kistv1.RetryOperationRequest{Id: op.ID})
	wantCode(t, "retry what is done", err, connect.CodeFailedPrecondition)
}

// A text that isn't UTF-8 would come back as another one.
func TestTextsThatAreNone(t *testing.T) {
	s, v := openVault(t, plan)
	op := propose(t, v, "raw.md", "caf\xe9\n", "plan.md", planText+"x\n")
	for i, want := range []bool{false, true} {
		r, err := s.Client(rpctest.GRPC).Operation.GetOperation(t.Context(), &kistv1.GetOperationRequest{Id: op[i].ID, Texts: true})
		if err != nil || (r.Operation.Changes[0].Text != nil) != want {
			t.Errorf("%v, %v", r, err)
		}
	}
}

func TestApproveOperations(t *testing.T) {
	s, v := openVault(t, plan)
	c := s.Client(rpctest.ConnectJSON)
	ops := propose(t, v, "a.md", "a\n", "b.md", "b\n", "plan.md", planText+"end\n")
	approvals := func(ops ...vault.Operation) *kistv1.ApproveOperationsRequest {
		req := &kistv1.ApproveOperationsRequest{}
		for _, op := range ops {
			req.Approvals = append(req.Approvals, &kistv1.Approval{Id: op.ID, Digest: op.Digest})
		}
		return req
	}
	before := vaulttest.Tree(t, v.Dir(), "operations")
	bad := approvals(ops...)
	bad.Approvals[2].Digest = ops[1].Digest
	_, err := c.Operation.ApproveOperations(t.Context(), bad)
	wantCode(t, "one wrong digest", err, connect.CodeAborted)
	_, err = c.Operation.ApproveOperations(t.Context(), approvals(ops[0], ops[0]))
	wantCode(t, "one twice", err, connect.CodeAborted)
	_, err = c.Operation.ApproveOperations(t.Context(), approvals())
	wantCode(t, "none", err, connect.CodeInvalidArgument)
	sameTree(t, before, vaulttest.Tree(t, v.Dir(), "operations"))
	r, err := c.Operation.ApproveOperations(t.Context(), approvals(ops...))
	if err != nil || len(r.Operations) != 3 || r.Operations[2].Status != "completed" {
		t.Fatal(r, err)
	}
	wantText(t, v, "b.md", "b\n")
	wantText(t, v, "plan.md", planText+"end\n")
	again, err := c.Operation.ApproveOperations(t.Context(), approvals(ops...))
	if err != nil || !proto.Equal(again, r) { // the answer may have been lost
		t.Errorf("again: %v, %v", again, err)
	}
	other := approvals(ops...)
	other.Approvals[0].Digest = "another"
	_, err = c.Operation.ApproveOperations(t.Context(), other)
	wantCode(t, "another digest", err, connect.CodeFailedPrecondition)
}

// TestTwoApproveAtOnce: of two clients that approve the same at once one has it done, and
// the other one hears of the same operation.
func TestTwoApproveAtOnce(t *testing.T) {
	s, v := openVault(t, plan)
	clients := []*dial.Client{s.Client(rpctest.Connect), s.Client(rpctest.GRPC)}
	for round := range 100 {
		path := fmt.Sprintf("n%d.md", round)
		op := propose(t, v, path, "text\n")[0]
		var errs [2]error
		var wg sync.WaitGroup
		for i, c := range clients {
			wg.Go(func() {
				if round%2 == 0 {
					_, errs[i] = c.Operation.ApproveOperation(t.Context(), &kistv1.ApproveOperationRequest{Id: op.ID, Digest: op.Digest})
					return
				}
				_, errs[i] = c.Operation.ApproveOperations(t.Context(), &kistv1.ApproveOperationsRequest{
					Approvals: []*kistv1.Approval{{Id: op.ID, Digest: op.Digest}}})
			})
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
		wantText(t, v, path, "text\n")
	}
	r, err := clients[0].Operation.ListOperations(t.Context(), &kistv1.ListOperationsRequest{Limit: 1000})
	if err != nil || len(r.Operations) != 100 {
		t.Errorf("%d operations, %v", len(r.GetOperations()), err)
	}
}

func TestEntitiesAndMoves(t *testing.T) {
	s, v := openVault(t, plan+"-- other.md --\nother\n")
	c := s.Client(rpctest.GRPCWeb)
	edit(t, c, "blue\n")
	_, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
		Type: vault.OpMove, Entity: vault.Entity{Type: "document", Path: "moved.md"},
		Changes: []vault.Change{{Path: "moved.md", From: "plan.md"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"moved.md": 1, "plan.md": 2, "other.md": 0} {
		r, err := c.Operation.ListOperations(t.Context(), &kistv1.ListOperationsRequest{Entity: path})
		if err != nil || len(r.Operations) != want {
			t.Fatalf("%s: %v, %v", path, r, err)
		}
		if want > 0 && r.Operations[0].Changes[0].From != "plan.md" {
			t.Errorf("%s: %v", path, r.Operations[0])
		}
	}
}

func TestSectionsAndItems(t *testing.T) {
	s, v := openVault(t, plan)
	c := s.Client(rpctest.Connect)
	var errs [5]error
	_, errs[0] = c.Vault.InsertSection(t.Context(), &kistv1.InsertSectionRequest{Path: "plan.md", Beside: "Colour", Before: true, Heading: "Aim", Text: "A boat.\n"})
	_, errs[1] = c.Vault.InsertSection(t.Context(), &kistv1.InsertSectionRequest{Path: "plan.md", Beside: "Plan > List", Heading: "End", Level: 3})
	_, errs[2] = c.Vault.AppendItem(t.Context(), &kistv1.AppendItemRequest{Path: "plan.md", Section: "List", Text: "stove"})
	_, errs[3] = c.Vault.AppendItem(t.Context(), &kistv1.AppendItemRequest{Path: "plan.md", Section: "Aim", Text: "soon", Task: true})
	_, errs[4] = c.Vault.AppendItem(t.Context(), &kistv1.AppendItemRequest{Path: "plan.md", Section: "Aim", Text: "[x] done", Task: true, Reason: "why not"})
	for i, err := range errs {
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	r, err := c.Vault.EditItem(t.Context(), &kistv1.EditItemRequest{Path: "plan.md", Line: 7, Text: "now", Reason: "it is late"})
	if err != nil || r.Operation.Reason != "it is late" {
		t.Error(r, err)
	}
	want := strings.Replace(planText, "## Colour", "## Aim\n\nA boat.\n\n- [ ] now\n- [x] done\n\n## Colour", 1) + "- [ ] stove\n\n### End\n"
	wantText(t, v, "plan.md", want)
	_, err = c.Vault.EditItem(t.Context(), &kistv1.EditItemRequest{Path: "plan.md", Line: 1, Text: "x"})
	wantCode(t, "no item", err, connect.CodeNotFound)
	_, err = c.Vault.AppendItem(t.Context(), &kistv1.AppendItemRequest{Path: "plan.md", Text: "two\nlines"})
	wantCode(t, "two lines", err, connect.CodeInvalidArgument)
	_, err = c.Vault.InsertSection(t.Context(), &kistv1.InsertSectionRequest{Path: "plan.md", Beside: "Nowhere", Heading: "x"})
	wantCode(t, "no section", err, connect.CodeNotFound)
	wantText(t, v, "plan.md", want)
}

func sameTree(t *testing.T, before, after map[string]string) {
	t.Helper()
	for path, text := range after {
		if before[path] != text {
			t.Errorf("%s was changed", filepath.ToSlash(path))
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files became %d", len(before), len(after))
	}
}

// Messages must stay copies: an operation that is listed holds no text.
func TestListedOperationsHoldNoText(t *testing.T) {
	s, v := openVault(t, plan)
	propose(t, v, "plan.md", planText+"x\n")
	r, err := s.Client(rpctest.Connect).Operation.ListOperations(t.Context(), &kistv1.ListOperationsRequest{Status: "proposed"})
	if err != nil || len(r.Operations) != 1 || proto.Size(r.Operations[0].Changes[0]) > 200 {
		t.Errorf("%v, %v", r, err)
	}
}
