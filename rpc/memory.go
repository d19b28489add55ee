package rpc

import (
	"context"
	"slices"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
)

type memoryService struct{ Deps }

func (s *memoryService) ListMemories(ctx context.Context, req *kistv1.ListMemoriesRequest) (*kistv1.ListMemoriesResponse, error) {
	all, err := s.Vault.Memories(ctx, req.Project)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b vault.Memory) int { return b.Created.Compare(a.Created) })
	return &kistv1.ListMemoriesResponse{Memories: each(all, memory)}, nil
}

func (s *memoryService) CreateMemory(ctx context.Context, req *kistv1.CreateMemoryRequest) (*kistv1.CreateMemoryResponse, error) {
	step, err := s.Vault.PlanCreateMemory(ctx, vault.NewMemory{
		Content:    req.Content,
		Project:    req.Project,
		Confidence: 1, // the user said so
	}, vault.ActorUser)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	res := &kistv1.CreateMemoryResponse{Operation: op}
	if m, err := s.Vault.Memory(ctx, step.Entity.Path); err == nil {
		res.Memory = memory(m)
	}
	return res, nil
}

func (s *memoryService) MoveMemory(ctx context.Context, req *kistv1.MoveMemoryRequest) (*kistv1.MoveMemoryResponse, error) {
	step, err := s.Vault.PlanMoveMemory(ctx, req.Memory, req.Project)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	res := &kistv1.MoveMemoryResponse{Operation: op}
	if m, err := s.Vault.Memory(ctx, step.Entity.Path); err == nil {
		res.Memory = memory(m)
	}
	return res, nil
}

func (s *memoryService) ForgetMemory(ctx context.Context, req *kistv1.ForgetMemoryRequest) (*kistv1.ForgetMemoryResponse, error) {
	step, err := s.Vault.PlanForgetMemory(ctx, req.Memory)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.ForgetMemoryResponse{Operation: op}, nil
}
