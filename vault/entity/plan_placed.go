package entity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/catalog"
	"kist/vault/markdown"
	"kist/vault/task"
	"kist/vault/taskline"
)

// PlanTaskIn plans a checkbox in a document: behind the list of a section, which is named as
// for [markdown.Document.EditSection], or, where none is named, where [PlanTasksInNote] has it.
// It returns ErrInvalid for a document whose checkboxes are no tasks.
func PlanTaskIn(ctx context.Context, v *vault.Vault, p, section string, t NewTask) (vault.Step, error) {
	step, err := PlanTasksInNote(ctx, v, vault.Entity{Path: p}, section, []NewTask{t})
	if errors.Is(err, vault.ErrNotFound) && section == "" {
		return step, vault.Hinted(err, "a task goes into a document that is there: name one of them, or make this one first")
	}
	if err != nil {
		return step, err
	}
	c := step.Changes[0]
	if fm, err := markdown.Parse(c.After).FrontMatter(); !catalog.HasTasks(v, c.Path) || err == nil && fm != nil && catalog.HasNone(fm.String("type")) {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: checkboxes in %s are no tasks", vault.ErrInvalid, c.Path), "name another document; what was said, drafted or logged has none")
	}
	step.Reason = "add the task " + box.Quoted(t.Title) + " to " + c.Path
	return step, nil
}

// PlanTasksInNote plans checkboxes in a note, which is a project where it lies or none: in the
// section named, or behind the list of its section Tasks or To do, else of the section with its last checkbox, else in a
// new section. They are written as the note's tasks are. It returns ErrInvalid for a task that can't be.
func PlanTasksInNote(ctx context.Context, v *vault.Vault, in vault.Entity, section string, tasks []NewTask) (vault.Step, error) {
	var edits []splice
	for _, t := range tasks {
		if err := t.Check(); err != nil {
			return vault.Step{}, err
		}
		text := ""
		edits = append(edits,
			func(doc *markdown.Document) (ed markdown.Edit, err error) {
				if text, err = t.Text(styleFor(ctx, v, doc)); err != nil {
					return ed, err
				}
				return addBox(doc, section, "[ ] "+text)
			},
			func(doc *markdown.Document) (markdown.Edit, error) { return addBelow(doc, text, t) })
	}
	return planSplices(v, in, edits...)
}

// mostStyled is of how many documents the tasks tell how a vault writes theirs.
const mostStyled = 24

// styleFor is how the fields of a new task in a document are written: as its own tasks have them,
// else as most of the vault's do. doc may be nil.
func styleFor(ctx context.Context, v *vault.Vault, doc *markdown.Document) taskline.Style {
	if doc != nil {
		if s := box.StyleOf(doc); s != taskline.None {
			return s
		}
	}
	entries, _ := catalog.List(ctx, v) // none: as if no task had fields
	votes, looked := map[taskline.Style]int{}, 0
	for _, e := range entries {
		dated := slices.DeleteFunc(slices.Clone(e.Tasks), func(t Task) bool { return t.Line == 0 || t.Due+t.Scheduled+t.Priority == "" })
		if len(dated) == 0 || looked == mostStyled {
			continue
		}
		looked++
		if doc, err := v.Document(e.Path); err == nil {
			votes[box.StyleOf(doc)] += len(dated)
		}
	}
	if votes[taskline.Emoji] > votes[taskline.Inline] {
		return taskline.Emoji
	}
	return taskline.Inline
}

// Restyle writes the priority and the day of a new checkbox, the first line of a text, as the
// tasks of the document at p have them, else as the vault's do.
func Restyle(ctx context.Context, v *vault.Vault, p, text string) string {
	doc, _ := v.Document(p) // nil: it has none
	style := styleFor(ctx, v, doc)
	text, end, _ := strings.Cut(text, "\n")
	for _, key := range []taskline.Key{taskline.Priority, taskline.Due} {
		line := taskline.Parse(text)
		value := line.Value(key)
		if value == "" || line.StyleOf(key) == style {
			continue
		}
		without, err := line.Set(key, "", style)
		if err == nil {
			without, err = taskline.Parse(without).Set(key, value, style)
		}
		if err == nil {
			text = without
		}
	}
	return text + "\n" + end
}

