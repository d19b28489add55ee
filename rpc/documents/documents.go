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

	kistv1 "kist/proto/kist/v1"
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
	return &kistv1.GetDocumentResponse{Document: out}, nil
}
