package rpc_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
)

func put(t *testing.T, dir, path, text string) (hash string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return string(vault.HashOf([]byte(text)))
}

func holds(t *testing.T, dir, path, want string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil || string(text) != want {
		t.Errorf("%s holds %q (%v), want %q", path, text, err, want)
	}
}

// span replaces from one byte column to another of a line.
func span(line, from, to int32, text string) *kistv1.DocumentEdit {
	return &kistv1.DocumentEdit{Range: &kistv1.Range{Start: &kistv1.Position{Line: line, Column: from}, End: &kistv1.Position{Line: line, Column: to}}, Text: text}
}

// span16 is span in columns of UTF-16.
func span16(line, from, to int32, text string) *kistv1.DocumentEdit {
	e := span(line, 0, 0, text)
	e.Range.Start.Utf16Column, e.Range.End.Utf16Column = proto.Int32(from), proto.Int32(to)
	return e
}

// TestEditDocument: only what the ranges hold changes, and undo restores every byte.
func TestEditDocument(t *testing.T) {
	across := span(0, 1, 0, "-")
	across.Range.End = &kistv1.Position{Line: 2, Column: 1}
	backward := span(0, 2, 1, "x")
	noEnd := span(0, 0, 0, "x")
	noEnd.Range.End = nil
	for _, test := range []struct {
		name, text string
		edits      []*kistv1.DocumentEdit
		want       string // empty: refused
	}{
		{"bytes", "# One\n\ntwo\n", []*kistv1.DocumentEdit{span(2, 0, 3, "three")}, "# One\n\nthree\n"},
		{"emoji by UTF-16", "a 😀 b\n", []*kistv1.DocumentEdit{span16(0, 2, 4, "🛶🛶"), span16(0, 5, 6, "é")}, "a 🛶🛶 é\n"},
		{"emoji by bytes", "a 😀 b\n", []*kistv1.DocumentEdit{span(0, 7, 8, "c")}, "a 😀 c\n"},
		{"CRLF and BOM", "\ufeffone\r\ntwo\r\n\r\n", []*kistv1.DocumentEdit{span(1, 0, 3, "zwei\r\ndrei")}, "\ufeffone\r\nzwei\r\ndrei\r\n\r\n"},
		{"mixed line endings, none at the end", "a\r\nb\nc", []*kistv1.DocumentEdit{span(1, 1, 1, "!"), span(2, 9, 9, "?")}, "a\r\nb!\nc?"},
		{"in any order", "abc\n", []*kistv1.DocumentEdit{span(0, 2, 3, "C"), span(0, 0, 1, "A")}, "AbC\n"},
		{"side by side", "abc\n", []*kistv1.DocumentEdit{span(0, 1, 2, "B"), span(0, 0, 1, "A"), span(0, 1, 1, "1"), span(0, 1, 1, "2")}, "A12Bc\n"},
		{"across lines", "abc\nd\nefg\n", []*kistv1.DocumentEdit{across}, "a-fg\n"},
		{"broken front matter is mended", "---\na: [\n---\nx\n", []*kistv1.DocumentEdit{span(1, 3, 4, "1")}, "---\na: 1\n---\nx\n"},
		{"a control character stays", "a\x00b\n", []*kistv1.DocumentEdit{span(0, 2, 3, "c")}, "a\x00c\n"},
		{"overlap", "abc\n", []*kistv1.DocumentEdit{span(0, 0, 2, "x"), span(0, 1, 3, "y")}, ""},
		{"twice the same", "abc\n", []*kistv1.DocumentEdit{span(0, 0, 2, "x"), span(0, 0, 2, "y")}, ""},
		{"inside another", "abc\n", []*kistv1.DocumentEdit{span(0, 0, 3, "x"), span(0, 1, 1, "y")}, ""},
		{"backward", "abc\n", []*kistv1.DocumentEdit{backward}, ""},
		{"no end", "abc\n", []*kistv1.DocumentEdit{noEnd}, ""},
		{"no range", "abc\n", []*kistv1.DocumentEdit{{Text: "x"}}, ""},
		{"no edit", "abc\n", nil, ""},
		{"NUL", "abc\n", []*kistv1.DocumentEdit{span(0, 0, 0, "\x00")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, dir := open(t, boat)
			c, ctx := s.Client(rpctest.ConnectJSON), t.Context()
			hash := put(t, dir, "a.md", test.text)
			res, err := c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: "a.md", Edits: test.edits, Expect: hash})
			if test.want == "" {
				if connect.CodeOf(err) != connect.CodeInvalidArgument {
					t.Errorf("not refused: %v, %v", res, err)
				}
				holds(t, dir, "a.md", test.text)
				return
			}
			if err != nil || res.Operation.Status != "completed" {
				t.Fatal(res, err)
			}
			holds(t, dir, "a.md", test.want)
			if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: res.Operation.Id}}); err != nil {
				t.Error(err)
			}
			holds(t, dir, "a.md", test.text)
		})
	}
}

