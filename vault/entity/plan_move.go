package entity

import (
	"context"
	"fmt"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/markdown"
)

// PlanMoveTask plans to move a task to another project. A file goes there as it is, under
// a name that is free; its key "project" follows where it names the one that is left. A
// checkbox goes with the lines below it and becomes a file, as those of a draft do. Links
// stay as they are written, as when projects are merged. It returns ErrNoChange for a
// task that is there already, ErrInvalid for an archived project, and
// [markdown.ErrUnsupported] for a checkbox that can't be cut out of its document.
func PlanMoveTask(ctx context.Context, v *vault.Vault, ref, project string) (vault.Step, error) {
	t, err := FindTask(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	p, err := FindProject(ctx, v, project)
	switch {
	case err != nil:
		return vault.Step{}, err
	case t.Project == p.Slug:
		return vault.Step{}, fmt.Errorf("%w: the task is in %s already", vault.ErrNoChange, p.Slug)
	case p.Status == "archived":
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: project %s is archived", vault.ErrInvalid, p.Slug), "take it out of the archive first, by the status active")
	case t.Line > 0:
		return moveBox(ctx, v, t, p)
	}
	if err := inFolder(v, p, "a task's file has no place in it", "create the task there, and complete or delete this one"); err != nil {
		return vault.Step{}, err
	}
	ext := path.Ext(t.Path)
	to, err := v.FreeName(path.Join(v.Layout().Projects, p.Slug, tasksDir), strings.TrimSuffix(path.Base(t.Path), ext), ext, nil)
	if err != nil {
		return vault.Step{}, err
	}
	step := vault.Step{Type: vault.OpMove, Entity: vault.Entity{Type: "task", ID: t.ID, Path: to}, Changes: []vault.Change{{Path: to, From: t.Path}}}
	named, err := namedProject(ctx, v, t, p)
	if err != nil || named == "" {
		return step, err
	}
	edit, err := planSet(v, taskEntity(t), []property{{"project", named}})
	if err != nil {
		return vault.Step{}, err
	}
	c := edit.Changes[0]
	c.Path = to
	step.Changes = append(step.Changes, c)
	return step, nil
}

// namedProject is what the key "project" of a task's file is to say in project p; "" where
// there is none, or where it doesn't name the project that the task is in.
func namedProject(ctx context.Context, v *vault.Vault, t Task, p Project) (string, error) {
	doc, err := v.Document(t.Path)
	if err != nil {
		return "", err
	}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil || t.Project == "" || fm.String("project") == "" {
		return "", nil // a file that can't be edited is moved as it is
	}
	if fm.String("project") == t.Project {
		return p.Slug, nil
	}
	if from, err := FindProject(ctx, v, t.Project); err == nil && from.Name == fm.String("project") {
		return p.Name, nil
	}
	return "", nil
}

// moveBox plans to take a checkbox out of its document and to make a task of project p of it.
func moveBox(ctx context.Context, v *vault.Vault, t Task, p Project) (vault.Step, error) {
	var at box.Box
	var lines []byte
	along := ""
	cut, err := PlanSplice(v, taskEntity(t), func(doc *markdown.Document) (ed markdown.Edit, err error) {
		at, _ = box.At(doc, t.Line)
		for _, each := range doc.ListItems() {
			if each.Line == t.Line {
				lines, along = doc.Source()[each.Start:each.End], box.Along(doc, t.Line, each.Start, each.End)
			}
		}
		return doc.CutItem(t.Line)
	})
	if err != nil {
		return vault.Step{}, err
	}
	task := box.Read(at.Item.Text)
	task.Body = bodyBelow(string(lines))
	if place, ok := v.PlacedAt(p.Path); ok {
		if place.Path == t.Path {
			return vault.Step{}, fmt.Errorf("%w: the task is in %s already", vault.ErrNoChange, p.Slug)
		}
		if t.Status != "todo" {
			return vault.Step{}, vault.Hinted(fmt.Errorf("%w: only a task that is to do can be moved into %s, which is a note", vault.ErrInvalid, p.Slug), "reopen it first, by the status todo")
		}
		step, err := PlanTasksInNote(ctx, v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, "", []NewTask{task})
		step.Changes = append(step.Changes, cut.Changes...)
		step.Reason, step.Along = "move "+box.Quoted(t.Title)+" to "+p.Name+along, along
		return step, err
	}
	step, err := planTask(v, p.Slug, t.Status, task, vault.ActorUser, nil)
	step.Reason, step.Along = "move "+box.Quoted(t.Title)+" to "+p.Name+along, along
	step.Type, step.Changes = vault.OpMove, append(step.Changes, cut.Changes...)
	return step, err
}
