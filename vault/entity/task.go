package entity

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/catalog"
	"kist/vault/documents"
	"kist/vault/markdown"
	"kist/vault/spelling"
)

// Tasks lists a project's tasks, or those of the whole vault when project is empty: task
// files, and the checkboxes of all documents that are a place for tasks. Open ones come
// first, then by due date. A file that can't be read is passed over.
func Tasks(ctx context.Context, v *vault.Vault, project string) ([]Task, error) {
	return TasksThat(ctx, v, project, func(Task) bool { return true })
}

// TasksThat is Tasks for those that fit.
func TasksThat(ctx context.Context, v *vault.Vault, project string, fits func(Task) bool) ([]Task, error) {
	var found []*Task // which are large to be moved about
	err := EachTask(ctx, v, project, func(t Task) {
		if fits(t) {
			kept := t
			found = append(found, &kept)
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b *Task) int {
		switch {
		case a.Open() != b.Open() && a.Open(), a.Open() == b.Open() && a.Due != b.Due && b.Due == "":
			return -1
		case a.Open() != b.Open(), a.Due != b.Due && a.Due == "":
			return 1
		}
		return cmp.Or(strings.Compare(a.Due, b.Due), strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	out := slices.Grow([]Task(nil), len(found))
	for _, t := range found {
		out = append(out, *t)
	}
	return out, nil
}

// EachTask visits the tasks that Tasks lists, in no order.
func EachTask(ctx context.Context, v *vault.Vault, project string, visit func(Task)) error {
	entries, err := catalog.List(ctx, v)
	if err != nil {
		return err
	}
	if project != "" && !v.HasProject(project) {
		p, err := NamedProject(ctx, v, project)
		if err != nil {
			return err
		}
		project = p.Slug
	}
	return eachOf(ctx, v, entries, project, visit)
}

// TasksIn lists the tasks of one document, by line; none where it has none, or isn't there.
func TasksIn(ctx context.Context, v *vault.Vault, p string) ([]Task, error) {
	entries, err := catalog.List(ctx, v)
	if err != nil {
		return nil, err
	}
	i, ok := slices.BinarySearchFunc(entries, p, func(e *catalog.Entry, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return nil, nil
	}
	return placed(v, slices.Clone(entries[i].Tasks)), nil
}

// eachOf is EachTask of what is known, and of a project that needn't be there.
func eachOf(ctx context.Context, v *vault.Vault, entries []*catalog.Entry, project string, visit func(Task)) error {
	for _, e := range entries {
		slug := v.ProjectOf(e.Path)
		if project != "" && slug != project {
			continue
		}
		for _, t := range e.Tasks {
			t.Project = slug
			visit(t)
		}
	}
	more, err := ignoredTasks(ctx, v, project)
	for _, t := range more {
		visit(t)
	}
	return err
}

// ignoredTasks lists the tasks of projects that rules leave out: nobody follows their
// documents, but a project is one all the same.
func ignoredTasks(ctx context.Context, v *vault.Vault, project string) ([]Task, error) {
	slugs, err := v.Names(v.Layout().Projects, true)
	if err != nil {
		return nil, err
	}
	var out []Task
	for _, slug := range slugs {
		if project != "" && slug != project || !v.Ignored(v.ProjectPath(slug)) {
			continue
		}
		paths := []string{v.ProjectPath(slug)}
		for _, dir := range []string{tasksDir, notesDir} {
			dir = path.Join(v.Layout().Projects, slug, dir)
			files, err := v.Names(dir, false)
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			for _, f := range files {
				paths = append(paths, path.Join(dir, f))
			}
		}
		for _, p := range paths {
			if doc, err := v.Document(p); err == nil && v.Ignored(p) {
				out = append(out, placed(v, catalog.Tasks(v, p, doc))...)
			}
		}
	}
	return out, nil
}

// placed gives tasks their project.
func placed(v *vault.Vault, tasks []Task) []Task {
	for i := range tasks {
		tasks[i].Project = v.ProjectOf(tasks[i].Path)
	}
	return tasks
}

// FindTask finds a task by id, path, or path:line for a checkbox, exactly.
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
		t := placed(v, []Task{catalog.File(clean, doc)})[0]
		if v.TypeOf(clean) != "task" && !hasType(doc, "task") {
			return Task{}, vault.Hinted(fmt.Errorf("%w: %s is no task as a whole; one of its checkboxes is named with its line, as %s:12", vault.ErrInvalid, clean, clean), "the list of tasks names each as it can be named here")
		}
		return t, nil
	}
	tasks, err := Tasks(ctx, v, "")
	if err != nil {
		return Task{}, err
	}
	var titles []string
	for _, t := range tasks {
		if meant(ref, t.ID, t.FormerIDs) {
			return t, nil
		}
		titles = append(titles, t.Title)
	}
	near := spelling.Near(ref, titles)
	for i, title := range near {
		at := slices.Index(titles, title)
		titles[at] = "" // of the same title there may be more
		near[i] = tasks[at].Ref()
	}
	return Task{}, &vault.NotFoundError{Kind: "task", Ref: ref, Near: near}
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
	if t, ok := catalog.TaskAt(doc, clean, line); ok {
		return placed(v, []Task{t})[0], nil
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

// PlanCreateTask plans projects/<slug>/tasks/<slug>.md in an existing project, or a checkbox
// in the note that is the project.
func PlanCreateTask(ctx context.Context, v *vault.Vault, t NewTask, createdBy vault.Actor) (vault.Step, error) {
	if err := t.Check(); err != nil {
		return vault.Step{}, err
	}
	if t.Project == "" {
		return PlanAddLooseTask(ctx, v, t)
	}
	p, err := FindProject(ctx, v, t.Project)
	if err != nil {
		return vault.Step{}, err
	}
	if _, ok := v.PlacedAt(p.Path); ok {
		return PlanTasksInNote(ctx, v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, "", []NewTask{t})
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
		return planBox(v, t, u)
	}
	if u.Repeat != nil || u.Created != nil {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: the rule and the day of writing are of a checkbox; %s is a file", vault.ErrInvalid, ref), "leave repeat and created out; a file has start, due and scheduled")
	}
	var set []property
	for _, f := range []struct {
		key   string
		value *string
	}{{"title", u.Title}, {"status", u.Status}, {"priority", u.Priority}, {"start", u.Start}, {"due", u.Due}, {"scheduled", u.Scheduled}, {"duration", u.Duration}} {
		if f.value == nil {
			continue
		}
		if isDay := f.key == "start" || f.key == "due" || f.key == "scheduled"; isDay && *f.value != "" && vault.ParseTime(*f.value).IsZero() {
			return vault.Step{}, vault.Hinted(fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", vault.ErrInvalid, *f.value), "write the day as 2026-12-31; an empty one takes it away")
		}
		set = append(set, property{f.key, vault.OneLine(*f.value)})
	}
	if u.Status != nil {
		set = append(set, completed(v, t, *u.Status)...)
	}
	step, err := planSet(v, taskEntity(t), set)
	step.Reason = u.Reason(t.Title)
	return step, err
}

// completed sets the day on which a task file's task was done, where a status changes that.
func completed(v *vault.Vault, t Task, status string) []property {
	switch now := (Task{Status: status}); {
	case status == "done" && t.Status != "done":
		return []property{{"completed", v.Now().Format(time.DateOnly)}}
	case now.Open() && t.Done != "":
		return []property{{"completed", ""}}
	}
	return nil
}

func taskEntity(t Task) vault.Entity { return vault.Entity{Type: "task", ID: t.ID, Path: t.Path} }

// PlanCompleteTask plans to set a task's status to done, with the day, or to tick its checkbox, with the
// day behind it where the document's tasks have that. A recurring one gets the next one
// above it; it returns ErrInvalid where its rule can't be read.
func PlanCompleteTask(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	if t.Status == "done" {
		return vault.Step{}, fmt.Errorf("%w: the task is done already", vault.ErrNoChange)
	}
	done := "done"
	if t.Line > 0 {
		return planBox(v, t, TaskUpdate{Status: &done})
	}
	step, err := planSet(v, taskEntity(t), append([]property{{"status", done}}, completed(v, t, done)...))
	step.Reason = TaskUpdate{Status: &done}.Reason(t.Title)
	return step, err
}

// PlanDeleteTask plans to delete a task file, or to cut a checkbox and what is below it out.
func PlanDeleteTask(ctx context.Context, v *vault.Vault, ref string) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	along := ""
	if t.Line > 0 {
		step, err := PlanSplice(v, vault.Entity{Type: "task", Path: t.Path}, func(doc *markdown.Document) (ed markdown.Edit, err error) {
			if _, ok := box.At(doc, t.Line); !ok {
				return markdown.Edit{}, &vault.NotFoundError{Kind: "checkbox", Ref: t.Ref()}
			}
			if ed, err = doc.CutItem(t.Line); err == nil {
				along = box.Along(doc, t.Line, ed.Start, ed.End)
			}
			return ed, err
		})
		step.Reason, step.Along = "delete "+box.Quoted(t.Title)+along, along
		return step, err
	}
	step, err := planDelete(v, taskEntity(t))
	if err == nil {
		text := step.Changes[0].Before
		if along = box.Along(markdown.Parse(text), 0, 0, len(text)); along != "" {
			step.Reason, step.Along = "delete "+box.Quoted(t.Title)+along, along
		}
	}
	return step, err
}

func planDelete(v *vault.Vault, e vault.Entity) (vault.Step, error) {
	text, err := v.Read(e.Path)
	if err != nil {
		return vault.Step{}, err
	}
	return vault.Step{Type: vault.OpDelete, Entity: e, Changes: []vault.Change{{Path: e.Path, Before: text}}}, nil
}
