package tool

import (
	"context"
	"errors"
	"strings"

	"kist/agent/tool/suggest"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/joined"
)

type createTaskArgs struct {
	Title    string `json:"title" jsonschema:"beginning with a verb" limit:"min=1,max=200"`
	Project  string `json:"project,omitempty" jsonschema:"slug, - none" limit:"max=200"`
	Note     string `json:"note,omitempty" jsonschema:"path" limit:"max=400"`
	Due      string `json:"due,omitempty" jsonschema:"YYYY-MM-DD" limit:"date"`
	Priority string `json:"priority,omitempty" limit:"enum=low|medium|high|urgent"`
	Details  string `json:"details,omitempty" limit:"max=8000,lines"`
	Reason   string `json:"reason,omitempty" limit:"max=300"`
}

type completeTaskArgs struct {
	Task   string `json:"task" jsonschema:"as list_tasks names it" limit:"min=1,max=400"`
	Reason string `json:"reason,omitempty" limit:"max=300"`
}

type updateTaskArgs struct {
	Task      string  `json:"task" jsonschema:"as list_tasks names it" limit:"min=1,max=400"`
	Title     *string `json:"title,omitempty" limit:"min=1,max=200"`
	Status    *string `json:"status,omitempty" limit:"enum=backlog|todo|in_progress|done|cancelled"`
	Priority  *string `json:"priority,omitempty" limit:"enum=none|low|medium|high|urgent"`
	Start     *string `json:"start,omitempty" limit:"date"`
	Due       *string `json:"due,omitempty" jsonschema:"empty removes it" limit:"date"`
	Scheduled *string `json:"scheduled,omitempty" limit:"date"`
	Repeat    *string `json:"repeat,omitempty" limit:"max=100"`
	Reason    string  `json:"reason,omitempty" limit:"max=300"`
}

type deleteTaskArgs struct {
	Task string `json:"task" jsonschema:"as list_tasks names it" limit:"min=1,max=400"`
}

type moveTaskArgs struct {
	Task    string `json:"task" jsonschema:"as list_tasks names it" limit:"min=1,max=400"`
	Project string `json:"project" jsonschema:"slug" limit:"min=1,max=200"`
	Reason  string `json:"reason,omitempty" limit:"max=300"`
}