// TestEditDocumentElsewhere: a hash of another text is a conflict with what is there, and
// what isn't UTF-8, or there, isn't edited.
func TestEditDocumentElsewhere(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.GRPC), t.Context()
	old := put(t, dir, "a.md", "one\n")
	put(t, dir, "a.md", "two\n")
	bytes := put(t, dir, "bytes.md", "a\xffb\n")
	edits := []*kistv1.DocumentEdit{span(0, 0, 1, "x")}
	_, err := c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: "a.md", Edits: edits, Expect: old})
	if connect.CodeOf(err) != connect.CodeAborted || infoOf(err).GetConflict().GetNow() != "two\n" {
		t.Errorf("edited since: %v, %v", err, infoOf(err))
	}
	_, err = c.Vault.DeleteDocument(ctx, &kistv1.DeleteDocumentRequest{Path: "a.md", Expect: old})
	if connect.CodeOf(err) != connect.CodeAborted || infoOf(err).GetConflict().GetNow() != "two\n" {
		t.Errorf("deleted since: %v", err)
	}
	for path, want := range map[string]connect.Code{"bytes.md": connect.CodeFailedPrecondition, "gone.md": connect.CodeNotFound} {
		if _, err = c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: path, Edits: edits, Expect: bytes}); connect.CodeOf(err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, expect := range []string{"", "abc"} {
		if _, err = c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: "a.md", Edits: edits, Expect: expect}); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("expect %q: %v", expect, err)
		}
		if _, err = c.Vault.DeleteDocument(ctx, &kistv1.DeleteDocumentRequest{Path: "a.md", Expect: expect}); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("expect %q: %v", expect, err)
		}
	}
	holds(t, dir, "a.md", "two\n")
	holds(t, dir, "bytes.md", "a\xffb\n")
}

// TestEditDocumentSideBySide: eight writers lose nothing of one another's.
func TestEditDocumentSideBySide(t *testing.T) {
	s, dir := open(t, boat)
	put(t, dir, "log.md", "# Log 😀\r\n")
	writers, rounds := 8, 4
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			c := s.Client(rpctest.Protocols()[w%len(rpctest.Protocols())])
			for round := 0; round < rounds; {
				doc, err := c.Vault.GetDocument(t.Context(), &kistv1.GetDocumentRequest{Path: "log.md"})
				if err != nil {
					t.Error(err)
					return
				}
				_, err = c.Vault.EditDocument(t.Context(), &kistv1.EditDocumentRequest{
					Path: "log.md", Edits: []*kistv1.DocumentEdit{span16(0, 8, 8, fmt.Sprintf("<%d.%d>", w, round))}, Expect: doc.Document.Hash,
				})
				switch {
				case err == nil:
					round++
				case connect.CodeOf(err) != connect.CodeAborted || infoOf(err).GetConflict().GetNow() == "":
					t.Errorf("refused: %v, %v", err, infoOf(err))
					return
				}
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "log.md"))
	if err != nil || !strings.HasPrefix(string(text), "# Log 😀") || !strings.HasSuffix(string(text), ">\r\n") {
		t.Errorf("%q, %v", text, err)
	}
	for w := range writers {
		for r := range rounds {
			if n := strings.Count(string(text), fmt.Sprintf("<%d.%d>", w, r)); n != 1 {
				t.Errorf("<%d.%d> is there %d times", w, r, n)
			}
		}
	}
}

