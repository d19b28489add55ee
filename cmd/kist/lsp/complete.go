package lsp

import (
	"context"
	"fmt"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func (s *server) completion(ctx context.Context, d *document, at position) (*completionList, error) {
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.CompleteRequest) (*v1.CompleteResponse, error) {
		return k.Language.Complete
	}, &v1.CompleteRequest{Path: d.path, Position: s.at(at), Unsaved: s.unsaved(d)})
	if err != nil {
		return nil, err
	}
	// The daemon looks for more than what a name begins with, so it is asked anew as more is typed.
	list := &completionList{IsIncomplete: true, Items: []completionItem{}}
	if res.Range == nil {
		return list, nil
	}
	where := s.span(res.Range)
	typed := string(d.text[s.offset(d, where.Start):max(s.offset(d, where.Start), s.offset(d, at))])
	for i, c := range res.Completions {
		item := completionItem{
			Label: c.Label, Kind: completionKind(res.Kind), Detail: c.Detail, SortText: fmt.Sprintf("%04d", i),
			// What the daemon found is right; editors that filter go by how this begins.
			FilterText: typed + " " + c.Text, TextEdit: textEdit{where, c.Text},
		}
		if link := res.Kind == "note" || res.Kind == "heading" || res.Kind == "block"; link && !res.Closed {
			item.TextEdit.NewText += "]]"
		}
		list.Items = append(list.Items, item)
	}
	return list, nil
}

func completionKind(kind string) int {
	switch kind {
	case "note", "heading", "block", "person", "project":
		return kindReference
	case "tag", "key":
		return kindKeyword
	case "value", "date":
		return kindValue
	}
	return kindText
}