type buildSubtreeArgs struct {
	Project string     `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Tasks   []treeTask `json:"tasks" jsonschema:"in order" limit:"items=60"`
	Reason  string     `json:"reason,omitempty" limit:"max=300"`
}

type treeTask struct {
	Title    string   `json:"title" limit:"min=1,max=200"`
	Due      string   `json:"due,omitempty" jsonschema:"YYYY-MM-DD" limit:"date"`
	Priority string   `json:"priority,omitempty" limit:"enum=low|medium|high|urgent"`
	Children []string `json:"children,omitempty" jsonschema:"its parts, each a checkbox" limit:"items=40,each=200"`
}

func taskTools(c *catalogue) {
	define(c, "list_tasks", Read, "List tasks: files and checkboxes.", listTasks)
	define(c, "create_task", Add, "Add a task.", createTask)
	define(c, "complete_task", Change, "Mark a task as done.", completeTask)
	define(c, "update_task", Change, "Change a task.", updateTask)
	define(c, "change_tasks", Change, "Change several tasks as one.", changeTasks)
	c.when(severalTier())
	define(c, "sweep_tasks", Destroy, "Delete several tasks, or move them to a note, as one.", sweepTasks)
	c.when(tier{on: func(*Env) bool { return false }, why: "for the offline partner alone"})
	define(c, "build_subtree", Add, "Add many tasks at once, each with its parts.", buildSubtree)
	define(c, "move_task", Destroy, "Move a task to another project.", moveTask)
	c.when(movingTier())
	define(c, "delete_task", Destroy, "Delete a task; complete or cancel it rather.", deleteTask)
	c.when(projectTier())
}

func buildSubtree(ctx context.Context, e *Env, a buildSubtreeArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	var tasks []entity.NewTask
	titles := []string{}
	for _, t := range a.Tasks {
		task := entity.NewTask{Title: t.Title, Due: t.Due, Priority: t.Priority, CreatedBy: vault.ActorAgent}
		for _, child := range t.Children {
			task.Children = append(task.Children, entity.NewTask{Title: child})
		}
		tasks = append(tasks, task)
		titles = append(titles, t.Title)
	}
	steps, err := entity.PlanCreateTasks(ctx, e.Vault, p.Slug, tasks)
	if err != nil {
		return faultOf(err)
	}
	for i := range steps {
		steps[i].Reason = because(a.Reason, "add the task %s to %s", quote(a.Tasks[min(i, len(a.Tasks)-1)].Title), p.Name)
	}
	return Result{Value: map[string]any{"project": p.Slug, "tasks": titles}, Steps: steps, Project: p.Slug}, nil
}

func deleteTask(ctx context.Context, e *Env, a deleteTaskArgs) (Result, error) {
	t, res, err := findTask(ctx, e, a.Task)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanDeleteTask(ctx, e.Vault, a.Task)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "delete the task " + quote(t.Title) + step.Along
	res = onTask(e, t, step)
	if step.Along != "" {
		res.Value["along"] = step.Along
	}
	return res, nil
}

func moveTask(ctx context.Context, e *Env, a moveTaskArgs) (Result, error) {
	t, res, err := findTask(ctx, e, a.Task)
	if err != nil || res.Fault != nil {
		return res, err
	}
	p, res, err := target(ctx, e, a.Project)
	switch {
	case err != nil || res.Fault != nil:
		return res, err
	case p.Slug == t.Project:
		return fault(quote(t.Title)+" is in "+p.Name+" already", ""), nil
	case p.Status == "archived":
		return fault(p.Name+" is archived", "the user may want it back first, or mean another project"), nil
	}
	step, err := entity.PlanMoveTask(ctx, e.Vault, a.Task, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "move the task %s to %s", quote(t.Title), p.Name) + step.Along
	return Result{
		Value: map[string]any{"task": step.Entity.Path, "title": t.Title, "project": p.Slug, "along": step.Along},
		Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(t.Path),
	}, nil
}

func listTasks(ctx context.Context, e *Env, a listTasksArgs) (Result, error) {
	slug := ""
	if !a.Everywhere && a.Project != NoProject && (a.Project != "" || e.Project != "") {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		slug = p.Slug
	}
	limit := a.Limit
	if limit == 0 {
		limit = 10 * maxListed // more than of other lists: the offline partner looks titles up here
	}
	a.Path = joined.DailyPath(e.Vault, a.Path)
	q := a.query()
	if err := q.Check(); err != nil {
		return fault(err.Error(), "give days as YYYY-MM-DD, a path as it is in the vault"), nil
	}
	tasks, err := entity.TasksThat(ctx, e.Vault, slug, q.Fits)
	if err != nil {
		return faultOf(err)
	}
	list := []map[string]any{}
	var seen []string
	for _, t := range tasks[:min(limit, len(tasks))] {
		v := taskValue(t)
		if a.Date == "created" {
			v["created"] = t.Created
		}
		if t.Repeat != "" {
			v["next"] = nextDays(t, e.Now)
		}
		list, seen = append(list, v), append(seen, t.Path)
	}
	return Result{Value: map[string]any{"tasks": list, "count": len(tasks), "project": slug}, Seen: seen}, nil
}

func createTask(ctx context.Context, e *Env, a createTaskArgs) (Result, error) {
	if a.Note != "" {
		return createIn(ctx, e, a)
	}
	if a.Project == NoProject || a.Project == "" && e.Project == "" {
		return createLoose(ctx, e, a)
	}
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	if t, ok := listed(ctx, e.Vault, p.Slug, a.Title, a.Due, a.Priority); ok {
		return soAlready(t), nil
	}
	step, err := entity.PlanCreateTask(ctx, e.Vault, entity.NewTask{
		Project: p.Slug, Title: a.Title, Due: a.Due, Priority: a.Priority, Body: a.Details,
	}, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "add the task %s to %s", quote(a.Title), p.Name)
	v := map[string]any{"task": step.Entity.Path, "title": a.Title, "project": p.Slug}
	if refs := entity.Created(step); len(refs) == 1 {
		v["task"] = refs[0]
	}
	if a.Due != "" {
		v["due"] = a.Due
	}
	return Result{Value: v, Steps: []vault.Step{step}, Project: p.Slug}, nil
}

// createLoose adds a task that belongs to no project.
func createLoose(ctx context.Context, e *Env, a createTaskArgs) (Result, error) {
	if t, ok := listed(ctx, e.Vault, "", a.Title, a.Due, a.Priority); ok {
		return soAlready(t), nil
	}
	step, err := entity.PlanAddLooseTask(ctx, e.Vault, entity.NewTask{Title: a.Title, Due: a.Due, Priority: a.Priority, Body: a.Details})
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "add the task %s to the inbox", quote(a.Title))
	return Result{Value: map[string]any{"title": a.Title, "path": step.Entity.Path}, Steps: []vault.Step{step}}, nil
}

// createIn adds a task to a note, where that has its tasks.
func createIn(ctx context.Context, e *Env, a createTaskArgs) (Result, error) {
	p, res, err := noteNamed(ctx, e, a.Note)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanTasksInNote(ctx, e.Vault, vault.Entity{Type: e.Vault.TypeOf(p), Path: p}, "", []entity.NewTask{{Title: a.Title, Due: a.Due, Priority: a.Priority, Body: a.Details}})
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "add the task %s to %s", quote(a.Title), p)
	v := map[string]any{"title": a.Title, "path": p}
	if refs := entity.Created(step); len(refs) == 1 {
		v["task"] = refs[0]
	}
	return Result{Value: v, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(p)}, nil
}

// soAlready is the result of a call on a task that is as it is to be.
func soAlready(t entity.Task) Result {
	v := taskValue(t)
	v["already"] = true
	return Result{Value: v}
}

func completeTask(ctx context.Context, e *Env, a completeTaskArgs) (Result, error) {
	t, res, err := findTask(ctx, e, a.Task)
	if err != nil || res.Fault != nil {
		return res, err
	}
	if t.Status == "done" {
		return soAlready(t), nil
	}
	step, err := entity.PlanCompleteTask(ctx, e.Vault, a.Task)
	if err != nil {
		return faultOf(err)
	}
	_, again, recurs := strings.Cut(step.Reason, "; "+entity.Recurs)
	if step.Reason = because(a.Reason, "%s is done", quote(t.Title)); recurs {
		step.Reason += "; " + entity.Recurs + again
	}
	return onTask(e, t, step), nil
}

func updateTask(ctx context.Context, e *Env, a updateTaskArgs) (Result, error) {
	t, res, err := findTask(ctx, e, a.Task)
	if err != nil || res.Fault != nil {
		return res, err
	}
	u := entity.TaskUpdate{Title: a.Title, Status: a.Status, Priority: a.Priority, Start: a.Start, Due: a.Due, Scheduled: a.Scheduled, Repeat: a.Repeat}
	if u == (entity.TaskUpdate{}) {
		return fault("update_task was given nothing to change", "give title, status, priority, start, due, scheduled or repeat"), nil
	}
	if a.Priority != nil && *a.Priority == "none" {
		u.Priority = new(string)
	}
	if isSo(u, t) {
		return soAlready(t), nil
	}
	step, err := entity.PlanUpdateTask(ctx, e.Vault, a.Task, u)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "change the task %s", quote(t.Title))
	return onTask(e, t, step), nil
}

// onTask is the result of a step on a task.
func onTask(e *Env, t entity.Task, step vault.Step) Result {
	return Result{Value: map[string]any{"task": t.Ref(), "title": t.Title, "project": t.Project}, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(t.Path)}
}

// findTask resolves a reference exactly. Titles of open tasks that resemble it
// become the suggestion.
func findTask(ctx context.Context, e *Env, ref string) (entity.Task, Result, error) {
	t, err := entity.FindTask(ctx, e.Vault, ref)
	if err == nil {
		return t, Result{}, nil
	}
	res, goErr := faultOf(err)
	if goErr != nil || !errors.Is(err, vault.ErrNotFound) {
		return t, res, goErr
	}
	tasks, err := entity.Tasks(ctx, e.Vault, e.Project)
	if err != nil {
		res, err := faultOf(err)
		return t, res, err
	}
	titles, refs := []string{}, map[string]string{}
	for _, other := range tasks {
		if other.Open() {
			titles = append(titles, other.Title)
			refs[other.Title] = other.Ref()
		}
	}
	var meant []string
	for _, title := range suggest.Near(ref, titles, 3) {
		meant = append(meant, refs[title])
	}
	if len(meant) > 0 {
		res.Fault.Suggestion = suggest.Question(meant)
	}
	return t, res, nil
}
