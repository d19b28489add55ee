package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"kist/vault/markdown"
)

const (
	projectFile = "project.md"
	tasksDir    = "tasks"
	notesDir    = "notes"
	memoriesDir = "memories" // of a project
)

// Projects lists all projects by name. A project whose file can't be read in full
// is listed under its folder's name.
func (v *Vault) Projects(ctx context.Context) ([]Project, error) {
	slugs, err := v.slugs()
	if err != nil {
		return nil, err
	}
	var out []Project
	for _, slug := range slugs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := v.readProject(slug)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if errors.Is(err, ErrNotDownloaded) {
			p, err = Project{Slug: slug, Path: v.projectPath(slug), Name: slug, Status: "active"}, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	sort.SliceStable(out, func(i, j int) bool { return strings.ToLower(out[i].Name) < strings.ToLower(out[j].Name) })
	return out, nil
}

// slugs lists the folders of projects/.
func (v *Vault) slugs() ([]string, error) {
	return v.names(v.layout.Projects, true)
}

// names lists the folders, or the Markdown files, in dir; none if there is no dir.
func (v *Vault) names(dir string, folders bool) ([]string, error) {
	entries, err := v.readDir(dir)
	if err != nil {
		if err := v.pathError("folder", dir, err); !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() != folders {
			continue
		}
		if folders || isMarkdown(e.Name()) && e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	sort.Strings(out)
	return out, nil
}

func (v *Vault) projectPath(slug string) string {
	return path.Join(v.layout.Projects, slug, projectFile)
}

func (v *Vault) readProject(slug string) (Project, error) {
	out, err := v.projectHead(slug)
	if err != nil {
		return Project{}, err
	}
	tasks, err := v.projectTasks(slug)
	if err != nil {
		return Project{}, err
	}
	for _, t := range tasks {
		switch {
		case t.Open():
			out.OpenTasks++
		case t.Status == "done":
			out.DoneTasks++
		}
	}
	return out, nil
}

func (v *Vault) projectHead(slug string) (Project, error) {
	p := v.projectPath(slug)
	doc, err := v.Document(p)
	if err != nil {
		return Project{}, err
	}
	out := Project{Slug: slug, Path: p, Name: slug, Status: "active", Description: doc.FirstParagraph()}
	if title := doc.Title(); title != "" {
		out.Name = title
	}
	if fm, err := doc.FrontMatter(); err == nil && fm != nil {
		out.ID = fm.String("id")
		out.Name = cmp.Or(fm.String("name"), out.Name)
		out.Status = cmp.Or(fm.String("status"), out.Status)
		out.Priority = fm.String("priority")
		out.Tags = fm.Strings("tags")
		out.Start = fm.String("start")
		out.Due = fm.String(endKey(fm))
		out.Created = parseTime(fm.String("created"))
		out.CreatedBy = fm.String("created_by")
	}
	return out, nil
}

// parseTime reads a time as people and programs write it into front matter; the
// zero time for anything else.
func parseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Project finds a project by slug, id or path, exactly. A [NotFoundError] suggests
// similar ones.
func (v *Vault) Project(ctx context.Context, ref string) (Project, error) {
	slug := ref
	if s := v.ProjectOf(ref); s != "" && v.projectPath(s) == path.Clean(ref) {
		slug = s
	}
	if clean, err := cleanPath(slug); err == nil && clean == slug && !strings.ContainsAny(slug, "/") && !strings.HasPrefix(slug, ".") {
		p, err := v.readProject(slug)
		if !errors.Is(err, ErrNotFound) {
			return p, err
		}
	}
	all, err := v.Projects(ctx)
	if err != nil {
		return Project{}, err
	}
	var names []string
	for _, p := range all {
		if p.ID != "" && p.ID == ref {
			return p, nil
		}
		names = append(names, p.Slug)
	}
	return Project{}, &NotFoundError{Kind: "project", Ref: ref, Near: near(ref, names)}
}

// near returns the names that are spelt much like ref, at most three, best first.
func near(ref string, names []string) []string {
	ref = strings.ToLower(ref)
	type candidate struct {
		name string
		dist int
	}
	var found []candidate
	for _, n := range names {
		d := levenshtein.ComputeDistance(ref, strings.ToLower(n))
		if strings.Contains(strings.ToLower(n), ref) && len(ref) >= 3 {
			d = 1
		}
		if d <= max(2, len(ref)/3) {
			found = append(found, candidate{n, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].dist < found[j].dist })
	var out []string
	for _, c := range found[:min(3, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// ProjectBrief reads what somebody returning to a project wants to know.
func (v *Vault) ProjectBrief(ctx context.Context, ref string) (Brief, error) {
	p, err := v.Project(ctx, ref)
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
	if turns, err := v.RecentTurns(ctx, p.Slug, 1); err == nil && len(turns) > 0 {
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
func (v *Vault) PlanCreateProject(n NewProject, createdBy Actor) (Step, error) {
	name := oneLine(n.Name)
	if name == "" {
		return Step{}, fmt.Errorf("%w: a project needs a name", ErrInvalid)
	}
	slug := Slug(name)
	p := v.projectPath(slug)
	if now, err := v.readOrNil(p); err != nil {
		return Step{}, err
	} else if now != nil {
		return Step{}, fmt.Errorf("%w: project %s", ErrExists, slug)
	}
	id := v.NewID()
	fm := []property{
		{"id", id}, {"type", "project"}, {"name", name}, {"status", "active"}, {"priority", n.Priority},
		{"created", v.stamp()}, {"created_by", string(createdBy)},
	}
	text := frontMatter(fm, n.Tags) + "\n# " + name + "\n"
	if d := strings.TrimSpace(n.Description); d != "" {
		text += "\n" + d + "\n"
	}
	return Step{
		Type:    OpCreate,
		Entity:  Entity{Type: "project", ID: id, Path: p},
		Changes: []Change{{Path: p, After: []byte(text)}},
	}, nil
}

// endKey is the front-matter key under which a project has its end: due, unless one
// of the others that people use for it is there.
func endKey(fm *markdown.FrontMatter) string {
	for _, key := range []string{"due", "deadline", "target_date", "end_date", "end"} {
		if fm.String(key) != "" {
			return key
		}
	}
	return "due"
}

// PlanUpdateProject plans to set front-matter keys of a project. It returns
// ErrInvalid for a date that is none.
func (v *Vault) PlanUpdateProject(ctx context.Context, ref string, u ProjectUpdate) (Step, error) {
	p, err := v.Project(ctx, ref)
	if err != nil {
		return Step{}, err
	}
	end := "due"
	if doc, err := v.Document(p.Path); err == nil {
		if fm, err := doc.FrontMatter(); err == nil && fm != nil {
			end = endKey(fm)
		}
	}
	var set []property
	for _, f := range []struct {
		key   string
		value *string
		date  bool
	}{{"name", u.Name, false}, {"status", u.Status, false}, {"priority", u.Priority, false}, {"start", u.Start, true}, {end, u.Due, true}} {
		if f.value == nil {
			continue
		}
		if f.date && *f.value != "" && parseTime(*f.value).IsZero() {
			return Step{}, fmt.Errorf("%w: %q is not a date (YYYY-MM-DD)", ErrInvalid, *f.value)
		}
		set = append(set, property{f.key, oneLine(*f.value)})
	}
	return v.planSet(Entity{Type: "project", ID: p.ID, Path: p.Path}, set)
}

// PlanAddDecision plans to append a list item to a project's Decisions section,
// which is made if there is none.
func (v *Vault) PlanAddDecision(ctx context.Context, project, text string) (Step, error) {
	p, err := v.Project(ctx, project)
	if err != nil {
		return Step{}, err
	}
	text = oneLine(text)
	if text == "" {
		return Step{}, fmt.Errorf("%w: a decision needs words", ErrInvalid)
	}
	item := fmt.Sprintf("- %s: %s\n", v.now().Format(time.DateOnly), text)
	return v.planSplice(Entity{Type: "project", ID: p.ID, Path: p.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		edit, err := doc.EditSection("Decisions", markdown.Append, []byte(item))
		if errors.Is(err, markdown.ErrNoSection) {
			return doc.AppendSection(2, "Decisions", []byte(item)), nil
		}
		return edit, err
	})
}

// oneLine makes text from a conversation fit for a title or a front-matter value:
// no line breaks or control characters, single spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\ufffd' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(s), " ")
}
