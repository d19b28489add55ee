package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/taskline"
)

// taskFields are the keys of a task that a checkbox holds as [key:: value] behind its
// title, in the order in which they are written.
func (t *NewTask) taskFields() []struct {
	key   string
	value *string
} {
	return []struct {
		key   string
		value *string
	}{{"priority", &t.Priority}, {"start", &t.Start}, {"due", &t.Due}, {"duration", &t.Duration}}
}

// cutFields takes the fields out of a checkbox's text that a task's file has keys for.
// What else is written there, such as when it recurs, stays in the title.
func cutFields(text string) NewTask {
	l := taskline.Parse(text)
	return NewTask{
		Title:    l.Cut(taskline.Priority, taskline.Start, taskline.Due, taskline.Duration),
		Priority: l.Value(taskline.Priority), Start: l.Value(taskline.Start), Due: l.Value(taskline.Due), Duration: l.Value(taskline.Duration),
	}
}

// maxTaskDepth is how many levels of tasks may be created below each other.
const maxTaskDepth = 10

// checkTask returns ErrInvalid for a task, or a child of it, that can't be made.
func checkTask(t NewTask) error { return checkTaskAt(t, 1) }

func checkTaskAt(t NewTask, depth int) error {
	if depth > maxTaskDepth {
		return fmt.Errorf("%w: tasks of more than %d levels", vault.ErrInvalid, maxTaskDepth)
	}
	if vault.OneLine(t.Title) == "" {
		return vault.Hinted(fmt.Errorf("%w: a task needs a title", vault.ErrInvalid), "say what there is to do, as Call the bank")
	}
	for _, date := range []string{t.Start, t.Due} {
		if date != "" && vault.ParseTime(date).IsZero() {
			return vault.Hinted(fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", vault.ErrInvalid, vault.OneLine(date)), "write the day as 2026-12-31; an empty one takes it away")
		}
	}
	if t.Priority != "" && !slices.Contains([]string{"low", "medium", "high", "urgent"}, t.Priority) {
		return vault.Hinted(fmt.Errorf("%w: %q is not a priority: low, medium, high or urgent", vault.ErrInvalid, vault.OneLine(t.Priority)), "give one of these four, or none to take it away")
	}
	for _, c := range t.Children {
		if err := checkTaskAt(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkboxLines writes tasks as a list of checkboxes, children below their parents.
func checkboxLines(tasks []NewTask, indent string) string {
	var b strings.Builder
	for _, t := range tasks {
		b.WriteString(indent + "- [ ] " + vault.OneLine(t.Title))
		for _, f := range t.taskFields() {
			if value := vault.OneLine(*f.value); value != "" && !strings.ContainsAny(value, "[]()") {
				fmt.Fprintf(&b, " [%s:: %s]", f.key, value)
			}
		}
		b.WriteString("\n")
		if body := strings.Trim(vault.PlainText(t.Body), "\n"); body != "" {
			b.WriteString("\n")
			for line := range strings.Lines(body + "\n") {
				b.WriteString(strings.TrimRight(indent+"  "+line, " \n") + "\n")
			}
			b.WriteString("\n")
		}
		b.WriteString(checkboxLines(t.Children, indent+"  "))
	}
	return b.String()
}

// taskFile is the text of the file of a task that is created at a time.
func taskFile(created, id, status, body string, t NewTask, createdBy vault.Actor) []byte {
	text := frontMatter([]property{
		{"id", id}, {"type", "task"}, {"title", vault.OneLine(t.Title)}, {"status", status}, {"priority", vault.OneLine(t.Priority)},
		{"start", t.Start}, {"due", t.Due}, {"duration", vault.OneLine(t.Duration)},
		{"created", created}, {"created_by", string(createdBy)},
	}, nil)
	if body != "" {
		text += "\n" + body + "\n"
	}
	return []byte(text)
}

// planTask plans a task's file in the project's folder of tasks.
func planTask(v *vault.Vault, slug, status string, t NewTask, createdBy vault.Actor, taken map[string]bool) (vault.Step, error) {
	if err := checkTask(t); err != nil {
		return vault.Step{}, err
	}
	file, err := v.FreeName(path.Join(v.Layout().Projects, slug, tasksDir), vault.Slug(vault.OneLine(t.Title)), ".md", taken)
	if err != nil {
		return vault.Step{}, err
	}
	body := strings.TrimSpace(t.Body)
	if len(t.Children) > 0 {
		body = strings.TrimSpace(body + "\n\n" + strings.TrimRight(checkboxLines(t.Children, ""), "\n"))
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
		step, err := PlanTasksInNote(ctx, v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, tasks)
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
