package rpc

import (
	"context"
	"slices"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/orders"
	"kist/rpc/page"
	"kist/rpc/study"
	"kist/vault"
	"kist/vault/entity"
)

type projectService struct {
	study.Service
	Deps
}

func (s *projectService) ListProjects(ctx context.Context, req *kistv1.ListProjectsRequest) (*kistv1.ListProjectsResponse, error) {
	all, err := s.Projects(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p entity.Project) bool {
		if req.Status == "" {
			return p.Status == "archived"
		}
		return req.Status != "all" && p.Status != req.Status
	})
	key, err := orders.Projects(req.OrderBy)
	if err != nil {
		return nil, err
	}
	list, next, err := page.Of(req, 0, all, key, project)
	if err != nil {
		return nil, err
	}
	return &kistv1.ListProjectsResponse{Projects: list, NextPageToken: next}, nil
}

func (s *projectService) GetProject(ctx context.Context, req *kistv1.GetProjectRequest) (*kistv1.GetProjectResponse, error) {
	b, err := entity.ProjectBrief(ctx, s.Vault, req.Project)
	if err != nil {
		return nil, err
	}
	return &kistv1.GetProjectResponse{
		Project:   project(b.Project),
		Summary:   text(b.Summary),
		Decisions: texts(b.Decisions),
		NextSteps: texts(b.NextSteps),

		Dimensions: textMap(b.Dimensions),
		LastTurn:   timestamp(b.LastTurn),
	}, nil
}

func (s *projectService) CreateProject(ctx context.Context, req *kistv1.CreateProjectRequest) (*kistv1.CreateProjectResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanCreateProject(s.Vault, entity.NewProject{
		Name:        req.Name,
		Description: req.Description,
		Priority:    req.Priority,
		Tags:        req.Tags,
	}, vault.ActorUser))
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateProjectResponse{Project: s.project(ctx, op.GetEntity().GetPath()), Operation: op}, nil
}

func (s *projectService) UpdateProject(ctx context.Context, req *kistv1.UpdateProjectRequest) (*kistv1.UpdateProjectResponse, error) {
	p, op, err := s.update(ctx, req.Project, req.Reason, entity.ProjectUpdate{
		Name:     req.Name,
		Status:   req.Status,
		Priority: req.Priority,
		Start:    req.Start,
		Due:      req.Due,
	})
	if err != nil {
		return nil, err
	}
	return &kistv1.UpdateProjectResponse{Project: p, Operation: op}, nil
}

func (s *projectService) ArchiveProject(ctx context.Context, req *kistv1.ArchiveProjectRequest) (*kistv1.ArchiveProjectResponse, error) {
	archived := "archived"
	p, op, err := s.update(ctx, req.Project, req.Reason, entity.ProjectUpdate{Status: &archived})
	if err != nil {
		return nil, err
	}
	return &kistv1.ArchiveProjectResponse{Project: p, Operation: op}, nil
}

func (s *projectService) RenameProject(ctx context.Context, req *kistv1.RenameProjectRequest) (*kistv1.RenameProjectResponse, error) {
	steps, err := entity.PlanRenameProject(ctx, s.Vault, req.Project, req.Name)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, steps[0], req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.RenameProjectResponse{Project: s.project(ctx, steps[0].Entity.Path), Operation: op}, nil
}

func (s *projectService) MoveProject(ctx context.Context, req *kistv1.MoveProjectRequest) (*kistv1.MoveProjectResponse, error) {
	steps, err := entity.PlanMoveProject(ctx, s.Vault, req.Project, req.NewSlug)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, steps[0], req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.MoveProjectResponse{Project: s.project(ctx, steps[0].Entity.Path), Operation: op}, nil
}

func (s *projectService) MergeProjects(ctx context.Context, req *kistv1.MergeProjectsRequest) (*kistv1.MergeProjectsResponse, error) {
	steps, err := entity.PlanMergeProjects(ctx, s.Vault, req.From, req.Into)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, steps[0], req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.MergeProjectsResponse{Project: s.project(ctx, steps[0].Entity.Path), Operation: op}, nil
}

func (s *projectService) DeleteProject(ctx context.Context, req *kistv1.DeleteProjectRequest) (*kistv1.DeleteProjectResponse, error) {
	steps, err := entity.PlanDeleteProject(ctx, s.Vault, req.Project)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, steps[0], req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.DeleteProjectResponse{Operation: op}, nil
}

func (s *projectService) update(ctx context.Context, ref, reason string, u entity.ProjectUpdate) (*kistv1.Project, *kistv1.Operation, error) {
	step, err := entity.PlanUpdateProject(ctx, s.Vault, ref, u)
	if err != nil {
		return nil, nil, err
	}
	op, err := s.apply(ctx, step, reason)
	if err != nil {
		return nil, nil, err
	}
	return s.project(ctx, ref), op, nil
}

// project reads a project again after a change. The change is made already, so
// what can't be read now is left out of the answer, not turned into a failure.
func (s *projectService) project(ctx context.Context, ref string) *kistv1.Project {
	p, err := entity.FindProject(ctx, s.Vault, ref)
	if err != nil {
		return nil
	}
	return project(p)
}

// projectNamed is the slug of the project that a request to read names; empty where it names none.
func (d Deps) projectNamed(ctx context.Context, ref string) (string, error) {
	if ref == "" {
		return "", nil
	}
	p, err := entity.NamedProject(ctx, d.Vault, ref)
	return p.Slug, err
}
