/*
Package adoption makes notes projects where they lie, by writing into them that they are:
[Plan] works out the one step that does so, an [Adoption] says what becomes of each note.
It writes nothing.
*/
package adoption

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/documents"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/task"
)

// maxAdopted is how many notes may become projects at once.
const maxAdopted = 10_000

// An Adoption is what becomes of a note that is to be a project where it lies.
type Adoption struct {
	Path string
	Slug string // empty: it becomes none
	Why  string // it doesn't, or its slug isn't that of its name
}

// Plan plans to write into notes that they are projects: type: project, and an id where
// there is none. Refs are notes, folders (the notes in them) and patterns of paths, as
// [task.Matches] has them; none: the notes that are projects by a rule alone. A note that
// can't be one is passed over and told. It returns ErrNotFound for a ref that means no note,
// and ErrNoChange, with what was passed over, where nothing is left to do.
func Plan(ctx context.Context, v *vault.Vault, refs []string) (vault.Step, []Adoption, error) {
	if err := catalog.Place(ctx, v); err != nil {
		return vault.Step{}, nil, err
	}
	paths, err := notesNamed(ctx, v, refs)
	if err != nil {
		return vault.Step{}, nil, err
	}
	if len(paths) > maxAdopted {
		return vault.Step{}, nil, fmt.Errorf("%w: %d notes, more than %d at once", vault.ErrTooLarge, len(paths), maxAdopted)
	}
	step, list, adopted := vault.Step{Type: vault.OpUpdate}, []Adoption{}, []string{}
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return vault.Step{}, nil, err
		}
		change, id, why := adopt(v, p)
		if why != "" {
			list = append(list, Adoption{Path: p, Why: why})
			continue
		}
		if step.Entity.Path == "" {
			step.Entity = vault.Entity{Type: "project", ID: id, Path: p}
		}
		step.Changes, adopted = append(step.Changes, change), append(adopted, p)
	}
	if len(adopted) == 0 {
		return vault.Step{}, list, fmt.Errorf("%w: none of the %d notes that were named becomes a project", vault.ErrNoChange, len(paths))
	}
	step.Reason = fmt.Sprintf("adopt %d notes as projects", len(adopted))
	if len(adopted) == 1 {
		step.Reason = "adopt the note as a project"
	}
	named, err := named(v, adopted)
	return step, append(named, list...), err
}

// adopt is the edit of one note, or why there is none.
func adopt(v *vault.Vault, p string) (c vault.Change, id, why string) {
	doc, err := v.Document(p)
	if err != nil {
		return c, "", err.Error()
	}
	if why := catalog.Refusal(v, p, doc); why != "" {
		return c, "", why
	}
	fm, _ := doc.FrontMatter()
	set := []markdown.Setting{{Key: "type", Value: "project"}}
	if key := catalog.FrontKey(fm, "type"); key != "" {
		set[0].Key = key
	}
	if key := catalog.FrontKey(fm, "id"); key == "" {
		id = v.NewID()
		set = append(set, markdown.Setting{Key: "id", Value: id})
	}
	step, err := entity.PlanSetProperties(v, vault.Entity{Type: "project", Path: p}, set)
	if err != nil {
		return c, "", err.Error()
	}
	return step.Changes[0], id, ""
}

// named says how the notes will be called.
func named(v *vault.Vault, adopted []string) (list []Adoption, err error) {
	places, err := catalog.With(v, adopted)
	if err != nil {
		return nil, err
	}
	for _, p := range adopted {
		place := places.At(p)
		a := Adoption{Path: p, Slug: place.Slug}
		if short := catalog.ShortSlug(p); short != place.Slug {
			a.Why = "another project is called " + short
		}
		list = append(list, a)
	}
	return list, nil
}

