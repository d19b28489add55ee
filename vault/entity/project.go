package entity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/conversation"
	"kist/vault/documents"
	"kist/vault/markdown"
	"kist/vault/spelling"
)

const (
	tasksDir    = "tasks"
	notesDir    = "notes"
	memoriesDir = "memories" // of a project
)

// Projects lists all projects by name. A project whose file can't be read in full
// is listed under its folder's name.
func Projects(ctx context.Context, v *vault.Vault) ([]Project, error) {
	whole := vault.Whole(v)
	known, err := catalog.Now(ctx, whole)
	if err != nil {
		return nil, err
	}
	all, err := vault.Kept[Heads](v).listOf(ctx, whole, known)
	if err != nil {
		return nil, err
	}
	count, err := taskCounts(ctx, v, catalog.Shown(v, known.Entries), "")
	if err != nil {
		return nil, err
	}
	out := make([]Project, 0, len(all))
	for _, p := range all {
		if v.Hides(p.Path) || v.Hides(path.Dir(p.Path)) {
			continue
		}
		count(&p)
		out = append(out, p)
	}
	return out, nil
}

// projectSlugs lists the folders of projects/, and the notes that are projects, as of the call.
func projectSlugs(ctx context.Context, v *vault.Vault) ([]string, error) {
	if err := catalog.Place(ctx, v); err != nil {
		return nil, err
	}
	return v.ProjectSlugs()
}

func readProject(ctx context.Context, v *vault.Vault, slug string) (Project, error) {
	out, err := projectHead(v, slug)
	if err != nil {
		return Project{}, err
	}
	entries, err := catalog.List(ctx, v)
	if err != nil {
		return Project{}, err
	}
	count, err := taskCounts(ctx, v, entries, slug)
	if err != nil {
		return Project{}, err
	}
	count(&out)
	return out, nil
}

// taskCounts counts the tasks of a project, or of all for an empty slug, and returns what
// tells a project its own.
func taskCounts(ctx context.Context, v *vault.Vault, entries []*catalog.Entry, slug string) (func(*Project), error) {
	open, done := map[string]int{}, map[string]int{}
	err := eachOf(ctx, v, entries, slug, func(t Task) {
		switch {
		case t.Open():
			open[t.Project]++
		case t.Status == "done":
			done[t.Project]++
		}
	})
	if err != nil {
		return nil, err
	}
	return func(p *Project) { p.OpenTasks, p.DoneTasks = open[p.Slug], done[p.Slug] }, nil
}

func projectHead(v *vault.Vault, slug string) (Project, error) {
	p := v.ProjectPath(slug)
	doc, err := v.Document(p)
	if err != nil {
		return Project{}, err
	}
	if place, ok := v.PlacedAt(p); ok {
		return placedHead(place, doc), nil
	}
	out := Project{Slug: slug, Path: p, Name: slug, Status: "active", Description: doc.FirstParagraph()}
	if title := doc.Title(); title != "" {
		out.Name = title
	}
	if fm, err := doc.FrontMatter(); err == nil && fm != nil {
		out.ID, out.FormerIDs = fm.String("id"), fm.Strings(catalog.FormerIDs)
		out.Name = cmp.Or(fm.String("name"), out.Name)
		out.Status = cmp.Or(fm.String("status"), out.Status)
		out.Priority = fm.String("priority")
		out.Tags, out.Aliases = fm.Strings("tags"), fm.Strings("aliases")
		out.Start = fm.String("start")
		out.Due = fm.String(endKey(fm))
		out.Created = vault.ParseTime(fm.String("created"))
		out.CreatedBy = fm.String("created_by")
	}
	return out, nil
}

// FindProject finds a project by slug, id or path, exactly. A [vault.NotFoundError] suggests
// similar ones.
func FindProject(ctx context.Context, v *vault.Vault, ref string) (Project, error) {
	if err := catalog.Place(ctx, v); err != nil {
		return Project{}, err
	}
	slug := ref
	if s := v.ProjectOf(ref); s != "" && v.ProjectPath(s) == path.Clean(ref) {
		slug = s
	}
	if documents.IsSlug(slug) {
		p, err := readProject(ctx, v, slug)
		if !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrInvalidPath) {
			return p, err
		}
	}
	all, err := Projects(ctx, v)
	if err != nil {
		return Project{}, err
	}
	var names, same []string
	for _, p := range all {
		if meant(ref, p.ID, p.FormerIDs) {
			return p, nil
		}
		names = append(names, p.Slug)
		if strings.EqualFold(p.Name, ref) || vault.Slug(p.Name) == ref {
			same = append(same, p.Slug)
		}
	}
	if len(same) == 0 {
		same = spelling.Near(slugIn(v, ref), names)
	}
	return Project{}, &vault.NotFoundError{Kind: "project", Ref: ref, Near: same[:min(3, len(same))]}
}

// NamedProject finds a project that is only read: as FindProject, or by the name that it
// alone has.
func NamedProject(ctx context.Context, v *vault.Vault, ref string) (Project, error) {
	p, err := FindProject(ctx, v, ref)
	if !errors.Is(err, vault.ErrNotFound) {
		return p, err
	}
	all, listed := Projects(ctx, v)
	if listed != nil {
		return p, listed
	}
	all = slices.DeleteFunc(all, func(p Project) bool { return !strings.EqualFold(p.Name, ref) && !strings.EqualFold(p.Slug, ref) })
	if len(all) == 1 {
		return all[0], nil
	}
	return p, err
}

// meant reports whether an id means a document: its own, or one of those that were joined with it.
func meant(ref, id string, former []string) bool {
	return id != "" && strings.EqualFold(id, ref) || slices.ContainsFunc(former, func(f string) bool { return strings.EqualFold(f, ref) })
}

