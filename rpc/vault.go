package rpc

import (
	"cmp"
	"context"
	"errors"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/markdown"
)

type vaultService struct{ Deps }

func (s *vaultService) GetDocument(_ context.Context, req *kistv1.GetDocumentRequest) (*kistv1.GetDocumentResponse, error) {
	doc, err := s.Vault.Document(req.Path)
	switch {
	case err == nil:
		out := document(req.Path, doc)
		out.Type = cmp.Or(out.Type, s.Vault.TypeOf(req.Path))
		return &kistv1.GetDocumentResponse{Document: out}, nil
	case !errors.Is(err, vault.ErrNotText) && !errors.Is(err, vault.ErrTooLarge):
		return nil, err
	}
	// What can't be parsed can still be shown, where it can be read at all.
	raw, readErr := s.Vault.Read(req.Path)
	if readErr != nil {
		return nil, readErr
	}
	return &kistv1.GetDocumentResponse{Document: &kistv1.Document{
		Path:     text(req.Path),
		Text:     raw,
		Hash:     string(vault.HashOf(raw)),
		Problems: []*kistv1.Problem{faulty(req.Path, err)},
	}}, nil
}

func (s *vaultService) SetProperty(ctx context.Context, req *kistv1.SetPropertyRequest) (*kistv1.SetPropertyResponse, error) {
	step, err := s.Vault.PlanSetProperty(req.Path, req.Key, req.Value)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.SetPropertyResponse{Operation: op}, nil
}

func (s *vaultService) UnsetProperty(ctx context.Context, req *kistv1.UnsetPropertyRequest) (*kistv1.UnsetPropertyResponse, error) {
	step, err := s.Vault.PlanUnsetProperty(req.Path, req.Key)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.UnsetPropertyResponse{Operation: op}, nil
}

func (s *vaultService) EditSection(ctx context.Context, req *kistv1.EditSectionRequest) (*kistv1.EditSectionResponse, error) {
	how := cmp.Or(markdown.How(req.How), markdown.Replace)
	step, err := s.Vault.PlanEditSection(req.Path, req.Heading, how, req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditSectionResponse{Operation: op}, nil
}

func (s *vaultService) InsertSection(ctx context.Context, req *kistv1.InsertSectionRequest) (*kistv1.InsertSectionResponse, error) {
	step, err := s.Vault.PlanInsertSection(req.Path, vault.NewSection{
		Beside:  req.Beside,
		Before:  req.Before,
		Heading: req.Heading,
		Level:   int(req.Level),
		Text:    req.Text,
	})
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.InsertSectionResponse{Operation: op}, nil
}

func (s *vaultService) AppendItem(ctx context.Context, req *kistv1.AppendItemRequest) (*kistv1.AppendItemResponse, error) {
	step, err := s.Vault.PlanAppendItem(req.Path, req.Section, req.Text, req.Task)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.AppendItemResponse{Operation: op}, nil
}

func (s *vaultService) EditItem(ctx context.Context, req *kistv1.EditItemRequest) (*kistv1.EditItemResponse, error) {
	step, err := s.Vault.PlanEditItem(req.Path, int(req.Line), req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditItemResponse{Operation: op}, nil
}

func (s *vaultService) CheckItem(ctx context.Context, req *kistv1.CheckItemRequest) (*kistv1.CheckItemResponse, error) {
	step, err := s.Vault.PlanCheckItem(req.Path, int(req.Line), req.Checked)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CheckItemResponse{Operation: op}, nil
}

func (s *vaultService) CreateNote(ctx context.Context, req *kistv1.CreateNoteRequest) (*kistv1.CreateNoteResponse, error) {
	step, err := s.Vault.PlanCreateNote(ctx, vault.NewNote{
		Title:   req.Title,
		Text:    req.Text,
		Project: req.Project,
	}, vault.ActorUser)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateNoteResponse{Path: text(step.Entity.Path), Operation: op}, nil
}

func (s *vaultService) AppendNote(ctx context.Context, req *kistv1.AppendNoteRequest) (*kistv1.AppendNoteResponse, error) {
	step, err := s.Vault.PlanAppendNote(req.Path, req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.AppendNoteResponse{Operation: op}, nil
}