// notesNamed are the notes that refs mean, by path.
func notesNamed(ctx context.Context, v *vault.Vault, refs []string) ([]string, error) {
	if len(refs) == 0 {
		var out []string
		for _, p := range documents.PlacesOf(v.Folder).Paths() {
			doc, err := v.Document(p)
			if err != nil || catalog.Refusal(v, p, doc) == "" {
				out = append(out, p)
			}
		}
		if len(out) == 0 {
			return nil, vault.Hinted(fmt.Errorf("%w: no note is a project by a rule of kist.yaml alone", vault.ErrInvalid),
				"name notes, folders or patterns such as Projects/*.md")
		}
		return out, nil
	}
	var patterns, out []string
	for _, ref := range refs {
		ref = strings.TrimPrefix(ref, "./")
		if strings.ContainsAny(ref, "*?") {
			patterns = append(patterns, ref)
			continue
		}
		p, pattern, err := noteNamed(v, ref)
		if err != nil {
			return nil, err
		}
		if pattern != "" {
			patterns = append(patterns, pattern)
		} else {
			out = append(out, p)
		}
	}
	more, err := notesLike(ctx, v, patterns)
	return slices.Compact(slices.Sorted(slices.Values(append(out, more...)))), err
}

// Called are the notes that can be made projects and that a name means as files: by path, with .md
// or without, or by the name of the file with .md, in capitals or not. A bare name means none: it is
// what a new project is called, whatever note has the same somewhere. why says of one that can't
// be made a project what stands against it.
func Called(ctx context.Context, v *vault.Vault, name string) (paths []string, why string, err error) {
	name = strings.ToLower(strings.TrimPrefix(name, "./"))
	if !strings.Contains(name, "/") && !strings.HasSuffix(name, ".md") {
		return nil, "", nil
	}
	name = strings.TrimSuffix(name, ".md")
	err = v.Walk(ctx, func(i vault.Info) error {
		bare := strings.TrimSuffix(strings.ToLower(i.Path), ".md")
		if bare != name && path.Base(bare) != name && strings.ReplaceAll(path.Base(bare), "-", " ") != name {
			return nil
		}
		doc, err := v.Document(i.Path)
		if err != nil {
			return ctx.Err()
		}
		if no := catalog.Refusal(v, i.Path, doc); no != "" {
			why = i.Path + ": " + no
		} else {
			paths = append(paths, i.Path)
		}
		return ctx.Err()
	}, nil)
	return paths, why, err
}

// noteNamed is the note that a ref means, or the pattern of those in the folder that it is.
func noteNamed(v *vault.Vault, ref string) (p, pattern string, err error) {
	if _, ok := v.StatFolder(path.Clean(ref)); ok && !documents.IsMarkdown(ref) {
		return "", path.Join(ref, "*.md"), nil
	}
	if !documents.IsMarkdown(ref) {
		if _, err := v.Stat(ref); err == nil {
			return "", "", fmt.Errorf("%w %q: only notes, which end with .md, can be projects", vault.ErrInvalidPath, ref)
		}
		ref += ".md"
	}
	if p, err = v.Locate(ref); err != nil {
		return "", "", err
	}
	if !v.Exists(p) {
		return "", "", &vault.NotFoundError{Kind: "note", Ref: ref}
	}
	return p, "", nil
}

// notesLike are the notes that patterns take. Each has to take one.
func notesLike(ctx context.Context, v *vault.Vault, patterns []string) (out []string, err error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	for _, pattern := range patterns {
		if err := catalog.CheckPattern(pattern); err != nil {
			return nil, fmt.Errorf("%w: %q %w", vault.ErrInvalid, pattern, err)
		}
	}
	took := make([]bool, len(patterns))
	err = v.Walk(ctx, func(i vault.Info) error {
		for n, pattern := range patterns {
			if task.Matches(pattern, i.Path) {
				took[n], out = true, append(out, i.Path)
				break
			}
		}
		return ctx.Err()
	}, nil)
	if i := slices.Index(took, false); err == nil && i >= 0 {
		return nil, &vault.NotFoundError{Kind: "note", Ref: patterns[i]}
	}
	return out, err
}

// Waiting is the proposed operation that waits already and says the same of the same texts;
// nil: there is none.
func Waiting(ctx context.Context, v *vault.Vault, step vault.Step) (*vault.Operation, error) {
	ops, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
	if err != nil {
		return nil, err
	}
	for _, op := range ops {
		same := op.Reason == step.Reason && op.Entity.Path == step.Entity.Path && slices.EqualFunc(op.Changes, step.Changes, func(a vault.FileChange, b vault.Change) bool {
			return a.Path == b.Path && a.Before == vault.HashOf(b.Before)
		})
		if same {
			op, err := v.Operation(ctx, op.ID)
			return &op, err
		}
	}
	return nil, nil
}
