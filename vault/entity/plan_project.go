package entity

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/markdown"
)

// PlanRenameProject plans to set a project's name and, where its title is the old
// name, the title. Its folder stays, and with it every link to its files. It returns
// ErrExists when another project has that name.
func PlanRenameProject(ctx context.Context, v *vault.Vault, ref, name string) ([]vault.Step, error) {
	p, err := FindProject(ctx, v, ref)
	if err != nil {
		return nil, err
	}
	if name = vault.OneLine(name); name == "" {
		return nil, vault.Hinted(fmt.Errorf("%w: a project needs a name", vault.ErrInvalid), "say how it is called, as Houseboat")
	}
	all, err := Projects(ctx, v)
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		if other.Slug != p.Slug && strings.EqualFold(other.Name, name) {
			return nil, fmt.Errorf("%w: project %s has that name", vault.ErrExists, other.Slug)
		}
	}
	edits := renamed(frontProperty(v, p, []string{"name", "title"}, "").key, p.Name, name)
	step, err := planSplices(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, edits...)
	if err != nil {
		return nil, err
	}
	step.Reason = fmt.Sprintf("rename %s to %s", p.Name, name)
	return []vault.Step{step}, nil
}

// renamed are the edits that give a document another name.
func renamed(key, from, to string) []splice {
	return []splice{
		func(doc *markdown.Document) (markdown.Edit, error) {
			return doc.SetProperty(key, markdown.Quote(to))
		},
		func(doc *markdown.Document) (markdown.Edit, error) { return retitle(doc, from, to), nil },
	}
}

// retitle replaces the text of the title where it is the old name, written plainly.
func retitle(doc *markdown.Document, from, to string) markdown.Edit {
	for _, s := range doc.Sections() {
		if s.Level != 1 {
			continue
		}
		line := doc.Source()[s.Start:s.ContentStart]
		at := bytes.Index(line, []byte(from))
		if s.Heading() != from || at < 0 || bytes.Count(line, []byte(from)) != 1 {
			break
		}
		ed := markdown.Edit{Start: s.Start + at, End: s.Start + at + len(from), Text: []byte(to)}
		after := markdown.Parse(ed.Apply(doc.Source()))
		if after.Title() != to || len(after.Sections()) != len(doc.Sections()) || after.BodyStart() != doc.BodyStart() {
			break // the new name holds markup; the property has it as it is
		}
		return ed
	}
	return markdown.Edit{}
}

// PlanMoveProject plans to move a project's folder, with every file in it, to another
// slug. It returns ErrInvalid for what is no slug, ErrExists when something is there,
// and ErrNotRegular, naming the files, when the folder holds hidden files or links.
func PlanMoveProject(ctx context.Context, v *vault.Vault, ref, newSlug string) ([]vault.Step, error) {
	p, err := FindProject(ctx, v, ref)
	if err != nil {
		return nil, err
	}
	if err := inFolder(v, p, "it has no folder of projects/ to be moved", "move the note as you move other notes"); err != nil {
		return nil, err
	}
	if slug := vault.Slug(newSlug); slug != newSlug {
		return nil, vault.Hinted(fmt.Errorf("%w: %q is not a slug, such as %s", vault.ErrInvalid, vault.OneLine(newSlug), slug), "use small letters, digits and dashes")
	}
	to := path.Join(v.Layout().Projects, newSlug)
	if place, ok := v.Place(newSlug); ok {
		return nil, fmt.Errorf("%w: project %s, which is the note %s", vault.ErrExists, newSlug, place.Path)
	}
	if v.Exists(to) {
		return nil, fmt.Errorf("%w: %s", vault.ErrExists, to)
	}
	files, bad, err := projectFiles(v, p.Slug)
	if err != nil {
		return nil, err
	}
	if err := obstructed("kist can't move all of the folder", bad); err != nil {
		return nil, err
	}
	from := path.Join(v.Layout().Projects, p.Slug)
	step := vault.Step{Type: vault.OpMove, Reason: fmt.Sprintf("move %s to %s", p.Slug, newSlug), Entity: vault.Entity{Type: "project", ID: p.ID, Path: v.ProjectPath(newSlug)}}
	for _, f := range files {
		step.Changes = append(step.Changes, vault.Change{From: f, Path: path.Join(to, strings.TrimPrefix(f, from+"/"))})
	}
	return []vault.Step{step}, nil
}

// PlanDeleteProject plans to delete all files of a project. The log keeps their texts,
// so an undo brings them back; where it couldn't (a file that isn't text, one over the
// limits, a link, a hidden file), it returns ErrNotText, ErrTooLarge or
// ErrNotRegular, naming the files.
func PlanDeleteProject(ctx context.Context, v *vault.Vault, ref string) ([]vault.Step, error) {
	p, err := FindProject(ctx, v, ref)
	if err != nil {
		return nil, err
	}
	if err := inFolder(v, p, "it isn't deleted as a project", "archive it, take what makes it a project out of it, or delete the note"); err != nil {
		return nil, err
	}
	files, bad, err := projectFiles(v, p.Slug)
	if err != nil {
		return nil, err
	}
	texts, more, err := unrestorable(v, files)
	if err != nil {
		return nil, err
	}
	if err := obstructed("the project holds what could not be brought back; move it away first", append(bad, more...)); err != nil {
		return nil, err
	}
	step := vault.Step{Type: vault.OpDelete, Reason: fmt.Sprintf("delete %s, %d files", p.Slug, len(files)), Entity: vault.Entity{Type: "project", ID: p.ID, Path: p.Path}}
	for _, f := range files {
		step.Changes = append(step.Changes, vault.Change{Path: f, Before: texts[f]})
	}
	return []vault.Step{step}, nil
}
