package rpc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

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
	large, other := lines("one line of many", 17_000), lines("another line of many", 17_000)
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

// TestEveryAnswerIsBounded goes over the descriptors of all calls with one answer: those that
// read are held to 1 MiB before they are sent (bounds.NewAnswers); of those that write, each
// answer is made of what is bounded, or it says here why it is all the same.
func TestEveryAnswerIsBounded(t *testing.T) {
	const (
		fits   = "what doesn't fit is refused before anything is written: TestLargeEdits"
		few    = "as many as the request names, which has a limit, and each is bounded"
		log    = "operations that don't fit are left out: their batch tells"
		byHand = "paths of notes that somebody edited by hand, or too long to be one"
		ours   = "what kist says itself, or the settings of this machine"
	)
	reasons := map[string]string{
		"Rename": fits, "MoveDocument": fits, "CreateTasks": few, "AdoptProjects": few,
		"ApproveOperations": log, "UndoOperation": log, "RedoOperation": log, "ResolveConflict": log, "FinalizeDraft": log,
		"ImportConversations": byHand, "StartSession": ours, "UseModel": ours, "TrustPolicy": ours, "DistrustPolicy": ours, "CreateToken": ours,
	}
	// What of a document is in these is a line, a name or a path of it.
	bounded := []protoreflect.Name{"Operation", "Task", "Project", "Memory", "Draft", "Session"}
	for m := range methods(t) {
		options, _ := m.Options().(*descriptorpb.MethodOptions)
		if m.IsStreamingServer() || options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS {
			continue
		}
		fields, open := m.Output().Fields(), ""
		for i := range fields.Len() {
			f := fields.Get(i)
			if f.IsList() || f.IsMap() || f.Kind() == protoreflect.BytesKind || f.Message() != nil && !slices.Contains(bounded, f.Message().Name()) {
				open += " " + string(f.Name())
			}
		}
		if _, ok := reasons[string(m.Name())]; ok != (open != "") {
			t.Errorf("%s: without a limit of their own:%s; a reason: %v", m.FullName(), open, ok)
		}
		delete(reasons, string(m.Name()))
	}
	for name := range reasons {
		t.Errorf("no call %s that writes", name)
	}
}

// TestLargeEdits: a change of unsaved documents that can't be answered isn't made.
func TestLargeEdits(t *testing.T) {
	v := vaulttest.New(t, "-- note.md --\n# Note\n-- other.md --\nsee [[note]]\n")
	c, ctx := serveVault(t, v).Client(rpctest.GRPC), t.Context()
	unsaved := []*kistv1.UnsavedDocument{{Path: "draft.md", Text: strings.Repeat("- [[note]]\n", 20_000)}}
	_, moved := c.Language.MoveDocument(ctx, &kistv1.MoveDocumentRequest{Path: "note.md", To: "paper.md", UpdateLinks: true, Unsaved: unsaved})
	_, renamed := c.Language.Rename(ctx, &kistv1.RenameRequest{Path: "other.md", Position: &kistv1.Position{Column: 7}, NewName: "paper", Unsaved: unsaved})
	for what, err := range map[string]error{"moved": moved, "renamed": renamed} {
		if infoOf(err).GetReason() != "LARGE_ANSWER" || !strings.Contains(err.Error(), "save the documents") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if ops, err := v.Operations(ctx, vault.Filter{}); err != nil || len(ops) > 0 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
	unsaved[0].Text = strings.Repeat("- [[note]]\n", 1000)
	r, err := c.Language.MoveDocument(ctx, &kistv1.MoveDocumentRequest{Path: "note.md", To: "paper.md", UpdateLinks: true, Unsaved: unsaved})
	if err != nil || len(r.Edits) != 1000 || r.Operation == nil {
		t.Errorf("of 1,000 links: %d edits, %v", len(r.GetEdits()), err)
	}
	small(t, "moved", r)
}

// TestLargeLists: what an editor asks for is cut where an answer is full, and says so; lines
// of a megabyte stop no listing.
func TestLargeLists(t *testing.T) {
	var heads, dead strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&heads, "# %04d %s\n", i, strings.Repeat("h", 895))
	}
	for i := range 900 {
		fmt.Fprintf(&dead, "[[%04d%s]]\n", i, strings.Repeat("d", 2000))
	}
	v := vaulttest.New(t, "-- note.md --\n# Note\n")
	c, ctx := serveVault(t, v).Client(rpctest.ConnectJSON), t.Context()
	head := []*kistv1.UnsavedDocument{{Path: "head.md", Text: heads.String()}}
	unsaved := []*kistv1.UnsavedDocument{{Path: "dead.md", Text: dead.String()}}
	completed, err := c.Language.Complete(ctx, &kistv1.CompleteRequest{Kind: "heading", Of: "head", Limit: 1000, Unsaved: head})
	if err != nil || !completed.More || len(completed.Completions) < 400 {
		t.Errorf("%d completions, more: %v, %v", len(completed.GetCompletions()), completed.GetMore(), err)
	}
	small(t, "completed", completed)
	checked, err := c.Language.CheckDocument(ctx, &kistv1.CheckDocumentRequest{Path: "dead.md", Unsaved: unsaved})
	if err != nil || !checked.More || len(checked.Faults) < 200 {
		t.Errorf("%d faults, more: %v, %v", len(checked.GetFaults()), checked.GetMore(), err)
	}
	small(t, "checked", checked)
	symbols, err := c.Language.DocumentSymbols(ctx, &kistv1.DocumentSymbolsRequest{Path: "head.md", Unsaved: head})
	if err != nil || !symbols.More {
		t.Errorf("%d symbols, more: %v, %v", len(symbols.GetSymbols()), symbols.GetMore(), err)
	}
	small(t, "symbols", symbols)
	long := strings.Repeat("l", 1_200_000)
	for name, text := range map[string]string{
		"task.md": "- [ ] " + long, "head.md": "# " + long, "link.md": "[[" + long + "]]", "tag.md": "#" + long, "front.md": "---\ntitle: " + long + "\n---\n",
	} {
		if err := os.WriteFile(filepath.Join(v.Dir(), name), []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tasks, err := c.Task.ListTasks(ctx, &kistv1.ListTasksRequest{})
	if err != nil || len(tasks.Tasks) != 1 || !strings.HasSuffix(tasks.Tasks[0].Title, "...") {
		t.Errorf("tasks: %d, %v", len(tasks.GetTasks()), err)
	}
	if documents, err := c.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{}); err != nil || len(documents.Documents) != 6 {
		t.Errorf("documents: %d, %v, then %q", len(documents.GetDocuments()), err, documents.GetNextPageToken())
	}
	if links, err := c.Language.ListLinks(ctx, &kistv1.ListLinksRequest{Path: "link.md"}); err != nil || len(links.Links) != 1 {
		t.Errorf("links: %d, %v", len(links.GetLinks()), err)
	}
	if tags, err := c.Language.ListTags(ctx, &kistv1.ListTagsRequest{}); err != nil || len(tags.Tags) != 1 {
		t.Errorf("tags: %d, %v", len(tags.GetTags()), err)
	}
	done, err := c.Task.CompleteTask(ctx, &kistv1.CompleteTaskRequest{Task: "task.md:1"})
	if err != nil {
		t.Fatal(err)
	}
	small(t, "done", done)
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
