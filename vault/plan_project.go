package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"kist/vault/markdown"
)

// PlanRenameProject plans to set a project's name and, where its title is the old
// name, the title. Its folder stays, and with it every link to its files. It returns
// ErrExists when another project has that name.
func (v *Vault) PlanRenameProject(ctx context.Context, ref, name string) ([]Step, error) {
	p, err := v.Project(ctx, ref)
	if err != nil {
		return nil, err
	}
	if name = oneLine(name); name == "" {
		return nil, fmt.Errorf("%w: a project needs a name", ErrInvalid)
	}
	all, err := v.Projects(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		if other.Slug != p.Slug && strings.EqualFold(other.Name, name) {
			return nil, fmt.Errorf("%w: project %s has that name", ErrExists, other.Slug)
		}
	}
	step, err := v.planSplices(Entity{Type: "project", ID: p.ID, Path: p.Path}, renamed(p.Name, name)...)
	if err != nil {
		return nil, err
	}
	return []Step{step}, nil
}

// renamed are the edits that give a document another name.
func renamed(from, to string) []splice {
	return []splice{
		func(doc *markdown.Document) (markdown.Edit, error) {
			return doc.SetProperty("name", markdown.Quote(to))
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
func (v *Vault) PlanMoveProject(ctx context.Context, ref, newSlug string) ([]Step, error) {
	p, err := v.Project(ctx, ref)
	if err != nil {
		return nil, err
	}
	if slug := Slug(newSlug); slug != newSlug {
		return nil, fmt.Errorf("%w: %q is not a slug, such as %s", ErrInvalid, oneLine(newSlug), slug)
	}
	to := path.Join(v.layout.Projects, newSlug)
	if _, err := v.root.Lstat(to); err == nil {
		return nil, fmt.Errorf("%w: %s", ErrExists, to)
	} else if err := v.pathError("folder", to, err); !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	files, bad, err := v.projectFiles(p.Slug)
	if err != nil {
		return nil, err
	}
	if err := obstructed("kist can't move all of the folder", bad); err != nil {
		return nil, err
	}
	from := path.Join(v.layout.Projects, p.Slug)
	step := Step{Type: OpMove, Entity: Entity{Type: "project", ID: p.ID, Path: v.projectPath(newSlug)}}
	for _, f := range files {
		step.Changes = append(step.Changes, Change{From: f, Path: path.Join(to, strings.TrimPrefix(f, from+"/"))})
	}
	return []Step{step}, nil
}

// PlanDeleteProject plans to delete all files of a project. The log keeps their texts,
// so an undo brings them back; where it couldn't (a file that isn't text, one over the
// limits, a link, a hidden file), it returns ErrNotText, ErrTooLarge or
// ErrNotRegular, naming the files.
func (v *Vault) PlanDeleteProject(ctx context.Context, ref string) ([]Step, error) {
	p, err := v.Project(ctx, ref)
	if err != nil {
		return nil, err
	}
	files, bad, err := v.projectFiles(p.Slug)
	if err != nil {
		return nil, err
	}
	texts, more, err := v.unrestorable(files)
	if err != nil {
		return nil, err
	}
	if err := obstructed("the project holds what could not be brought back; move it away first", append(bad, more...)); err != nil {
		return nil, err
	}
	step := Step{Type: OpDelete, Entity: Entity{Type: "project", ID: p.ID, Path: p.Path}}
	for _, f := range files {
		step.Changes = append(step.Changes, Change{Path: f, Before: texts[f]})
	}
	return []Step{step}, nil
}
