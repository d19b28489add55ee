package rpc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

const linkedNotes = boat + `
-- home.md --
# Home
See [[yard#The yard|it]] and [[nowhere]]. #water/blue
`

// TestLanguage asks over each protocol what an editor asks, with a text that isn't saved.
func TestLanguage(t *testing.T) {
	for _, p := range rpctest.Protocols() {
		t.Run(string(p), func(t *testing.T) {
			s, dir := open(t, linkedNotes)
			c, ctx := s.Client(p).Language, t.Context()
			unsaved := []*kistv1.UnsavedDocument{{Path: "new.md", Text: "\U0001F600 [[ya"}}
			got, err := c.Complete(ctx, &kistv1.CompleteRequest{Path: "new.md", Position: &kistv1.Position{Utf16Column: proto.Int32(7)}, Unsaved: unsaved})
			if err != nil || got.Kind != "note" || len(got.Completions) != 1 || got.Completions[0].Text != "yard" || got.Range.Start.GetUtf16Column() != 5 || got.Range.Start.Column != 7 {
				t.Errorf("complete: %v, %v", got, err)
			}
			link, err := c.ResolveLink(ctx, &kistv1.ResolveLinkRequest{Path: "home.md", Position: &kistv1.Position{Line: 1, Column: 8}})
			if err != nil || link.Link.GetPath() != "projects/houseboat/notes/yard.md" || link.Link.Range == nil || link.Link.LinkingDocuments != 1 {
				t.Errorf("resolve: %v, %v", link, err)
			}
			links, err := c.ListLinks(ctx, &kistv1.ListLinksRequest{Path: "home.md", PageSize: 1})
			if err != nil || len(links.Links) != 1 || links.NextPageToken == "" {
				t.Errorf("links: %v, %v", links, err)
			}
			tags, err := c.ListTags(ctx, &kistv1.ListTagsRequest{Prefix: "#wat"})
			if err != nil || len(tags.Tags) != 2 {
				t.Errorf("tags: %v, %v", tags, err)
			}
			symbols, err := c.DocumentSymbols(ctx, &kistv1.DocumentSymbolsRequest{Path: "projects/houseboat/project.md"})
			if err != nil || len(symbols.Symbols) != 3 {
				t.Errorf("symbols: %v, %v", symbols, err)
			}
			faults, err := c.CheckDocument(ctx, &kistv1.CheckDocumentRequest{Path: "home.md"})
			if err != nil || len(faults.Faults) != 1 || faults.Faults[0].Code != "dead_link" || faults.Faults[0].Target != "nowhere" {
				t.Errorf("faults: %v, %v", faults, err)
			}
			at := &kistv1.Position{Line: 1, Column: 8}
			name, err := c.PrepareRename(ctx, &kistv1.PrepareRenameRequest{Path: "home.md", Position: at})
			if err != nil || name.Kind != "note" || name.Name != "yard" {
				t.Errorf("prepare: %v, %v", name, err)
			}
			proposed, err := c.Rename(ctx, &kistv1.RenameRequest{Path: "home.md", Position: at, NewName: "Shipyard", Propose: true})
			if err != nil || proposed.Operation.GetStatus() != "proposed" || len(proposed.Operation.Changes) != 2 {
				t.Errorf("propose: %v, %v", proposed, err)
			}
			renamed, err := c.Rename(ctx, &kistv1.RenameRequest{Path: "home.md", Position: at, NewName: "Shipyard"})
			if err != nil || renamed.Operation.GetStatus() != "completed" || renamed.Path != "projects/houseboat/notes/Shipyard.md" {
				t.Fatalf("rename: %v, %v", renamed, err)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "home.md")); err != nil || !strings.Contains(string(text), "[[Shipyard#The yard|it]]") {
				t.Errorf("%q, %v", text, err)
			}
			moved, err := c.MoveDocument(ctx, &kistv1.MoveDocumentRequest{Path: renamed.Path, To: "a/b.md", UpdateLinks: true})
			if err != nil || len(moved.Operation.GetChanges()) != 2 {
				t.Errorf("move: %v, %v", moved, err)
			}
			refs, err := c.ListReferences(ctx, &kistv1.ListReferencesRequest{Path: "a/b.md"})
			if err != nil || len(refs.References) != 1 || refs.References[0].Path != "home.md" {
				t.Errorf("references: %v, %v", refs, err)
			}
			cut, err := c.ExtractSection(ctx, &kistv1.ExtractSectionRequest{Path: "home.md", Position: &kistv1.Position{}})
			if err != nil || cut.Path != "Home-2.md" && cut.Path != "Home 2.md" {
				t.Errorf("extract: %v, %v", cut, err)
			}
			if _, err := c.MoveDocument(ctx, &kistv1.MoveDocumentRequest{Path: "a/b.md", To: "../x.md"}); connect.CodeOf(err) != connect.CodeInvalidArgument {
				t.Errorf("out of the vault: %v", err)
			}
			if _, err := c.ResolveLink(ctx, &kistv1.ResolveLinkRequest{Path: "home.md"}); connect.CodeOf(err) != connect.CodeInvalidArgument {
				t.Errorf("no target: %v", err)
			}
		})
	}
}

// TestLanguageWritesWithCare: what an editor writes is carried out once, and not on a document
// that became another one.
func TestLanguageWritesWithCare(t *testing.T) {
	s, dir := open(t, linkedNotes)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	at := &kistv1.Position{Line: 1, Column: 8}
	home := filepath.Join(dir, "home.md")
	hash := func() string {
		d, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: "home.md"})
		if err != nil {
			t.Fatal(err)
		}
		return d.Document.Hash
	}
	stale, before := strings.Repeat("0", 64), readText(t, home)
	_, renamed := c.Language.Rename(ctx, &kistv1.RenameRequest{Path: "home.md", Position: at, NewName: "Shipyard", Expect: stale})
	_, moved := c.Language.MoveDocument(ctx, &kistv1.MoveDocumentRequest{Path: "home.md", To: "b.md", Expect: stale})
	_, cut := c.Language.ExtractSection(ctx, &kistv1.ExtractSectionRequest{Path: "home.md", Position: &kistv1.Position{}, Expect: stale})
	for what, err := range map[string]error{"rename": renamed, "move": moved, "extract": cut} {
		if info := infoOf(err); info.GetReason() != "CONFLICT" || info.GetConflict().GetNow() != before {
			t.Errorf("%s: %v, %v", what, err, info)
		}
	}
	if readText(t, home) != before {
		t.Error("it was written")
	}
	req := &kistv1.RenameRequest{Path: "home.md", Position: at, NewName: "Shipyard", Expect: hash(), RequestId: "rename-yard-1"}
	first, err := c.Language.Rename(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Language.Rename(ctx, req)
	if err != nil || again.Operation.GetId() != first.Operation.GetId() {
		t.Errorf("%v, %v", again, err)
	}
	req.NewName = "Quay"
	if _, err := c.Language.Rename(ctx, req); infoOf(err).GetReason() != "REQUEST_ID_REUSED" {
		t.Errorf("another request of that name: %v", err)
	}
	move := &kistv1.MoveDocumentRequest{Path: "home.md", To: "a/home.md", UpdateLinks: true, Expect: hash(), RequestId: "move-home-1"}
	one, err := c.Language.MoveDocument(ctx, move)
	if err != nil {
		t.Fatal(err)
	}
	two, err := c.Language.MoveDocument(ctx, move)
	if err != nil || one.Operation.GetId() != two.Operation.GetId() {
		t.Errorf("%v, %v", two, err)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
