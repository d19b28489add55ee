package rpc

import (
	"cmp"
	"context"
	"slices"

	kistv1 "kist/proto/kist/v1"
	"kist/vault"
	"kist/vault/entity"
)

type taskService struct{ Deps }

func (s *taskService) ListTasks(ctx context.Context, req *kistv1.ListTasksRequest) (*kistv1.ListTasksResponse, error) {
	all, err := entity.Tasks(ctx, s.Vault, req.Project)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t entity.Task) bool {
		switch req.Status {
		case "all":
			return false
		case "":
			return !t.Open()
		}
		return t.Status != req.Status
	})
	slices.SortStableFunc(all, byUrgency)
	return &kistv1.ListTasksResponse{Tasks: each(all, task)}, nil
}

// byUrgency orders open tasks first, then by due date, those without one last.
func byUrgency(a, b entity.Task) int {
	rank := func(t entity.Task) (n int) {
		if !t.Open() {
			n += 2
		}
		if t.Due == "" {
			n++
		}
		return n
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Due, b.Due),
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
}

func (s *taskService) CreateTask(ctx context.Context, req *kistv1.CreateTaskRequest) (*kistv1.CreateTaskResponse, error) {
	step, err := entity.PlanCreateTask(ctx, s.Vault, entity.NewTask{
		Project:  req.Project,
		Title:    req.Title,
		Priority: req.Priority,
		Start:    req.Start,
		Due:      req.Due,
		Duration: req.Duration,
		Body:     req.Body,
	}, vault.ActorUser)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CreateTaskResponse{Task: s.task(ctx, step.Entity.Path), Operation: op}, nil
}

func (s *taskService) CreateTasks(ctx context.Context, req *kistv1.CreateTasksRequest) (*kistv1.CreateTasksResponse, error) {
	steps, err := entity.PlanCreateTasks(ctx, s.Vault, req.Project, each(req.Tasks, newTask))
	if err != nil {
		return nil, err
	}
	ops, err := s.applyAll(ctx, steps, req.Reason)
	if err != nil {
		return nil, err
	}
	res := &kistv1.CreateTasksResponse{Operations: ops}
	for _, step := range steps {
		if t := s.task(ctx, step.Entity.Path); t != nil {
			res.Tasks = append(res.Tasks, t)
		}
	}
	return res, nil
}

func newTask(t *kistv1.NewTask) entity.NewTask {
	return entity.NewTask{
		Title:     t.Title,
		Priority:  t.Priority,
		Start:     t.Start,
		Due:       t.Due,
		Duration:  t.Duration,
		Body:      t.Body,
		Children:  each(t.Children, newTask),
		CreatedBy: vault.ActorUser,
	}
}

func (s *taskService) UpdateTask(ctx context.Context, req *kistv1.UpdateTaskRequest) (*kistv1.UpdateTaskResponse, error) {
	step, err := entity.PlanUpdateTask(ctx, s.Vault, req.Task, entity.TaskUpdate{
		Title:    req.Title,
		Status:   req.Status,
		Priority: req.Priority,
		Start:    req.Start,
		Due:      req.Due,
		Duration: req.Duration,
	})
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.UpdateTaskResponse{Task: s.task(ctx, req.Task), Operation: op}, nil
}

func (s *taskService) CompleteTask(ctx context.Context, req *kistv1.CompleteTaskRequest) (*kistv1.CompleteTaskResponse, error) {
	step, err := entity.PlanCompleteTask(ctx, s.Vault, req.Task)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.CompleteTaskResponse{Task: s.task(ctx, req.Task), Operation: op}, nil
}

func (s *taskService) MoveTask(ctx context.Context, req *kistv1.MoveTaskRequest) (*kistv1.MoveTaskResponse, error) {
	step, err := entity.PlanMoveTask(ctx, s.Vault, req.Task, req.Project)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.MoveTaskResponse{Task: s.task(ctx, step.Entity.Path), Operation: op}, nil
}

func (s *taskService) DeleteTask(ctx context.Context, req *kistv1.DeleteTaskRequest) (*kistv1.DeleteTaskResponse, error) {
	step, err := entity.PlanDeleteTask(ctx, s.Vault, req.Task)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	return &kistv1.DeleteTaskResponse{Operation: op}, nil
}

// task reads a task again after a change; nil where that isn't possible.
func (s *taskService) task(ctx context.Context, ref string) *kistv1.Task {
	t, err := entity.FindTask(ctx, s.Vault, ref)
	if err != nil {
		return nil
	}
	return task(t)
}
