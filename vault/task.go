package vault

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"kist/vault/markdown"
)

// Tasks lists a project's tasks, or all projects' when project is empty: task
// files, and the checkboxes in the project's document and notes. Open ones come
// first, then by due date. A file that can't be read is passed over.
func (v *Vault) Tasks(ctx context.Context, project string) ([]Task, error) {
	slugs := []string{project}
	if fi, err := v.root.Lstat(path.Join(v.layout.Projects, project)); !isSlug(project) || err != nil || !fi.IsDir() {
		if slugs, err = v.slugs(); err != nil {
			return nil, err
		}
		if project != "" {
			return nil, &NotFoundError{Kind: "project", Ref: project, Near: near(project, slugs)}
		}
	}
	var out []Task
	for _, slug := range slugs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tasks, err := v.projectTasks(slug)
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

func (v *Vault) projectTasks(slug string) ([]Task, error) {
	dir := path.Join(v.layout.Projects, slug)
	var out []Task
	files, err := v.names(path.Join(dir, tasksDir), false)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		p := path.Join(dir, tasksDir, f)
		doc, err := v.Document(p)
		if err != nil {
			v.log.Warn("task passed over", "path", p, "err", err)
			continue
		}
		out = append(out, v.taskOf(p, doc))
		out = append(out, v.checkboxes(p, doc)...)
	}
	notes, err := v.names(path.Join(dir, notesDir), false)
	if err != nil {
		return nil, err
	}
	boxed := []string{v.projectPath(slug)}
	for _, n := range notes {
		boxed = append(boxed, path.Join(dir, notesDir, n))
	}
	for _, p := range boxed {
		doc, err := v.Document(p)
		if err != nil {
			continue // shown as a problem by the index
		}
		out = append(out, v.checkboxes(p, doc)...)
	}
	return out, nil
}

func (v *Vault) taskOf(p string, doc *markdown.Document) Task {
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

func (v *Vault) checkboxes(p string, doc *markdown.Document) []Task {
	var out []Task
	for _, item := range doc.Items() {
		f := cutFields(item.Text)
		t := Task{Path: p, Line: item.Line, Title: f.Title, Status: statusOfMark(item.Mark), Project: v.ProjectOf(p), Priority: f.Priority, Start: f.Start, Due: f.Due, Duration: f.Duration}
		out = append(out, t)
	}
	return out
}

// Task finds a task by id, path, or path:line for a checkbox, exactly.
func (v *Vault) Task(ctx context.Context, ref string) (Task, error) {
	if p, line, ok := cutLine(ref); ok {
		return v.checkbox(p, line)
	}
	if isMarkdown(ref) {
		doc, err := v.Document(ref)
		if err != nil {
			return Task{}, err
		}
		clean, _ := cleanPath(ref)
		t := v.taskOf(clean, doc)
		if v.TypeOf(clean) != "task" && !hasType(doc, "task") {
			return Task{}, fmt.Errorf("%w: %s is not a task", ErrInvalid, clean)
		}
		return t, nil
	}
	tasks, err := v.Tasks(ctx, "")
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
	return Task{}, &NotFoundError{Kind: "task", Ref: ref, Near: near(ref, titles)}
}

func hasType(doc *markdown.Document, want string) bool {
	fm, err := doc.FrontMatter()
	return err == nil && fm != nil && fm.String("type") == want
}

func (v *Vault) checkbox(p string, line int) (Task, error) {
	doc, err := v.Document(p)
	if err != nil {
		return Task{}, err
	}
	clean, _ := cleanPath(p)
	for _, t := range v.checkboxes(clean, doc) {
		if t.Line == line {
			return t, nil
		}
	}
	return Task{}, &NotFoundError{Kind: "checkbox", Ref: fmt.Sprintf("%s:%d", p, line)}
}

// cutLine splits path:line.
func cutLine(ref string) (string, int, bool) {
	i := strings.LastIndexByte(ref, ':')
	if i < 0 || !isMarkdown(ref[:i]) {
		return "", 0, false
	}
	n, err := strconv.Atoi(ref[i+1:])
	return ref[:i], n, err == nil && n > 0
}

// PlanCreateTask plans projects/<slug>/tasks/<slug>.md in an existing project.
func (v *Vault) PlanCreateTask(ctx context.Context, t NewTask, createdBy Actor) (Step, error) {
	if err := checkTask(t); err != nil {
		return Step{}, err
	}
	p, err := v.Project(ctx, t.Project)
	if err != nil {
		return Step{}, err
	}
	return v.planTask(p.Slug, "todo", t, createdBy, nil)
}

// PlanUpdateTask plans to set front-matter keys of a task file, or the fields behind a
// checkbox. It returns ErrInvalid for a date that is none.
func (v *Vault) PlanUpdateTask(ctx context.Context, ref string, u TaskUpdate) (Step, error) {
	t, err := v.Task(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	if t.Line > 0 {
		return v.planUpdateBox(ctx, t, u)
	}
	var set []property
	for _, f := range []struct {
		key   string
		value *string
	}{{"title", u.Title}, {"status", u.Status}, {"priority", u.Priority}, {"start", u.Start}, {"due", u.Due}, {"duration", u.Duration}} {
		if f.value == nil {
			continue
		}
		if isDate(f.key) && *f.value != "" && parseTime(*f.value).IsZero() {
			return Step{}, fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", ErrInvalid, *f.value)
		}
		set = append(set, property{f.key, oneLine(*f.value)})
	}
	return v.planSet(taskEntity(t), set)
}

func taskEntity(t Task) Entity { return Entity{Type: "task", ID: t.ID, Path: t.Path} }

// PlanCompleteTask plans to set a task's status to done, or to tick its checkbox.
func (v *Vault) PlanCompleteTask(ctx context.Context, ref string) (Step, error) {
	t, err := v.Task(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	if t.Status == "done" {
		return Step{}, fmt.Errorf("%w: the task is done already", ErrNoChange)
	}
	if t.Line > 0 {
		return v.PlanCheckItem(t.Path, t.Line, true)
	}
	return v.planSet(taskEntity(t), []property{{"status", "done"}})
}

// PlanDeleteTask plans to delete a task file.
func (v *Vault) PlanDeleteTask(ctx context.Context, ref string) (Step, error) {
	t, err := v.Task(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	if t.Line > 0 {
		return Step{}, fmt.Errorf("%w: %s is a checkbox in a document; edit the document", ErrInvalid, ref)
	}
	return v.planDelete(taskEntity(t))
}

func (v *Vault) planDelete(e Entity) (Step, error) {
	text, err := v.Read(e.Path)
	if err != nil {
		return Step{}, err
	}
	return Step{Type: OpDelete, Entity: e, Changes: []Change{{Path: e.Path, Before: text}}}, nil
}