// addBox adds a checkbox to a section, or where a note has its tasks.
func addBox(doc *markdown.Document, section, text string) (markdown.Edit, error) {
	s, ok := taskSection(doc)
	switch {
	case section != "":
		return doc.AppendItem(section, text)
	case ok && s.Level > 0:
		return doc.AppendItem(editName(doc, s), text)
	case ok:
		return doc.AppendItem("", text)
	}
	return doc.AppendSection(2, tasksHeading, []byte("- "+text)), nil
}

// taskSection finds the section in which a note has its tasks; that of a note without
// headings has no level.
func taskSection(doc *markdown.Document) (found markdown.Section, ok bool) {
	all := doc.Sections()
	for _, s := range all {
		if name := strings.ToLower(strings.TrimSpace(s.Heading())); s.Level > 0 && slices.Contains([]string{"tasks", "to do", "to-do", "todo", "todos"}, name) {
			return s, true
		}
	}
	last := 0
	for _, item := range doc.Items() {
		last = item.Line
	}
	if last == 0 {
		return found, false
	}
	if !slices.ContainsFunc(all, func(s markdown.Section) bool { return s.Level > 0 }) {
		return found, true
	}
	for _, s := range all {
		if s.Line <= last {
			found = s
		}
	}
	return found, found.Level > 0
}

// addBelow adds what belongs to a task below its checkbox, the last one with that text.
func addBelow(doc *markdown.Document, text string, t NewTask) (markdown.Edit, error) {
	if len(t.Children) == 0 && strings.TrimSpace(t.Body) == "" {
		return markdown.Edit{}, nil
	}
	line := 0
	for _, item := range doc.Items() {
		if item.Text == text && !item.Checked {
			line = item.Line
		}
	}
	for _, item := range doc.ListItems() {
		if item.Line != line {
			continue
		}
		first, _, _ := bytes.Cut(doc.Source()[item.Start:item.End], []byte("\n"))
		at := bytes.IndexByte(first, '[')
		lead := first[:len(first)-len(bytes.TrimLeft(first, " \t"))]
		indent := string(lead) + strings.Repeat(" ", at-len(lead))
		return belowItem(doc, item.End, indent, t), nil
	}
	return markdown.Edit{}, &vault.NotFoundError{Kind: "checkbox", Ref: text}
}

func belowItem(doc *markdown.Document, at int, indent string, t NewTask) markdown.Edit {
	text := box.Indented(t.Body, indent) + box.Lines(t.Children, indent)
	if src := doc.Source(); at > 0 && src[at-1] != '\n' { // the file ends without a line ending, and goes on to
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	if bytes.Contains(doc.Source(), []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return markdown.Edit{Start: at, End: at, Text: []byte(text)}
}

// Created returns how the tasks are called that a step makes: by their files, or by the
// lines of a document that it adds.
func Created(step vault.Step) (refs []string) {
	for _, c := range step.Changes {
		if c.Before == nil && step.Entity.Type != "note" { // a note that begins with its tasks
			refs = append(refs, c.Path)
			continue
		}
		from := 0
		for from < min(len(c.Before), len(c.After)) && c.Before[from] == c.After[from] {
			from++
		}
		to := 0
		for to < min(len(c.Before), len(c.After))-from && c.Before[len(c.Before)-1-to] == c.After[len(c.After)-1-to] {
			to++
		}
		first, last := 1+bytes.Count(c.After[:from], []byte("\n")), 1+bytes.Count(c.After[:len(c.After)-to], []byte("\n"))
		for _, item := range markdown.Parse(c.After).ListItems() {
			if !item.Nested && item.Line >= first && item.Line <= last && box.Begins(item.Text) {
				refs = append(refs, task.Task{Path: c.Path, Line: item.Line}.Ref())
			}
		}
	}
	return refs
}
