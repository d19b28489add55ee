package joined

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// A Sweep is what several tasks are taken out of their documents with.
type Sweep struct {
	Step   vault.Step
	Titles []string // of those that go
	Left   []Left
}

// Left is a task that stays, and why.
type Left struct {
	Title string `json:"title"`
	Why   string `json:"why"`
}

// longestNames is how many bytes of titles the reason names.
const longestNames = 180

// reason counts and names the tasks that go: "delete 2 tasks: “one”, “two”".
func (s *Sweep) reason(to string) string {
	verb, where, n := "delete", "", len(s.Titles)
	if to != "" {
		verb, where = "move", " to "+to
	}
	out := fmt.Sprintf("%s %d tasks%s: ", verb, n, where)
	if n == 1 {
		out = verb + " 1 task" + where + ": "
	}
	for i, title := range s.Titles {
		one := "“" + vault.OneLine(title) + "”"
		switch {
		case i > 0 && len(out)+len(one) > longestNames:
			return fmt.Sprintf("%s and %d more", out, n-i)
		case i > 0:
			out += ", "
		}
		out += one
	}
	return out
}

// PlanSweep plans to delete several tasks, named as lists do, or to move them to the list of a note, with all that
// belongs to them, as one step, which is empty where all stay. A checkbox with open ones below it that don't go stays, as does one that is in that
// note already, and a task that is a file where it is to be moved. A note that isn't there is made.
func PlanSweep(ctx context.Context, v *vault.Vault, refs []string, to string) (s Sweep, err error) {
	if to != "" {
		if to, err = v.WritablePath(to); err == nil && !strings.HasSuffix(to, ".md") {
			err = vault.Hinted(fmt.Errorf("%w %q: tasks move to a note", vault.ErrInvalidPath, to), "give the path of a note, as Archive.md")
		}
		if err != nil {
			return s, err
		}
	}
	leave := func(t entity.Task, why string) { s.Left = append(s.Left, Left{t.Title, why}) }
	boxes := map[string][]entity.Task{}
	var paths []string
	for _, ref := range refs {
		t, err := entity.FindTask(ctx, v, ref)
		switch {
		case err != nil:
			return s, err
		case t.Line > 0 && t.Path == to:
			leave(t, "it is there already")
		case t.Line > 0:
			if boxes[t.Path] == nil {
				paths = append(paths, t.Path)
			}
			boxes[t.Path] = append(boxes[t.Path], t)
		case to != "":
			leave(t, "it is a file of its own")
		default:
			step, err := entity.PlanDeleteTask(ctx, v, ref)
			if err != nil {
				return s, err
			}
			s.Step.Changes, s.Titles = append(s.Step.Changes, step.Changes...), append(s.Titles, t.Title)
		}
	}
	var moved []byte
	for _, p := range paths {
		text, err := s.cut(v, p, boxes[p], leave)
		if err != nil {
			return s, err
		}
		moved = append(moved, text...)
	}
	if len(s.Titles) == 0 {
		return s, nil
	}
	s.Step.Reason = s.reason(to)
	s.Step.Type, s.Step.Entity = vault.OpUpdate, vault.Entity{Type: "task", Path: s.Step.Changes[0].Path}
	if to == "" {
		if s.Step.Changes[0].After == nil {
			s.Step.Type = vault.OpDelete
		}
		return s, nil
	}
	c, err := received(v, to, moved)
	s.Step.Changes = append(s.Step.Changes, c)
	return s, err
}

// cut takes tasks out of a document, and returns them as they are written.
func (s *Sweep) cut(v *vault.Vault, p string, tasks []entity.Task, leave func(entity.Task, string)) (text []byte, err error) {
	step, err := entity.PlanSplice(v, vault.Entity{Type: "task", Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		sort.SliceStable(tasks, func(i, j int) bool { return tasks[i].Line < tasks[j].Line })
		goes := func(line int) bool {
			return slices.ContainsFunc(tasks, func(t entity.Task) bool { return t.Line == line })
		}
		var gone []entity.Task
		end := 0
		for _, item := range doc.ListItems() {
			i := slices.IndexFunc(tasks, func(t entity.Task) bool { return t.Line == item.Line })
			switch {
			case i < 0:
			case item.Start < end: // with the one that it is below
				s.Titles = append(s.Titles, tasks[i].Title)
			case slices.ContainsFunc(doc.Items(), func(box markdown.Item) bool {
				return box.Line > item.Line && box.Mark == ' ' && !goes(box.Line) && offset(doc, box.Line) < item.End
			}):
				leave(tasks[i], "there are open tasks below it")
			default:
				gone, end = append(gone, tasks[i]), item.End
				s.Titles = append(s.Titles, tasks[i].Title)
				text = append(text, dedented(doc.Source()[item.Start:item.End])...)
			}
		}
		after := doc.Source()
		for _, t := range slices.Backward(gone) {
			ed, err := markdown.Parse(after).CutItem(t.Line)
			if err != nil {
				return ed, err
			}
			after = ed.Apply(after)
		}
		return markdown.Edit{End: len(doc.Source()), Text: after}, nil
	})
	if err == nil && len(text) > 0 {
		s.Step.Changes = append(s.Step.Changes, step.Changes...)
	}
	return text, err
}

// offset is where a line begins.
func offset(doc *markdown.Document, line int) int {
	src, at := doc.Source(), 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(src[at:], '\n') + 1
	}
	return at
}

// dedented is an item as it stands in no other one.
func dedented(item []byte) []byte {
	lead := item[:len(item)-len(bytes.TrimLeft(item, " \t"))]
	var out []byte
	for line := range bytes.Lines(item) {
		out = append(out, bytes.TrimPrefix(line, lead)...)
	}
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return out
}

// received is the change by which a note gets items: behind its list, else at its end.
func received(v *vault.Vault, to string, items []byte) (vault.Change, error) {
	if !v.Exists(to) {
		title := strings.TrimSuffix(path.Base(to), ".md")
		return vault.Change{Path: to, After: append([]byte("# "+title+"\n\n"), items...)}, nil
	}
	step, err := entity.PlanSplice(v, vault.Entity{Path: to}, func(doc *markdown.Document) (markdown.Edit, error) {
		if bytes.Contains(doc.Source(), []byte("\r\n")) && !bytes.Contains(items, []byte("\r\n")) {
			items = bytes.ReplaceAll(items, []byte("\n"), []byte("\r\n"))
		}
		s, err := section(doc, "")
		if err != nil || s.End == 0 {
			return doc.AppendText(items), nil
		}
		at := 0
		for _, item := range doc.ListItems() {
			if item.Start >= s.ContentStart && item.End <= s.End && !item.Nested {
				at = item.End
			}
		}
		ed := markdown.Edit{Start: at, End: at, Text: items}
		if src := doc.Source(); at > 0 && src[at-1] != '\n' {
			ed.Text = append([]byte("\n"), bytes.TrimRight(items, "\r\n")...)
		}
		after := markdown.Parse(ed.Apply(doc.Source()))
		if len(after.ListItems()) != len(doc.ListItems())+len(markdown.Parse(items).ListItems()) || len(after.Sections()) != len(doc.Sections()) {
			return doc.AppendText(items), nil
		}
		return ed, nil
	})
	if err != nil {
		return vault.Change{}, err
	}
	if len(step.Changes) != 1 {
		return vault.Change{}, errors.New("a splice is one change")
	}
	return step.Changes[0], nil
}
