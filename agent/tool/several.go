package tool

import (
	"context"
	"fmt"

	"kist/vault"
	"kist/vault/joined"
	"kist/vault/together"
)

type changeTasksArgs struct {
	Tasks  []updateTaskArgs `json:"tasks" limit:"items=100"`
	Reason string           `json:"reason,omitempty" limit:"max=300"`
}

type sweepTasksArgs struct {
	Tasks []string `json:"tasks" limit:"items=100,each=400"`
	To    string   `json:"to,omitempty" jsonschema:"a note's path; else deleted" limit:"max=400"`
}

// sweepTasks deletes several tasks in one operation, or moves them to a note.
func sweepTasks(ctx context.Context, e *Env, a sweepTasksArgs) (Result, error) {
	s, err := joined.PlanSweep(ctx, e.Vault, a.Tasks, a.To)
	if err != nil {
		return faultOf(err)
	}
	res := Result{Value: map[string]any{"titles": s.Titles, "left": s.Left}}
	if len(s.Titles) > 0 {
		res.Steps, res.Project = []vault.Step{s.Step}, e.Vault.ProjectOf(s.Step.Changes[0].Path)
	}
	return res, nil
}

// changeTasks changes several tasks in one operation. Those that are so already, and those that
// can't be changed so, are left and told of.
func changeTasks(ctx context.Context, e *Env, a changeTasksArgs) (Result, error) {
	var steps []vault.Step
	titles, left, recur := []string{}, []map[string]any{}, 0
	project, seen := "", map[string]bool{}
	for _, each := range a.Tasks {
		t, res, err := findTask(ctx, e, each.Task)
		if err != nil || res.Fault != nil {
			return res, err
		}
		if seen[t.Ref()] {
			continue
		}
		seen[t.Ref()] = true
		if res, err = updateTask(ctx, e, each); err != nil {
			return res, err
		}
		switch {
		case res.Fault != nil:
			left = append(left, map[string]any{"title": clip(t.Title, 200), "why": res.Fault.Error})
		case len(res.Steps) == 1:
			if len(steps) == 0 {
				project = res.Project
			} else if project != res.Project {
				project = ""
			}
			if each.Status != nil && *each.Status == "done" && t.Repeat != "" {
				recur++
			}
			steps, titles = append(steps, res.Steps[0]), append(titles, clip(t.Title, 200))
		}
	}
	value := map[string]any{"titles": titles, "left": left}
	if len(steps) == 0 {
		value["already"] = len(left) == 0
		return Result{Value: value}, nil
	}
	step, err := together.Step(steps)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "change %d tasks", len(steps))
	switch {
	case recur == 1:
		step.Reason += "; 1 recurs: the next one is made"
	case recur > 1:
		step.Reason += fmt.Sprintf("; %d recur: the next ones are made", recur)
	}
	return Result{Value: value, Steps: []vault.Step{step}, Project: project}, nil
}
