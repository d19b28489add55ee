package rpc

import (
	"context"
	"fmt"
	"strings"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/orders"
	"kist/rpc/page"
	"kist/vault"
	"kist/vault/entity"
)

type taskService struct{ Deps }

func (s *taskService) ListTasks(ctx context.Context, req *kistv1.ListTasksRequest) (*kistv1.ListTasksResponse, error) {
	q := orders.Tasks(req, s.Vault.Now())
	if err := q.Check(); err != nil {
		return nil, err
	}
	picked, err := page.Pick(req, 0, q.Key)
	if err != nil {
		return nil, err
	}
	count := 0
	if err := entity.EachTask(ctx, s.Vault, req.Project, func(t entity.Task) {
		if q.Fits(t) {
			if count++; !req.CountOnly {
				picked.Add(t)
			}
		}
	}); err != nil {
		return nil, err
	}
	if count == 0 {
		if err := orders.Nowhere(s.Vault, q); err != nil {
			return nil, err
		}
	}
	res := &kistv1.ListTasksResponse{TotalSize: int32s(count)}
	res.Tasks, res.NextPageToken, err = page.Cut(picked, task)
	return res, err
}

func (s *taskService) CreateTask(ctx context.Context, req *kistv1.CreateTaskRequest) (*kistv1.CreateTaskResponse, error) {
	step, err := s.planCreate(ctx, req)
	if err != nil {
		return nil, err
	}
	op, err := s.apply(ctx, step, req.Reason)
	if err != nil {
		return nil, err
	}
	res := &kistv1.CreateTaskResponse{Operation: op}
	for _, ref := range created(ctx, step) {
		res.Task = s.task(ctx, ref)
	}
	return res, nil
}

func (s *taskService) planCreate(ctx context.Context, req *kistv1.CreateTaskRequest) (vault.Step, error) {
	t := entity.NewTask{
		Project: req.Project, Title: req.Title, Priority: req.Priority, Start: req.Start, Due: req.Due,
		Scheduled: req.Scheduled, Duration: req.Duration, Repeat: req.Repeat, Tags: req.Tags, Body: req.Body,
	}
	switch {
	case req.Path != "" && req.Project != "":
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a document and a project are named, and the task can only go to one", vault.ErrInvalid), "leave the project out: the task belongs to that of its document")
	case req.Path != "":
		return entity.PlanTaskIn(ctx, s.Vault, req.Path, req.Section, t)
	case req.Section+req.Expect != "":
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a section, and what is expected, are of a document, and none is named", vault.ErrInvalid), "name the document that gets the task")
	}
	return entity.PlanCreateTask(ctx, s.Vault, t, vault.ActorUser)
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
		for _, ref := range created(ctx, step) {
			if t := s.task(ctx, ref); t != nil {
				res.Tasks = append(res.Tasks, t)
			}
		}
	}
	return res, nil
}

func newTask(t *kistv1.NewTask) entity.NewTask {
	return entity.NewTask{
		Title: t.Title, Priority: t.Priority, Start: t.Start, Due: t.Due, Duration: t.Duration, Body: t.Body,
		Children: each(t.Children, newTask), CreatedBy: vault.ActorUser,
	}
}

func (s *taskService) UpdateTask(ctx context.Context, req *kistv1.UpdateTaskRequest) (*kistv1.UpdateTaskResponse, error) {
	if req.GetPriority() == "none" {
		req.Priority = new(string)
	}
	step, err := entity.PlanUpdateTask(ctx, s.Vault, req.Task, entity.TaskUpdate{
		Title:    req.Title,
		Status:   req.Status,
		Priority: req.Priority,
		Start:    req.Start,
		Due:      req.Due,
		Duration: req.Duration,

		Scheduled: req.Scheduled,
		Repeat:    req.Repeat,
		Created:   req.Created,
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
	op, err := s.planned(ctx, req.Reason)(entity.PlanCompleteTask(ctx, s.Vault, req.Task))
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
	res := &kistv1.MoveTaskResponse{Task: s.task(ctx, step.Entity.Path), Operation: op}
	if refs := created(ctx, vault.Step{Changes: step.Changes[:1]}); res.Task == nil && len(refs) == 1 {
		res.Task = s.task(ctx, refs[0])
	}
	return res, nil
}

func (s *taskService) DeleteTask(ctx context.Context, req *kistv1.DeleteTaskRequest) (*kistv1.DeleteTaskResponse, error) {
	op, err := s.planned(ctx, req.Reason)(entity.PlanDeleteTask(ctx, s.Vault, req.Task))
	if err != nil {
		return nil, err
	}
	return &kistv1.DeleteTaskResponse{Operation: op}, nil
}

// created are the tasks that a step made; none where it was only proposed.
func created(ctx context.Context, step vault.Step) []string {
	if wishOf(ctx).propose {
		return nil
	}
	return entity.Created(step)
}

// boxOf finds the last checkbox of a document that begins with a title; nil: it has none any more.
func (s *taskService) boxOf(ctx context.Context, p, title string) (found *kistv1.Task) {
	tasks, err := entity.TasksIn(ctx, s.Vault, p)
	if err != nil {
		return nil
	}
	for _, t := range tasks {
		if t.Line > 0 && strings.HasPrefix(t.Title, vault.OneLine(title)) {
			found = task(t)
		}
	}
	return found
}

// task reads a task again after a change; nil where that isn't possible.
func (s *taskService) task(ctx context.Context, ref string) *kistv1.Task {
	t, err := entity.FindTask(ctx, s.Vault, ref)
	if err != nil {
		return nil
	}
	return task(t)
}
