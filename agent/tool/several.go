package tool

import (
	"context"
	"fmt"

	"kist/vault"
	"kist/vault/together"
)

type changeTasksArgs struct {
	Tasks  []updateTaskArgs `json:"tasks" limit:"items=100"`
	Reason string           `json:"reason,omitempty" limit:"max=300"`
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
