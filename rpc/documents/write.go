package documents

import (
	"cmp"
	"context"
	"fmt"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
)

func (s *Service) SetProperty(ctx context.Context, req *kistv1.SetPropertyRequest) (*kistv1.SetPropertyResponse, error) {
	step, err := entity.PlanSetProperty(s.Vault, req.Path, req.Key, req.Value)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.SetPropertyResponse{Operation: op}, nil
}

func (s *Service) UnsetProperty(ctx context.Context, req *kistv1.UnsetPropertyRequest) (*kistv1.UnsetPropertyResponse, error) {
	step, err := entity.PlanUnsetProperty(s.Vault, req.Path, req.Key)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.UnsetPropertyResponse{Operation: op}, nil
}

func (s *Service) EditSection(ctx context.Context, req *kistv1.EditSectionRequest) (*kistv1.EditSectionResponse, error) {
	how := cmp.Or(markdown.How(req.How), markdown.Replace)
	step, err := entity.PlanEditSection(s.Vault, req.Path, req.Heading, how, req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditSectionResponse{Operation: op}, nil
}

func (s *Service) InsertSection(ctx context.Context, req *kistv1.InsertSectionRequest) (*kistv1.InsertSectionResponse, error) {
	step, err := entity.PlanInsertSection(s.Vault, req.Path, entity.NewSection{
		Beside:  req.Beside,
		Before:  req.Before,
		Heading: req.Heading,
		Level:   int(req.Level),
		Text:    req.Text,
	})
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.InsertSectionResponse{Operation: op}, nil
}

func (s *Service) AppendItem(ctx context.Context, req *kistv1.AppendItemRequest) (*kistv1.AppendItemResponse, error) {
	step, err := entity.PlanAppendItem(s.Vault, req.Path, req.Section, req.Text, req.Task)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.AppendItemResponse{Operation: op}, nil
}

func (s *Service) EditItem(ctx context.Context, req *kistv1.EditItemRequest) (*kistv1.EditItemResponse, error) {
	step, err := entity.PlanEditItem(s.Vault, req.Path, int(req.Line), req.Text)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.EditItemResponse{Operation: op}, nil
}

func (s *Service) CheckItem(ctx context.Context, req *kistv1.CheckItemRequest) (*kistv1.CheckItemResponse, error) {
	step, err := entity.PlanCheckItem(s.Vault, req.Path, int(req.Line), req.Checked)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CheckItemResponse{Operation: op}, nil
}

func (s *Service) CreateNote(ctx context.Context, req *kistv1.CreateNoteRequest) (*kistv1.CreateNoteResponse, error) {
	step, err := entity.PlanCreateNote(ctx, s.Vault, entity.NewNote{
		Title:   req.Title,
		Text:    req.Text,
		Project: req.Project,
	}, vault.ActorUser)
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateNoteResponse{Path: valid(step.Entity.Path), Operation: op}, nil
}

func (s *Service) AppendNote(ctx context.Context, req *kistv1.AppendNoteRequest) (*kistv1.AppendNoteResponse, error) {
	if req.Daily == (req.Path != "") {
		return nil, vault.Hinted(fmt.Errorf("%w: name a note by its path, or ask for today's", vault.ErrInvalid), "give path, or daily: true, and not both")
	}
	plan := func() (vault.Step, error) { return entity.PlanAppendNote(s.Vault, req.Path, req.Text) }
	if req.Daily {
		plan = func() (vault.Step, error) { return entity.PlanAppendDaily(s.Vault, s.Vault.Now(), req.Text) }
	}
	step, err := plan()
	if err != nil {
		return nil, err
	}
	op, err := s.Apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.AppendNoteResponse{Operation: op}, nil
}