// TestCreateAndDeleteDocument: bytes come and go as they are, nothing is overwritten, and a
// request that comes again is answered as it was.
func TestCreateAndDeleteDocument(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.GRPCWeb), t.Context()
	const path, text = "new/folder/a b.md", "\ufeff# A\r\n\r\nb"
	req := &kistv1.CreateDocumentRequest{Path: path, Text: text, RequestId: "create-it"}
	var id string
	for range 2 {
		made, err := c.Vault.CreateDocument(ctx, req)
		if err != nil || made.Path != path || id != "" && made.Operation.Id != id {
			t.Fatal(made, err)
		}
		id = made.Operation.Id
	}
	holds(t, dir, path, text)
	for _, again := range []string{path, "./new/x/../folder/a b.md", "new/folder/A b.md", "New/other.md"} { // the last two are other ones on some systems alone
		if _, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: again, Text: "other"}); connect.CodeOf(err) != connect.CodeAlreadyExists {
			t.Errorf("overwritten: %v", err)
		}
	}
	gone := &kistv1.DeleteDocumentRequest{Path: path, Expect: string(vault.HashOf([]byte(text))), RequestId: "delete-it"}
	for range 2 {
		res, err := c.Vault.DeleteDocument(ctx, gone)
		if err != nil {
			t.Fatal(err)
		}
		id = res.Operation.Id
	}
	if _, err := os.Stat(filepath.Join(dir, path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
	if _, err := c.Operation.UndoOperation(ctx, &kistv1.UndoOperationRequest{Target: &kistv1.UndoOperationRequest_Id{Id: id}}); err != nil {
		t.Error(err)
	}
	holds(t, dir, path, text)
	if made, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: "empty.md"}); err != nil {
		t.Error(made, err)
	}
	holds(t, dir, "empty.md", "")
}

// TestProposeDocuments: what is proposed changes nothing until it is approved, and overwrites
// nothing then.
func TestProposeDocuments(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	approve := func(op *kistv1.Operation) error {
		_, err := c.Operation.ApproveOperation(ctx, &kistv1.ApproveOperationRequest{Id: op.GetId(), Digest: op.GetDigest()})
		return err
	}
	hash := put(t, dir, "a.md", "one\r\n")
	changed, err := c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: "a.md", Edits: []*kistv1.DocumentEdit{span(0, 0, 3, "two")}, Expect: hash, Propose: true})
	if err != nil || changed.Operation.Status != "proposed" || changed.Operation.Digest == "" {
		t.Fatal(changed, err)
	}
	holds(t, dir, "a.md", "one\r\n")
	if err := approve(changed.Operation); err != nil {
		t.Error(err)
	}
	holds(t, dir, "a.md", "two\r\n")

	for _, text := range []string{"new\n", ""} {
		path := fmt.Sprintf("b%d.md", len(text))
		made, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: path, Text: text, Propose: true})
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, path, "the user's\n")
		if err := approve(made.Operation); err == nil {
			t.Error("approved over what came meanwhile")
		}
		holds(t, dir, path, "the user's\n")
	}
	gone, err := c.Vault.DeleteDocument(ctx, &kistv1.DeleteDocumentRequest{Path: "a.md", Expect: string(vault.HashOf([]byte("two\r\n"))), Propose: true})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "a.md", "two\r\n")
	if err := approve(gone.Operation); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.md")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

