// Package joined plans text that joins a note: at its end, at the end of one of its sections, or, as items of a
// list, in the list that is there and in its form. [Plan] does the first two where the text isn't items.
package joined

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// Plan plans to add text at the end of a note or, where its path is "note.md#heading", of that
// section. Lines that are all items of a list join the list of the section: with its bullet or the next number, and its empty
// box; of a note as a whole its only list, else that of its beginning. What is there, and isn't ticked off, isn't
// added again: a step of which the change changes nothing. Where no list can take them, they are a new one.
func Plan(ctx context.Context, v *vault.Vault, at, text string) (vault.Step, error) {
	p, heading := at, ""
	if i := strings.Index(at, ".md#"); i > 0 {
		p, heading = at[:i+3], at[i+4:]
	}
	items, ok := itemsOf(text)
	if !ok {
		if heading == "" {
			return entity.PlanAppendNote(v, p, text)
		}
		return entity.PlanEditSection(v, p, heading, markdown.Append, text)
	}
	step, err := entity.PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		after := doc.Source()
		for _, item := range items {
			if strings.HasPrefix(item, "[ ] ") {
				item = strings.TrimPrefix(strings.TrimSpace(entity.Restyle(ctx, v, p, "- "+item)), "- ")
			}
			ed, err := Item(markdown.Parse(after), heading, item)
			if err != nil {
				return ed, err
			}
			after = ed.Apply(after)
		}
		return markdown.Edit{End: len(doc.Source()), Text: after}, nil
	})
	if heading == "" && (errors.Is(err, markdown.ErrUnsupported) || errors.Is(err, markdown.ErrValue)) {
		return entity.PlanAppendNote(v, p, text)
	}
	return step, err
}

// PlanDay plans to add text to the note of a day, given as 2026-12-31, a new checkbox as that note's tasks
// are. See [entity.PlanAppendDaily].
func PlanDay(ctx context.Context, v *vault.Vault, on, text string) (vault.Step, error) {
	day, err := time.Parse(time.DateOnly, on)
	if err != nil {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: %q is no day", vault.ErrInvalid, on), "give it as YYYY-MM-DD")
	}
	if strings.HasPrefix(text, "- [ ] ") {
		daily := catalog.Settings(v).Daily
		p := daily.Path(day)
		if !v.Exists(p) {
			p = strings.TrimSuffix(daily.Template, ".md") + ".md"
		}
		text = entity.Restyle(ctx, v, p, text)
	}
	return entity.PlanAppendDaily(v, day, text)
}

// DailyPath is the path of a day's note where a path is that day, and else that path.
func DailyPath(v *vault.Vault, p string) string {
	if day, err := time.Parse(time.DateOnly, p); err == nil {
		return catalog.Settings(v).Daily.Path(day)
	}
	return p
}

// notes is the section of a note that is a project where what is noted of it stands.
const notes = "Notes"

// PlanPoint plans to add a point to what is noted of the project that a note is.
func PlanPoint(v *vault.Vault, p, text string) (vault.Step, error) {
	point := "- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	step, err := entity.PlanEditSection(v, p, notes, markdown.Append, point)
	if errors.Is(err, markdown.ErrNoSection) {
		return entity.PlanAppendNote(v, p, "## "+notes+"\n\n"+point)
	}
	return step, err
}

// itemsOf are the texts of a text's lines, without their bullets; false: not each is an item.
func itemsOf(text string) (items []string, ok bool) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \r\n")
		if len(line) < 3 || !slices.Contains([]string{"- ", "* ", "+ "}, line[:2]) {
			return nil, false
		}
		items = append(items, strings.TrimSpace(line[2:]))
	}
	return items, len(items) > 0
}

// Item is the edit that makes a text the next item of the list of a section, "" of the document.
// It returns markdown.ErrNoSection and ErrAmbiguous for a heading, and what AppendItem does.
func Item(doc *markdown.Document, heading, text string) (markdown.Edit, error) {
	s, err := section(doc, heading)
	if err != nil {
		return markdown.Edit{}, err
	}
	src := doc.Source()
	if s.End == 0 { // no list of its own
		return doc.AppendText([]byte("- " + text)), nil
	}
	if slices.ContainsFunc(doc.ListItems(), func(item markdown.ListItem) bool {
		return item.Start >= s.ContentStart && item.End <= s.End && strings.EqualFold(unboxed(item.Text), unboxed(text))
	}) {
		return markdown.Edit{}, nil
	}
	ed, err := markdown.Parse(src[:s.End]).AppendItem("", text)
	if err != nil {
		return ed, err
	}
	if after := markdown.Parse(ed.Apply(src)); len(after.Sections()) != max(len(doc.Sections()), 1) || len(after.ListItems()) != len(doc.ListItems())+1 {
		return ed, fmt.Errorf("%w: the item would change the lines around it", markdown.ErrUnsupported)
	}
	return ed, nil
}

// section finds the section in which the list is; of a document as a whole the only one that has a list, else the first, where
// that is of the document as such. Its end is 0 where there is none.
func section(doc *markdown.Document, heading string) (found markdown.Section, err error) {
	var of []markdown.Section
	all := doc.Sections()
	for i, s := range all {
		title := i == 0 || i == 1 && all[0].Level == 0 && s.Level == 1
		switch {
		case heading != "" && strings.EqualFold(strings.TrimSpace(s.Heading()), strings.TrimSpace(heading)):
			of = append(of, s)
		case heading == "" && hasList(doc, s):
			if of = append(of, s); title {
				return s, nil
			}
		}
	}
	switch {
	case len(of) == 1:
		return of[0], nil
	case heading == "":
		return markdown.Section{}, nil
	case len(of) == 0:
		return found, fmt.Errorf("%q: %w", heading, markdown.ErrNoSection)
	}
	return found, fmt.Errorf("%q is in lines %d and %d: %w", heading, of[0].Line, of[1].Line, markdown.ErrAmbiguous)
}

func hasList(doc *markdown.Document, s markdown.Section) bool {
	return slices.ContainsFunc(doc.ListItems(), func(item markdown.ListItem) bool {
		return !item.Nested && item.Start >= s.ContentStart && item.Start < s.End
	})
}

// unboxed is the text of an item without an empty box.
func unboxed(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "[ ] "))
}