// slugIn is the part of a path such as projects/boat/project.md that should be a slug.
func slugIn(v *vault.Vault, ref string) string {
	if inside, ok := strings.CutPrefix(path.Clean(ref), v.Layout().Projects+"/"); ok {
		ref, _, _ = strings.Cut(inside, "/")
	}
	return ref
}

// ProjectBrief reads what somebody returning to a project wants to know.
func ProjectBrief(ctx context.Context, v *vault.Vault, ref string) (Brief, error) {
	p, err := FindProject(ctx, v, ref)
	if err != nil {
		return Brief{}, err
	}
	doc, err := v.Document(p.Path)
	if err != nil {
		return Brief{}, err
	}
	b := Brief{Project: p}
	if text, ok := doc.SectionText("Summary"); ok {
		b.Summary = strings.TrimSpace(text)
	}
	b.Dimensions = dimensionTexts(doc)
	if turns, err := conversation.RecentTurns(ctx, v, p.Slug, 1); err == nil && len(turns) > 0 {
		b.LastTurn = turns[0].At
	}
	b.Decisions = listItems(doc, "Decisions")
	b.NextSteps = listItems(doc, "Next steps")
	return b, nil
}

// listItems returns the list items of a section without their markers.
func listItems(doc *markdown.Document, heading string) []string {
	text, _ := doc.SectionText(heading)
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, marker := range []string{"- ", "* ", "+ "} {
			if item, ok := strings.CutPrefix(line, marker); ok {
				out = append(out, strings.TrimSpace(item))
			}
		}
	}
	return out
}

// PlanCreateProject plans projects/<slug>/project.md. It returns ErrExists when
// that project exists, ErrInvalid for a name without a letter or digit.
func PlanCreateProject(v *vault.Vault, n NewProject, createdBy vault.Actor) (vault.Step, error) {
	name := vault.OneLine(n.Name)
	if name == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a project needs a name", vault.ErrInvalid), "say how it is called, as Houseboat")
	}
	slug := vault.Slug(name)
	p := v.ProjectPath(slug)
	if place, ok := v.Place(slug); ok {
		return vault.Step{}, fmt.Errorf("%w: project %s, which is the note %s", vault.ErrExists, slug, place.Path)
	}
	if v.Exists(p) {
		return vault.Step{}, fmt.Errorf("%w: project %s", vault.ErrExists, slug)
	}
	id := v.NewID()
	fm := []property{
		{"id", id}, {"type", "project"}, {"name", name}, {"status", "active"}, {"priority", n.Priority},
		{"created", stamp(v)}, {"created_by", string(createdBy)},
	}
	text := frontMatter(fm, n.Tags) + "\n# " + name + "\n"
	if d := strings.TrimSpace(n.Description); d != "" {
		text += "\n" + d + "\n"
	}
	return vault.Step{
		Type:    vault.OpCreate,
		Entity:  vault.Entity{Type: "project", ID: id, Path: p},
		Changes: []vault.Change{{Path: p, After: []byte(text)}},
	}, nil
}

// endKeys are the front-matter keys under which people have a project's end.
func endKeys() []string {
	return []string{"due", "deadline", "target_date", "end_date", "end", "due_date", "due date"}
}

// endKey is the one of a front matter: due, unless one of the others is there.
func endKey(fm *markdown.FrontMatter) string {
	for _, key := range endKeys()[:5] {
		if fm.String(key) != "" {
			return key
		}
	}
	return "due"
}

// PlanUpdateProject plans to set front-matter keys of a project. It returns
// ErrInvalid for a date that is none.
func PlanUpdateProject(ctx context.Context, v *vault.Vault, ref string, u ProjectUpdate) (vault.Step, error) {
	p, err := FindProject(ctx, v, ref)
	if err != nil {
		return vault.Step{}, err
	}
	end := []string{"due"}
	if _, ok := v.PlacedAt(p.Path); ok {
		end = endKeys()
	} else if doc, err := v.Document(p.Path); err == nil {
		if fm, err := doc.FrontMatter(); err == nil && fm != nil {
			end = []string{endKey(fm)}
		}
	}
	var set []property
	for _, f := range []struct {
		keys  []string
		value *string
		date  bool
	}{
		{[]string{"name", "title"}, u.Name, false}, {[]string{"status"}, u.Status, false}, {[]string{"priority"}, u.Priority, false},
		{[]string{"start", "start date", "start_date"}, u.Start, true}, {end, u.Due, true},
	} {
		if f.value == nil {
			continue
		}
		if f.date && *f.value != "" && vault.ParseTime(*f.value).IsZero() {
			return vault.Step{}, vault.Hinted(fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", vault.ErrInvalid, *f.value), "write the day as 2026-12-31; an empty one takes it away")
		}
		set = append(set, frontProperty(v, p, f.keys, vault.OneLine(*f.value)))
	}
	return planSet(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, set)
}

// PlanAddDecision plans to append a list item to a project's Decisions section,
// which is made if there is none.
func PlanAddDecision(ctx context.Context, v *vault.Vault, project, text string) (vault.Step, error) {
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return vault.Step{}, err
	}
	text = vault.OneLine(text)
	if text == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a decision needs words", vault.ErrInvalid), "say what was decided, and why, in a sentence")
	}
	item := fmt.Sprintf("- %s: %s\n", v.Now().Format(time.DateOnly), text)
	return PlanSplice(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		edit, err := doc.EditSection("Decisions", markdown.Append, []byte(item))
		if errors.Is(err, markdown.ErrNoSection) {
			return doc.AppendSection(2, "Decisions", []byte(item)), nil
		}
		return edit, err
	})
}
