package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/box"
)

// taskFile is the text of the file of a task that is created at a time.
func taskFile(created, id, status, body string, t NewTask, createdBy vault.Actor) []byte {
	text := frontMatter([]property{
		{"id", id}, {"type", "task"}, {"title", vault.OneLine(t.Title)}, {"status", status}, {"priority", vault.OneLine(t.Priority)},
		{"start", t.Start}, {"scheduled", t.Scheduled}, {"due", t.Due}, {"duration", vault.OneLine(t.Duration)},
		{"created", created}, {"created_by", string(createdBy)},
	}, t.TagNames())
	if body != "" {
		text += "\n" + body + "\n"
	}
	return []byte(text)
}

// planTask plans a task's file in the project's folder of tasks.
func planTask(v *vault.Vault, slug, status string, t NewTask, createdBy vault.Actor, taken map[string]bool) (vault.Step, error) {
	if err := t.Check(); err != nil {
		return vault.Step{}, err
	}
	if t.Repeat != "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: only a checkbox recurs, and this task gets a file of its own", vault.ErrInvalid), "name a document for it, or leave the rule out")
	}
	file, err := v.FreeName(path.Join(v.Layout().Projects, slug, tasksDir), vault.Slug(vault.OneLine(t.Title)), ".md", taken)
	if err != nil {
		return vault.Step{}, err
	}
	body := strings.TrimSpace(t.Body)
	if len(t.Children) > 0 {
		body = strings.TrimSpace(body + "\n\n" + strings.TrimRight(box.Lines(t.Children, ""), "\n"))
	}
	id := v.NewID()
	return vault.Step{
		Type:    vault.OpCreate,
		Entity:  vault.Entity{Type: "task", ID: id, Path: file},
		Changes: []vault.Change{{Path: file, After: taskFile(stamp(v), id, status, body, t, createdBy)}},
	}, nil
}

// PlanCreateTasks plans a file for each task, and its children as checkboxes in it; or, in a
// project that is a note, or where none is named in the vault's inbox, one step with a checkbox
// for each, and its children below. All are of the project named; their own Project is not used.
func PlanCreateTasks(ctx context.Context, v *vault.Vault, project string, tasks []NewTask) ([]vault.Step, error) {
	if len(tasks) == 0 {
		return nil, vault.Hinted(fmt.Errorf("%w: no task to create", vault.ErrInvalid), "give at least one task with a title")
	}
	if project == "" {
		step, err := planLooseTasks(ctx, v, tasks)
		return []vault.Step{step}, err
	}
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return nil, err
	}
	if _, ok := v.PlacedAt(p.Path); ok {
		step, err := PlanTasksInNote(ctx, v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, "", tasks)
		return []vault.Step{step}, err
	}
	taken, out := map[string]bool{}, []vault.Step(nil)
	for _, t := range tasks {
		step, err := planTask(v, p.Slug, "todo", t, vault.Actor(cmp.Or(string(t.CreatedBy), string(vault.ActorAgent))), taken)
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	return out, nil
}
