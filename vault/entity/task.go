package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// Tasks lists a project's tasks, or all projects' when project is empty: task
// files, and the checkboxes in the project's document and notes. Open ones come
// first, then by due date. A file that can't be read is passed over.
func Tasks(ctx context.Context, v *vault.Vault, project string) ([]Task, error) {
	slugs := []string{project}
	if !v.HasProject(project) {
		var err error
		if slugs, err = projectSlugs(v); err != nil {
			return nil, err
		}
		if project != "" {
			return nil, &vault.NotFoundError{Kind: "project", Ref: project, Near: near(project, slugs)}
		}
	}
	var out []Task
	for _, slug := range slugs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tasks, err := projectTasks(v, slug)
		if err != nil {
			return nil, err
		}
		out = append(out, tasks...)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case a.Open() != b.Open():
			return a.Open()
		case a.Due != b.Due:
			return a.Due != "" && (b.Due == "" || a.Due < b.Due)
		}
		return a.Path < b.Path || a.Path == b.Path && a.Line < b.Line
	})
	return out, nil
}

func projectTasks(v *vault.Vault, slug string) ([]Task, error) {
	dir := path.Join(v.Layout().Projects, slug)
	var out []Task
	files, err := v.Names(path.Join(dir, tasksDir), false)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		p := path.Join(dir, tasksDir, f)
		doc, err := v.Document(p)
		if err != nil {
			v.Log().Warn("task passed over", "path", p, "err", err)
			continue
		}
		out = append(out, taskOf(v, p, doc))
		out = append(out, checkboxes(v, p, doc)...)
	}
	notes, err := v.Names(path.Join(dir, notesDir), false)
	if err != nil {
		return nil, err
	}
	boxed := []string{v.ProjectPath(slug)}
	for _, n := range notes {
		boxed = append(boxed, path.Join(dir, notesDir, n))
	}
	for _, p := range boxed {
		doc, err := v.Document(p)
		if err != nil {
			continue // shown as a problem by the index
		}
		out = append(out, checkboxes(v, p, doc)...)
	}
	return out, nil
}

func taskOf(v *vault.Vault, p string, doc *markdown.Document) Task {
	t := Task{Path: p, Status: "todo", Project: v.ProjectOf(p), Title: strings.TrimSuffix(path.Base(p), ".md")}
	if title := doc.Title(); title != "" {
		t.Title = title
	}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return t
	}
	t.ID = fm.String("id")
	t.Title = cmp.Or(fm.String("title"), t.Title)
	t.Status = cmp.Or(fm.String("status"), t.Status)
	t.Priority = fm.String("priority")
	t.Start = fm.String("start")
	t.Due = fm.String("due")
	t.Duration = fm.String("duration")
	return t
}

func checkboxes(v *vault.Vault, p string, doc *markdown.Document) []Task {
	var out []Task
	for _, item := range doc.Items() {
		f := cutFields(item.Text)
		t := Task{Path: p, Line: item.Line, Title: f.Title, Status: statusOfMark(item.Mark), Project: v.ProjectOf(p), Priority: f.Priority, Start: f.Start, Due: f.Due, Duration: f.Duration}
		out = append(out, t)
	}
	return out
}

// Task finds a task by id, path, or path:line for a checkbox, exactly.
func FindTask(ctx context.Context, v *vault.Vault, ref string) (Task, error) {
	if p, line, ok := cutLine(ref); ok {
		return checkbox(v, p, line)
	}
	if documents.IsMarkdown(ref) {
		doc, err := v.Document(ref)
		if err != nil {
			return Task{}, err
		}
		clean, _ := v.Locate(ref)
		t := taskOf(v, clean, doc)
		if v.TypeOf(clean) != "task" && !hasType(doc, "task") {
			return Task{}, fmt.Errorf("%w: %s is not a task", vault.ErrInvalid, clean)
		}
		return t, nil
	}
	tasks, err := Tasks(ctx, v, "")
	if err != nil {
		return Task{}, err
	}
	var titles []string
	for _, t := range tasks {
		if t.ID != "" && strings.EqualFold(t.ID, ref) {
			return t, nil
		}
		titles = append(titles, t.Title)
	}
	return Task{}, &vault.NotFoundError{Kind: "task", Ref: ref, Near: near(ref, titles)}
}

