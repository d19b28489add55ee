package lsp

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// linkAt returns the link at a position; nil: there is none.
func (s *server) linkAt(ctx context.Context, d *document, at position) (*v1.Link, error) {
	res, err := ask(ctx, s, resolveLink, &v1.ResolveLinkRequest{Path: d.path, Position: s.at(at), Unsaved: s.unsaved(d)})
	return res.GetLink(), err
}

func resolveLink(k *dial.Client) func(context.Context, *v1.ResolveLinkRequest) (*v1.ResolveLinkResponse, error) {
	return k.Language.ResolveLink
}

func (s *server) hover(ctx context.Context, d *document, at position) (*hover, error) {
	l, err := s.linkAt(ctx, d, at)
	if err != nil || l == nil || l.Attachment {
		return nil, err
	}
	where := s.span(l.Location.GetRange())
	if l.Path == "" {
		return &hover{markup{"markdown", fmt.Sprintf("No document is called **%s**.", l.Target)}, &where}, nil
	}
	text := fmt.Sprintf("**%s** (%s)\n\n%s\n\n---\n%s", l.Title, l.Path, l.Excerpt, linking(int(l.LinkingDocuments)))
	if l.MissingAnchor {
		text = fmt.Sprintf("%s has no **%s**.", l.Path, l.Anchor)
	}
	if len(l.Others) > 0 {
		text += "\n\nSo are called: " + strings.Join(l.Others, ", ")
	}
	return &hover{markup{"markdown", text}, &where}, nil
}

// linking says how many documents link to one.
func linking(n int) string {
	switch n {
	case 0:
		return "No document links here."
	case 1:
		return "1 document links here."
	}
	return fmt.Sprintf("%d documents link here.", n)
}

func (s *server) definition(ctx context.Context, d *document, at position) ([]location, error) {
	l, err := s.linkAt(ctx, d, at)
	if err != nil || l.GetPath() == "" {
		return []location{}, err
	}
	return []location{s.location(l.Path, l.Range)}, nil
}

// maxReferences is how many references an editor is given.
const maxReferences = 2000

func (s *server) references(ctx context.Context, d *document, at position) ([]location, error) {
	list := []location{}
	req := &v1.ListReferencesRequest{Path: d.path, Position: s.at(at), Unsaved: s.unsaved(d), PageSize: 1000}
	for {
		res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.ListReferencesRequest) (*v1.ListReferencesResponse, error) {
			return k.Language.ListReferences
		}, req)
		if err != nil {
			return nil, err
		}
		for _, r := range res.References {
			list = append(list, s.location(r.Path, r.Range))
		}
		if req.PageToken = res.NextPageToken; req.PageToken == "" || len(list) >= maxReferences {
			return list, nil
		}
	}
}

func (s *server) documentLinks(ctx context.Context, d *document, _ position) ([]documentLink, error) {
	list := []documentLink{}
	req := &v1.ListLinksRequest{Path: d.path, Unsaved: s.unsaved(d), PageSize: 1000}
	for {
		res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.ListLinksRequest) (*v1.ListLinksResponse, error) {
			return k.Language.ListLinks
		}, req)
		if err != nil {
			return nil, err
		}
		for _, l := range res.Links {
			if l.Path != "" {
				list = append(list, documentLink{Range: s.span(l.Location.Range), Target: s.uriOf(l.Path), Tooltip: l.Title})
			}
		}
		if req.PageToken = res.NextPageToken; req.PageToken == "" || len(list) >= maxReferences {
			return list, nil
		}
	}
}

func (s *server) symbols(ctx context.Context, d *document) ([]*v1.Symbol, error) {
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.DocumentSymbolsRequest) (*v1.DocumentSymbolsResponse, error) {
		return k.Language.DocumentSymbols
	}, &v1.DocumentSymbolsRequest{Path: d.path, Unsaved: s.unsaved(d)})
	return res.GetSymbols(), err
}