// TestDocumentPaths: nothing but documents is made, edited or deleted.
func TestDocumentPaths(t *testing.T) {
	s, dir := open(t, boat)
	outside := t.TempDir()
	hash := put(t, outside, "out.md", "out\n")
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, d := range []string{"operations/x", "sessions", "conversations", "projects/houseboat/conversations"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c, ctx := s.Client(rpctest.Connect), t.Context()
	for _, path := range []string{
		"../out.md", "a/../../out.md", "/etc/a.md", `a\b.md`, "C:a.md", "link/new.md", "link/out.md", ".kist/a.md", ".git/a.md", "a/.hidden/b.md", ".a.md",
		"operations/x/a.md", "sessions/a.md", "conversations/a.md", "projects/houseboat/conversations/a.md", "a.txt", "kist.yaml", "a", ".md", ".", "a\x00.md", "a\nb.md",
		"a/./../.git/b.md", "conversations/../conversations/b.md",
	} {
		if res, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: path, Text: "x"}); err == nil {
			t.Errorf("made %q: %v", path, res)
		}
		if res, err := c.Vault.EditDocument(ctx, &kistv1.EditDocumentRequest{Path: path, Edits: []*kistv1.DocumentEdit{span(0, 0, 0, "x")}, Expect: hash}); err == nil {
			t.Errorf("edited %q: %v", path, res)
		}
		if res, err := c.Vault.DeleteDocument(ctx, &kistv1.DeleteDocumentRequest{Path: path, Expect: hash}); err == nil {
			t.Errorf("deleted %q: %v", path, res)
		}
	}
	holds(t, outside, "out.md", "out\n")
	for _, path := range []string{"conversations/said.md", "projects/houseboat/conversations/said.md"} {
		hash := put(t, dir, path, "# Said\n")
		if _, err := c.Vault.DeleteDocument(ctx, &kistv1.DeleteDocumentRequest{Path: path, Expect: hash}); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("%s: %v", path, err)
		}
		holds(t, dir, path, "# Said\n")
	}
	long := strings.Repeat("x", 300) + ".md"
	if _, err := c.Vault.CreateDocument(ctx, &kistv1.CreateDocumentRequest{Path: long, Text: "x"}); connect.CodeOf(err) == connect.CodeInternal || err == nil {
		t.Errorf("a name too long: %v", err)
	}
}

// TestListDocuments: pages by path, of a folder or all, with what is known of each.
func TestListDocuments(t *testing.T) {
	s, dir := open(t, boat)
	c, ctx := s.Client(rpctest.Connect), t.Context()
	hash := put(t, dir, "projects/houseboat/notes/crlf.md", "\ufeff# Lines\r\n")
	put(t, dir, "projects/houseboat/notes/no.txt", "no document")
	for i := range 5 {
		put(t, dir, fmt.Sprintf("z%d.md", i), "\xff")
	}
	all, err := dial.All(ctx, &kistv1.ListDocumentsRequest{PageSize: 2}, c.Vault.ListDocuments)
	if err != nil || len(all.Documents) != int(all.TotalSize) {
		t.Fatal(all, err)
	}
	var paths []string
	for _, d := range all.Documents {
		paths = append(paths, d.Path)
		doc, err := c.Vault.GetDocument(ctx, &kistv1.GetDocumentRequest{Path: d.Path})
		if err != nil || doc.Document.Hash != d.Hash || doc.Document.Title != d.Title || doc.Document.Type != d.Type {
			t.Errorf("%v isn't %v, %v", d, doc, err)
		}
	}
	if !slices.IsSorted(paths) || !slices.Contains(paths, "z4.md") || slices.Contains(paths, "projects/houseboat/notes/no.txt") {
		t.Error(paths)
	}
	some, err := c.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{Prefix: "projects/houseboat/notes/"})
	if err != nil || len(some.Documents) != 2 || some.TotalSize != 2 || some.NextPageToken != "" {
		t.Fatal(some, err)
	}
	d := some.Documents[0]
	if d.Path != "projects/houseboat/notes/crlf.md" || d.Title != "Lines" || d.Type != "note" || d.Hash != hash || d.Size != 12 || d.Modified.AsTime().IsZero() {
		t.Error(d)
	}
	none, err := c.Vault.ListDocuments(ctx, &kistv1.ListDocumentsRequest{Prefix: "../"})
	if err != nil || len(none.Documents) != 0 {
		t.Error(none, err)
	}
}
