package entity

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/markdown"
	"kist/vault/pattern"
	"kist/vault/task"
)

// A draftTask is a checkbox of a draft's Tasks section with the lines that belong to
// it, which are whole lines of the source.
type draftTask struct {
	task       NewTask // Body holds the lines below, as they are but for their indentation
	status     string
	start, end int
}

var checkboxLine = pattern.Lazy(`^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+)\[(.)\][ \t]+(.*?)[ \t]*\r?\n?$`)

// draftTasks returns the checkboxes at the margin of a document's Tasks section.
func draftTasks(doc *markdown.Document) []draftTask {
	s, ok, err := sectionNamed(doc, tasksHeading)
	if err != nil || !ok {
		return nil
	}
	boxes := map[int]bool{}
	for _, item := range doc.Items() {
		boxes[item.Line] = true
	}
	var out []draftTask
	open := -1 // the checkbox that the line may belong to
	src, at := string(doc.Source()), s.ContentStart
	for n := 1 + strings.Count(src[:at], "\n"); at < s.End; n++ {
		line := src[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		m := checkboxLine().FindStringSubmatch(line)
		inner := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t") || strings.TrimSpace(line) == ""
		switch {
		case open >= 0 && inner && (m == nil || len(m[1]) >= 2):
			out[open].end = at + len(line)
		case m != nil && boxes[n] && vault.OneLine(box.Read(m[5]).Title) != "":
			out = append(out, draftTask{task: box.Read(m[5]), status: task.StatusOf(m[4][0]), start: at, end: at + len(line)})
			open = len(out) - 1
		default:
			open = -1
		}
		at += len(line)
	}
	for i := range out {
		out[i].task.Body = bodyBelow(src[out[i].start:out[i].end])
	}
	return out
}

// bodyBelow returns the lines of a list item behind its first one, without the
// indentation that all of them have.
func bodyBelow(block string) string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(block, "\r\n", "\n"), "\n")
	rest = strings.TrimRight(rest, "\n \t")
	indent := ""
	for i, line := range strings.Split(rest, "\n") {
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch {
		case lead == line:
		case indent == "" && i >= 0:
			indent = lead
		default:
			for !strings.HasPrefix(lead, indent) {
				indent = indent[:len(indent)-1]
			}
		}
	}
	var b strings.Builder
	for line := range strings.Lines(rest) {
		if cut, ok := strings.CutPrefix(line, indent); ok {
			line = cut
		}
		b.WriteString(line)
	}
	return strings.Trim(b.String(), "\n")
}

// withoutTasks is the splice that removes the checkboxes that became tasks, and the
// Tasks section when nothing else is in it.
func withoutTasks(doc *markdown.Document) (markdown.Edit, error) {
	tasks := draftTasks(doc)
	if len(tasks) == 0 {
		return markdown.Edit{}, nil
	}
	s, _, err := sectionNamed(doc, tasksHeading)
	if err != nil {
		return markdown.Edit{}, err
	}
	var rest strings.Builder
	at := s.ContentStart
	for _, t := range tasks {
		rest.Write(doc.Source()[at:t.start])
		at = t.end
	}
	rest.Write(doc.Source()[at:s.End])
	start, text := s.ContentStart, rest.String()
	if strings.TrimSpace(text) == "" && sectionEnd(doc, s) == s.End {
		start, text = s.Start, ""
	}
	return markdown.Edit{Start: start, End: s.End, Text: []byte(text)}, nil
}

// PlanFinalizeDraft plans to make a project of a draft: its project.md is the draft
// with other front matter, and the checkboxes of the Tasks section become task files.
// Every other byte of the text, and every key that kist doesn't know, goes along. The
// draft stays, completed. It returns ErrStatus for a draft that isn't in progress and
// ErrExists when there is a project of that slug.
func PlanFinalizeDraft(ctx context.Context, v *vault.Vault, ref string, createdBy vault.Actor) ([]vault.Step, error) {
	d, err := draftIn(ctx, v, ref)
	if err != nil {
		return nil, err
	}
	slug := vault.Slug(vault.OneLine(d.Name))
	p := v.ProjectPath(slug)
	if v.Exists(p) {
		return nil, fmt.Errorf("%w: project %s; give the draft another name", vault.ErrExists, slug)
	}
	doc, err := v.Document(d.Path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(vault.CheckText(d.Path, doc.Source()), doc.Editable()); err != nil {
		return nil, fmt.Errorf("finalize %s: %w", d.Path, err)
	}
	id := v.NewID()
	text, err := spliced(doc.Source(), setKeys(
		property{"id", id}, property{"type", "project"}, property{"name", vault.OneLine(d.Name)}, property{"status", "active"},
		property{"dimensions_covered", ""}, property{"question_count", ""}, property{"expires", ""}, property{"session", ""},
		property{"created", stamp(v)}, property{"created_by", string(createdBy)},
	), withoutTasks)
	if err != nil {
		return nil, fmt.Errorf("finalize %s: %w", d.Path, err)
	}
	out := []vault.Step{{Type: vault.OpCreate, Entity: vault.Entity{Type: "project", ID: id, Path: p}, Changes: []vault.Change{{Path: p, After: text}}}}
	taken := map[string]bool{}
	for _, t := range draftTasks(doc) {
		step, err := planTask(v, slug, t.status, t.task, createdBy, taken)
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	end, err := planSplices(v, draftEntity(d), setKeys(property{"status", draftCompleted}, property{"finalized_project", slug}))
	if err != nil {
		return nil, err
	}
	return append(out, end), nil
}