func (s *server) documentSymbols(ctx context.Context, d *document, _ position) ([]*documentSymbol, error) {
	symbols, err := s.symbols(ctx, d)
	if err != nil {
		return nil, err
	}
	root := &documentSymbol{Children: []*documentSymbol{}}
	type open struct {
		level  int
		symbol *documentSymbol
	}
	stack := []open{{0, root}}
	for _, one := range symbols {
		sym := &documentSymbol{Name: one.Name, Kind: symbolString, Range: s.span(one.Range), SelectionRange: s.span(one.Selection)}
		switch one.Kind {
		case "task":
			sym.Kind = symbolBool
		case "block":
			sym.Kind = symbolKey
		}
		if strings.TrimSpace(sym.Name) == "" {
			sym.Name = "-" // editors refuse an empty one
		}
		for one.Kind == "heading" && stack[len(stack)-1].level >= int(one.Level) {
			stack = stack[:len(stack)-1]
		}
		above := stack[len(stack)-1].symbol
		above.Children = append(above.Children, sym)
		if one.Kind == "heading" {
			stack = append(stack, open{int(one.Level), sym})
		}
	}
	return root.Children, nil
}

// maxSymbols is how many symbols of each kind an editor is given.
const maxSymbols = 200

// workspaceSymbols are documents that are called something with a text in it, and headings.
func (s *server) workspaceSymbols(ctx context.Context, p struct {
	Query string `json:"query"`
}) ([]symbolInformation, error) {
	list := []symbolInformation{}
	for _, kind := range []string{"note", "heading"} {
		res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.CompleteRequest) (*v1.CompleteResponse, error) {
			return k.Language.Complete
		}, &v1.CompleteRequest{Kind: kind, Prefix: valid([]byte(p.Query)), Limit: maxSymbols, Unsaved: s.unsaved(nil)})
		if err != nil {
			return nil, said(err)
		}
		for _, c := range res.Completions {
			sym := symbolInformation{Name: c.Label, Kind: symbolFile, Location: location{URI: s.uriOf(c.Path)}, ContainerName: c.Path}
			if c.Range != nil {
				sym.Kind, sym.Location = symbolString, s.location(c.Path, c.Range)
			}
			list = append(list, sym)
		}
	}
	return list, nil
}

func (s *server) foldingRanges(ctx context.Context, d *document, _ position) ([]foldingRange, error) {
	symbols, err := s.symbols(ctx, d)
	if err != nil {
		return nil, err
	}
	list := []foldingRange{}
	blank := func(n int) bool { return len(bytes.TrimSpace(d.lines.Line(n))) == 0 }
	add := func(start, end int, kind string) {
		for end > start && blank(end) {
			end--
		}
		if end > start {
			list = append(list, foldingRange{start, end, kind})
		}
	}
	if string(bytes.TrimSpace(d.lines.Line(0))) == "---" {
		for n := 1; n < d.lines.Lines(); n++ {
			if string(bytes.TrimSpace(d.lines.Line(n))) == "---" {
				add(0, n, "")
				break
			}
		}
	}
	for _, one := range symbols {
		if one.Kind == "heading" {
			end := int(one.Range.End.Line)
			if one.Range.End.Column == 0 {
				end--
			}
			add(int(one.Range.Start.Line), end, "region")
		}
	}
	return list, nil
}

func (s *server) codeLenses(ctx context.Context, d *document, _ position) ([]codeLens, error) {
	res, err := ask(ctx, s, resolveLink, &v1.ResolveLinkRequest{Path: d.path, Target: "/" + d.path, Unsaved: s.unsaved(d)})
	if err != nil {
		return nil, err
	}
	list := []codeLens{{Command: command{Title: linking(int(res.Link.LinkingDocuments)), Command: showReferences, Arguments: arguments(d.uri)}}}
	for _, op := range s.proposals(ctx, d) {
		list = append(list, codeLens{Command: command{"Approve: " + matter(op), approve, arguments(op.Id, op.Digest)}})
	}
	return list, nil
}
