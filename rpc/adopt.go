package rpc

import (
	"context"
	"errors"
	"slices"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
)

const (
	maxAdoptions = 2000      // in an answer
	maxPatches   = 256 << 10 // bytes, in an answer beside other things
)

func (s *projectService) AdoptProjects(ctx context.Context, req *kistv1.AdoptProjectsRequest) (*kistv1.AdoptProjectsResponse, error) {
	step, list, err := entity.PlanAdopt(ctx, s.Vault, req.Paths)
	if err != nil && (!errors.Is(err, vault.ErrNoChange) || len(list) == 0) {
		return nil, err
	}
	res := &kistv1.AdoptProjectsResponse{}
	for _, a := range list {
		if a.Slug != "" {
			res.Adopted++
		} else {
			res.PassedOver++
		}
	}
	res.Notes = each(list[:min(len(list), maxAdoptions)], func(a entity.Adoption) *kistv1.Adoption {
		return &kistv1.Adoption{Path: text(a.Path), Slug: text(a.Slug), Why: text(a.Why)}
	})
	if len(step.Changes) == 0 {
		return res, nil
	}
	if res.Operation, err = s.waiting(ctx, step); err != nil {
		return nil, err
	}
	if res.Operation == nil {
		if res.Operation, err = s.apply(ctx, step, req.Reason); err != nil {
			return nil, err
		}
	}
	size := 0
	for _, c := range res.Operation.GetChanges() {
		if size += len(c.Patch); size > maxPatches {
			unpatched(res.Operation)
			break
		}
	}
	return res, nil
}

func unpatched(o *kistv1.Operation) {
	for _, c := range o.Changes {
		c.Patch = ""
	}
}

// waiting is the proposal that waits already and is on the same texts, where that is all that
// is asked for: who looks twice is shown one.
func (s *projectService) waiting(ctx context.Context, step vault.Step) (*kistv1.Operation, error) {
	if w := wishOf(ctx); !w.propose || w.request != "" {
		return nil, nil
	}
	ops, err := s.Vault.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil {
		return nil, err
	}
	for _, op := range ops {
		same := op.Reason == step.Reason && op.Entity.Path == step.Entity.Path && slices.EqualFunc(op.Changes, step.Changes, func(a vault.FileChange, b vault.Change) bool {
			return a.Path == b.Path && a.Before == vault.HashOf(b.Before)
		})
		if same {
			whole, err := s.Vault.Operation(ctx, op.ID)
			return operation(whole), err
		}
	}
	return nil, nil
}
