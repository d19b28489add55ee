package rpc

import (
	"context"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/entity"
)

type memoryService struct{ Deps }

func (s *memoryService) ListMemories(ctx context.Context, req *kistv1.ListMemoriesRequest) (*kistv1.ListMemoriesResponse, error) {
	project, err := s.projectNamed(ctx, req.Project)
	if err != nil {
		return nil, err
	}
	all, err := entity.Memories(ctx, s.Vault, project)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, func(m entity.Memory) string { return page.Newest(m.Created) + m.Path }, memory)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListMemoriesResponse{Memories: list, NextPageToken: next}, nil
}

func (s *memoryService) CreateMemory(ctx context.Context, req *kistv1.CreateMemoryRequest) (*kistv1.CreateMemoryResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanCreateMemory(ctx, s.Vault, entity.NewMemory{
		Content:    req.Content,
		Project:    req.Project,
		Confidence: 1, // the user said so
	}, vault.ActorUser))
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateMemoryResponse{Memory: s.memory(ctx, op.GetEntity().GetPath()), Operation: op}, nil
}

func (s *memoryService) MoveMemory(ctx context.Context, req *kistv1.MoveMemoryRequest) (*kistv1.MoveMemoryResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanMoveMemory(ctx, s.Vault, req.Memory, req.Project))
	if err != nil {
		return nil, err
	}
	return &kistv1.MoveMemoryResponse{Memory: s.memory(ctx, op.GetEntity().GetPath()), Operation: op}, nil
}

func (s *memoryService) ForgetMemory(ctx context.Context, req *kistv1.ForgetMemoryRequest) (*kistv1.ForgetMemoryResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanForgetMemory(ctx, s.Vault, req.Memory))
	if err != nil {
		return nil, err
	}
	return &kistv1.ForgetMemoryResponse{Operation: op}, nil
}

// memory reads a memory again after a change; nil where that isn't possible.
func (s *memoryService) memory(ctx context.Context, ref string) *kistv1.Memory {
	m, err := entity.FindMemory(ctx, s.Vault, ref)
	if err != nil {
		return nil
	}
	return memory(m)
}
