package rpc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
	"kist/vault/merge"
	"kist/vault/vaulttest"
)

// small is an answer, in either form, that clients with the usual limits can take.
func small(t *testing.T, what string, m proto.Message) {
	t.Helper()
	j, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if n := max(proto.Size(m), len(j)); n > 1<<20 {
		t.Errorf("%s: an answer of %d bytes", what, n)
	}
}

// TestAnswerSizes: no answer about a document of megabytes, or a change of it, is above 1 MiB,
// and all of it can be read.
func TestAnswerSizes(t *testing.T) {
	v := vaulttest.New(t, boat)
	c, ctx := serveVault(t, v).Client(rpctest.ConnectJSON), t.Context()
	lines := func(what string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s %06d, \"quoted\" and long enough – with ünïcode\n", what, i)
		}
		return b.String()
	}
	large, other := lines("one line of many", 25_000), lines("another line of many", 25_000)
	headings := strings.Repeat("# A\n", 100_000)
	bytes := strings.Repeat("\xff\xfe text\n", 160_000)
	for name, text := range map[string]string{"large.md": large, "headings.md": headings} {
		made, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: name, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		small(t, "made "+name, made)
	}
	step := vault.Step{
		Type: vault.OpCreate, Entity: vault.Entity{Type: "note", Path: "bytes.md"}, Reason: "test",
		Changes: []vault.Change{{Path: "bytes.md", After: []byte(bytes)}},
	}
	if _, err := v.Apply(ctx, vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{step}}); err != nil {
		t.Fatal(err)
	}
	get := func(ctx context.Context, req *kistv1.GetDocumentRequest) (*kistv1.GetDocumentResponse, error) {
		r, err := c.Vault.GetDocument(ctx, req)
		small(t, req.Path, r)
		return r, err
	}
	var hash string
	for name, text := range map[string]string{"headings.md": headings, "bytes.md": bytes, "large.md": large, "broken.md": ""} {
		if _, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: name}); text != "" && infoOf(err).GetReason() != "LARGE_ANSWER" {
			t.Errorf("%s as a whole: %v", name, err)
		}
		r, err := dial.Document(ctx, name, get)
		if got := r.GetDocument().GetContent() + string(r.GetDocument().GetText()); err != nil || got != text && text != "" {
			t.Errorf("%s in pages: %d bytes of %d, %v", name, len(got), len(text), err)
		}
		if name == "large.md" {
			hash = r.GetDocument().GetHash()
		}
	}
	edit := &kistv1.EditDocumentRequest{Path: "large.md", Expect: hash, Propose: true, Edits: []*kistv1.DocumentEdit{{
		Range: &kistv1.Range{Start: &kistv1.Position{}, End: &kistv1.Position{Line: 60_000}}, Text: other,
	}}}
	edited, err := c.Vault.EditDocument(ctx, edit)
	if err != nil {
		t.Fatal(err)
	}
	small(t, "edited", edited)
	if change := edited.Operation.Changes[0]; change.Patch != "" || !change.PatchLeftOut {
		t.Errorf("edited: %d bytes of a patch, left out: %v", len(change.Patch), change.PatchLeftOut)
	}
	if _, err := c.Operation.GetOperation(ctx, &kistv1.GetOperationRequest{Id: edited.Operation.Id}); infoOf(err).GetReason() != "LARGE_ANSWER" {
		t.Errorf("the operation as a whole: %v", err)
	}
	op, err := dial.Operation(ctx, edited.Operation.Id, true, func(ctx context.Context, req *kistv1.GetOperationRequest) (*kistv1.GetOperationResponse, error) {
		r, err := c.Operation.GetOperation(ctx, req)
		small(t, "operation", r)
		return r, err
	})
	if err != nil || len(op.Operation.Changes) != 1 || op.Operation.Changes[0].GetText() != other {
		t.Fatalf("the operation in pages: %d changes, %v", len(op.GetOperation().GetChanges()), err)
	}
	if after, err := merge.Patch([]byte(large), op.Operation.Changes[0].Patch); err != nil || string(after) != other {
		t.Errorf("the patch in pages leads elsewhere: %v", err)
	}
	approved, err := c.Operation.ApproveOperation(ctx, &kistv1.ApproveOperationRequest{Id: op.Operation.Id, Digest: op.Operation.Digest})
	if err != nil {
		t.Fatal(err)
	}
	small(t, "approved", approved)
	undone, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: op.Operation.Id}})
	if err != nil {
		t.Fatal(err)
	}
	small(t, "undone", undone)
}

// TestChangingWhileRead: the pages of a document that changes meanwhile aren't put together.
func TestChangingWhileRead(t *testing.T) {
	v := vaulttest.New(t, boat)
	c, ctx := serveVault(t, v).Client(rpctest.Connect), t.Context()
	if _, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: "large.md", Text: strings.Repeat("before\n", 300_000)}); err != nil {
		t.Fatal(err)
	}
	calls := 0
	r, err := dial.Document(ctx, "large.md", func(ctx context.Context, req *kistv1.GetDocumentRequest) (*kistv1.GetDocumentResponse, error) {
		if calls++; calls == 2 {
			if err := os.WriteFile(filepath.Join(v.Dir(), "large.md"), []byte(strings.Repeat("after!\n", 300_000)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return c.Vault.GetDocument(ctx, req)
	})
	if err != nil || strings.Contains(r.Document.GetContent(), "before") || len(r.Document.GetContent()) != 7*300_000 {
		t.Errorf("%d bytes after %d calls: %v", len(r.GetDocument().GetContent()), calls, err)
	}
}
