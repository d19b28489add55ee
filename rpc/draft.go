package rpc

import (
	"context"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/entity"
)

type draftService struct{ Deps }

func (s *draftService) ListDrafts(ctx context.Context, req *kistv1.ListDraftsRequest) (*kistv1.ListDraftsResponse, error) {
	status := req.Status
	switch status {
	case "":
		status = "in_progress"
	case "all":
		status = ""
	}
	all, err := entity.Drafts(ctx, s.Vault, status)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, func(d entity.Draft) string { return page.Newest(d.Modified) + d.Path }, draft)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListDraftsResponse{Drafts: list, NextPageToken: next}, nil
}

func (s *draftService) GetDraft(ctx context.Context, req *kistv1.GetDraftRequest) (*kistv1.GetDraftResponse, error) {
	d, err := entity.FindDraft(ctx, s.Vault, req.Draft)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetDraftResponse{Draft: draft(d), Dimensions: textMap(d.Dimensions)}, nil
}

func (s *draftService) FinalizeDraft(ctx context.Context, req *kistv1.FinalizeDraftRequest) (*kistv1.FinalizeDraftResponse, error) {
	steps, err := entity.PlanFinalizeDraft(ctx, s.Vault, req.Draft, vault.ActorUser)
	if err != nil {
		return nil, err
	}
	ops, err := s.applyAll(ctx, steps, req.Reason)
	if err != nil {
		return nil, err
	}
	res := &kistv1.FinalizeDraftResponse{Operations: ops}
	// It is made already, so what can't be read now is left out of the answer.
	if p, err := entity.FindProject(ctx, s.Vault, steps[0].Entity.Path); err == nil {
		res.Project = project(p)
	}
	return res, nil
}

func (s *draftService) AbandonDraft(ctx context.Context, req *kistv1.AbandonDraftRequest) (*kistv1.AbandonDraftResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanAbandonDraft(ctx, s.Vault, req.Draft))
	if err != nil {
		return nil, err
	}
	return &kistv1.AbandonDraftResponse{Draft: s.draft(ctx, op.GetEntity().GetPath()), Operation: op}, nil
}

// draft reads a draft again after a change; nil where that isn't possible.
func (s *draftService) draft(ctx context.Context, ref string) *kistv1.Draft {
	d, err := entity.FindDraft(ctx, s.Vault, ref)
	if err != nil {
		return nil
	}
	return draft(d)
}
