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
	s.telling.Lock() // a buffer is edited before it hears that its file has another name
	defer s.telling.Unlock()
	res, err := do(ctx, s, func(k *dial.Client) func(context.Context, *v1.RenameRequest) (*v1.RenameResponse, error) {
		return k.Language.Rename
	}, &v1.RenameRequest{Path: d.path, Position: at, NewName: p.NewName, Unsaved: unsaved, Expect: expect})
	if err != nil {
		return nil, said(err)
	}
	edit, changed := s.editsOf(res.Edits, sent)
	if _, open := sent[res.From]; open {
		s.moved(ctx, res, &edit)
	}
	if len(changed) > 0 {
		s.show(messageWarning, fmt.Sprintf("kist: %s was changed during the rename and keeps the old name", changed[0]))
	}
	if n := len(res.Left); n > 0 {
		first := res.Left[0]
		s.show(messageWarning, fmt.Sprintf("kist: %d places keep the old name, the first is %s:%d: %s", n, first.Path, first.Line, first.Message))
	}
	return edit, nil
}

// moved tells the editor of a document with unsaved text that has another name now. What
// changes in it the editor makes while it still has the old one.
func (s *server) moved(ctx context.Context, res *v1.RenameResponse, edit *workspaceEdit) {
	uri := s.uriOf(res.From)
	if own := edit.Changes[uri]; len(own) > 0 && s.applies {
		_, err := s.rpc.Callback(ctx, "workspace/applyEdit", map[string]any{"edit": workspaceEdit{map[string][]textEdit{uri: own}}})
		if err == nil {
			delete(edit.Changes, uri)
		}
	}
	file := slices.ContainsFunc(res.Operation.GetChanges(), func(c *v1.FileChange) bool { return c.From == res.From })
	switch {
	case !s.renames: // with unsaved text it has to be somebody's own doing
		s.show(messageInfo, fmt.Sprintf("kist: %s is %s from now on; save what is unsaved of it there", res.From, res.Path))
	case !file: // of which no operation tells
		_ = s.rpc.Notify(s.ctx, "kist/renamed", map[string]any{"from": s.root + "/" + res.From, "to": s.root + "/" + res.Path})
	}
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
