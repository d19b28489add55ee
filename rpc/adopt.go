package rpc

import (
	"context"
	"errors"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/adoption"
)

const maxAdoptions = 2000 // in an answer

func (s *projectService) AdoptProjects(ctx context.Context, req *kistv1.AdoptProjectsRequest) (*kistv1.AdoptProjectsResponse, error) {
	step, list, err := adoption.Plan(ctx, s.Vault, req.Paths)
	if err != nil && (!errors.Is(err, vault.ErrNoChange) || len(list) == 0) {
		return nil, err
	}
	res := &kistv1.AdoptProjectsResponse{Adopted: int32s(len(step.Changes)), PassedOver: int32s(len(list) - len(step.Changes))}
	res.Notes = each(list[:min(len(list), maxAdoptions)], func(a adoption.Adoption) *kistv1.Adoption {
		return &kistv1.Adoption{Path: text(a.Path), Slug: text(a.Slug), Why: text(a.Why)}
	})
	if len(step.Changes) == 0 {
		return res, nil
	}
	var waiting *vault.Operation // who looks twice is shown one
	if w := wishOf(ctx); w.propose && w.request == "" {
		waiting, err = adoption.Waiting(ctx, s.Vault, step)
	}
	if waiting != nil {
		res.Operation = operation(*waiting)
	} else if err == nil {
		res.Operation, err = s.apply(ctx, step, req.Reason)
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}
