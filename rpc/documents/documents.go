/*
Package documents answers the calls of VaultService about one document or a list of them;
what is streamed is package rpc's.

	s := documents.Service{Vault: v, Apply: apply}
	res, err := s.GetDocument(ctx, req)

A changing call plans its step with package entity and has Apply carry it out, guarded or as
a proposal, as the request wants it.
*/
package documents

import (
	"cmp"
	"context"

	"google.golang.org/protobuf/proto"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/fault"
	"kist/rpc/page"
	"kist/vault"
)

// A Service answers calls, also side by side. All fields are needed.
type Service struct {
	Vault *vault.Vault
	// Apply carries out a step as the user's, for a reason if there is one.
	Apply func(ctx context.Context, step vault.Step, reason string) (*kistv1.Operation, error)
}

func (s *Service) GetDocument(_ context.Context, req *kistv1.GetDocumentRequest) (*kistv1.GetDocumentResponse, error) {
	p, err := s.Vault.Locate(req.Path)
	if err != nil {
		return nil, err
	}
	doc, err := s.Vault.Document(p)
	if err != nil {
		return nil, err
	}
	out := document(p, doc)
	out.Type = cmp.Or(out.Type, s.Vault.TypeOf(p))
	if !req.Pages {
		if page.Bytes(out) > page.MaxBytes {
			return nil, fault.ErrLarge
		}
		return &kistv1.GetDocumentResponse{Document: out}, nil
	}
	next, err := cut(out, req.PageToken)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetDocumentResponse{Document: out, NextPageToken: next}, nil
}

// cut leaves one page of a document.
func cut(out *kistv1.Document, token string) (next string, err error) {
	at, err := page.PlaceOf(token, out.Hash)
	if err != nil {
		return "", err
	}
	content, raw := out.GetContent(), out.Text
	if at.Bytes > len(content)+len(raw) {
		return "", page.ErrToken
	}
	out.Content, out.Text = nil, nil
	if at.Bytes > 0 {
		out.Properties, out.Sections, out.Problems = nil, nil, nil
	} else if page.Bytes(out) > page.MaxBytes/2 {
		out.Sections = nil
		out.Problems = append(out.Problems, &kistv1.Problem{Path: out.Path, Message: "it has more headings than an answer can hold", Hint: "split it"})
	}
	room := page.MaxBytes - page.Bytes(out)
	if raw != nil {
		out.Text = raw[at.Bytes:min(len(raw), at.Bytes+room/2)] // base64 is longer
		at.Bytes += len(out.Text)
	} else {
		n := page.Fit(content[at.Bytes:], room)
		out.Content = proto.String(content[at.Bytes : at.Bytes+n])
		at.Bytes += n
	}
	if at.Bytes < len(content)+len(raw) {
		return at.Token(out.Hash), nil
	}
	return "", nil
}