func hasType(doc *markdown.Document, want string) bool {
	fm, err := doc.FrontMatter()
	return err == nil && fm != nil && fm.String("type") == want
}

func checkbox(v *vault.Vault, p string, line int) (Task, error) {
	doc, err := v.Document(p)
	if err != nil {
		return Task{}, err
	}
	clean, _ := v.Locate(p)
	for _, t := range checkboxes(v, clean, doc) {
		if t.Line == line {
			return t, nil
		}
	}
	return Task{}, &vault.NotFoundError{Kind: "checkbox", Ref: fmt.Sprintf("%s:%d", p, line)}
}

// cutLine splits path:line.
func cutLine(ref string) (string, int, bool) {
	i := strings.LastIndexByte(ref, ':')
	if i < 0 || !documents.IsMarkdown(ref[:i]) {
		return "", 0, false
	}
	n, err := strconv.Atoi(ref[i+1:])
	return ref[:i], n, err == nil && n > 0
}

// PlanCreateTask plans projects/<slug>/tasks/<slug>.md in an existing project.
func PlanCreateTask(ctx context.Context, v *vault.Vault, t NewTask, createdBy vault.Actor) (vault.Step, error) {
	if err := checkTask(t); err != nil {
		return vault.Step{}, err
	}
	p, err := FindProject(ctx, v, t.Project)
	if err != nil {
		return vault.Step{}, err
	}
	return planTask(v, p.Slug, "todo", t, createdBy, nil)
}

// PlanUpdateTask plans to set front-matter keys of a task file, or the fields behind a
// checkbox. It returns ErrInvalid for a date that is none.
func PlanUpdateTask(ctx context.Context, v *vault.Vault, ref string, u TaskUpdate) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	if t.Line > 0 {
		return planUpdateBox(ctx, v, t, u)
	}
	var set []property
	for _, f := range []struct {
		key   string
		value *string
	}{{"title", u.Title}, {"status", u.Status}, {"priority", u.Priority}, {"start", u.Start}, {"due", u.Due}, {"duration", u.Duration}} {
		if f.value == nil {
			continue
		}
		if isDate(f.key) && *f.value != "" && vault.ParseTime(*f.value).IsZero() {
			return vault.Step{}, fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", vault.ErrInvalid, *f.value)
		}
		set = append(set, property{f.key, vault.OneLine(*f.value)})
	}
	return planSet(v, taskEntity(t), set)
}

func taskEntity(t Task) vault.Entity { return vault.Entity{Type: "task", ID: t.ID, Path: t.Path} }

// PlanCompleteTask plans to set a task's status to done, or to tick its checkbox.
func PlanCompleteTask(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	if t.Status == "done" {
		return vault.Step{}, fmt.Errorf("%w: the task is done already", vault.ErrNoChange)
	}
	if t.Line > 0 {
		return PlanCheckItem(v, t.Path, t.Line, true)
	}
	return planSet(v, taskEntity(t), []property{{"status", "done"}})
}

// PlanDeleteTask plans to delete a task file.
func PlanDeleteTask(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	if t.Line > 0 {
		return vault.Step{}, fmt.Errorf("%w: %s is a checkbox in a document; edit the document", vault.ErrInvalid, ref)
	}
	return planDelete(v, taskEntity(t))
}

func planDelete(v *vault.Vault, e vault.Entity) (vault.Step, error) {
	text, err := v.Read(e.Path)
	if err != nil {
		return vault.Step{}, err
	}
	return vault.Step{Type: vault.OpDelete, Entity: e, Changes: []vault.Change{{Path: e.Path, Before: text}}}, nil
}
