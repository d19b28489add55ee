package lsp

import (
	"context"
	"fmt"
	"slices"

	"github.com/creachadair/jrpc2"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

type placeholder struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

func (s *server) prepareRename(ctx context.Context, d *document, at position) (*placeholder, error) {
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.PrepareRenameRequest) (*v1.PrepareRenameResponse, error) {
		return k.Language.PrepareRename
	}, &v1.PrepareRenameRequest{Path: d.path, Position: s.at(at), Unsaved: s.unsaved(d)})
	if err != nil || res.Kind == "" {
		return nil, err
	}
	return &placeholder{s.span(res.Range), res.Name}, nil
}

// rename renames what is at a position in all files. What isn't saved is left out of the
// operation, and comes back for the editor to change.
func (s *server) rename(ctx context.Context, req *jrpc2.Request) (any, error) {
	var p struct {
		positionParams
		NewName string `json:"newName"`
	}
	if err := unmarshal(req, &p); err != nil {
		return nil, err
	}
	d := s.document(p.TextDocument.URI)
	if !d.usable() {
		return nil, jrpc2.Errorf(requestFailed, "%s isn't a document of the vault %s that is open", p.TextDocument.URI, s.root)
	}
	var unsaved []*v1.UnsavedDocument
	sent, expect, at := map[string]int{}, "", s.at(p.Position)
	for _, o := range s.opened() {
		if !o.usable() {
			continue
		}
		if now, saved := s.isSaved(ctx, o); saved {
			if o.path == d.path {
				expect, at = now.Hash, s.inFile(p.Position, d, now)
			}
			continue
		}
		sent[o.path] = o.version
		unsaved = append(unsaved, &v1.UnsavedDocument{Path: o.path, Text: valid(o.text)})
	}
	res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.RenameRequest) (*v1.RenameResponse, error) {
		return k.Language.Rename
	}, &v1.RenameRequest{Path: d.path, Position: at, NewName: p.NewName, Unsaved: unsaved, Expect: expect})
	if err != nil {
		return nil, said(err)
	}
	edit, changed := s.editsOf(res.Edits, sent)
	if len(changed) > 0 {
		s.show(messageWarning, fmt.Sprintf("kist: %s was changed during the rename and keeps the old name", changed[0]))
	}
	if n := len(res.Left); n > 0 {
		first := res.Left[0]
		s.show(messageWarning, fmt.Sprintf("kist: %d places keep the old name, the first is %s:%d: %s", n, first.Path, first.Line, first.Message))
	}
	return edit, nil
}

// editsOf are edits of buffers for the editor, and the paths of those buffers that aren't what they were
// when they were sent, by their versions: edits would hit other text there.
func (s *server) editsOf(edits []*v1.TextEdit, sent map[string]int) (edit workspaceEdit, changed []string) {
	edit.Changes = map[string][]textEdit{}
	for _, e := range edits {
		uri := s.uriOf(e.Path)
		if d := s.document(uri); d == nil || d.version != sent[e.Path] {
			if !slices.Contains(changed, e.Path) {
				changed = append(changed, e.Path)
			}
			continue
		}
		edit.Changes[uri] = append(edit.Changes[uri], textEdit{s.span(e.Range), e.NewText})
	}
	return edit, changed
}
