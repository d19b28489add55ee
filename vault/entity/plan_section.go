package entity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/dimension"
	"kist/vault/markdown"
)

const (
	summaryHeading   = "Summary"
	decisionsHeading = "Decisions"
	nextHeading      = "Next steps"
	tasksHeading     = "Tasks"
	unsortedHeading  = "Unsorted"
)

// standardSections are the headings that kist knows, in the order in which it puts
// them. Their order in a document that exists is the user's.
func standardSections() []string {
	out := []string{summaryHeading}
	for _, d := range dimension.All() {
		out = append(out, d.Heading)
	}
	return append(out, decisionsHeading, nextHeading, tasksHeading, unsortedHeading)
}

// sectionNamed finds the section that one of the standard headings means, at level 2
// or, if there is none, below. A second one of that name is ErrAmbiguous.
func sectionNamed(doc *markdown.Document, heading string) (s markdown.Section, ok bool, err error) {
	d, dim := dimension.Of(heading)
	var found []markdown.Section
	for _, s := range doc.Sections() {
		same := strings.EqualFold(strings.TrimSpace(s.Heading()), heading)
		if other, is := dimension.Of(s.Heading()); dim && is {
			same = other == d
		}
		if s.Level >= 2 && same {
			found = append(found, s)
		}
	}
	if slices.ContainsFunc(found, isH2) {
		found = slices.DeleteFunc(found, func(s markdown.Section) bool { return !isH2(s) })
	}
	switch len(found) {
	case 0:
		return markdown.Section{}, false, nil
	case 1:
		return found[0], true, nil
	}
	return markdown.Section{}, false, fmt.Errorf("%w: %q is in lines %d and %d", markdown.ErrAmbiguous, heading, found[0].Line, found[1].Line)
}

func isH2(s markdown.Section) bool { return s.Level == 2 }

// editName is how an edit names a section that was found: by its heading and, where
// others have the same, its number.
func editName(doc *markdown.Document, s markdown.Section) string {
	n, mine := 0, 0
	for _, other := range doc.Sections() {
		if other.Level > 0 && strings.EqualFold(other.Heading(), s.Heading()) {
			n++
			if other.Start == s.Start {
				mine = n
			}
		}
	}
	if n > 1 {
		return fmt.Sprintf("%s#%d", s.Heading(), mine)
	}
	return s.Heading()
}

// wholeText returns a section's text with all sections below it, without blank lines
// around it; "" if there is no such section, or not just one.
func wholeText(doc *markdown.Document, heading string) string {
	s, ok, err := sectionNamed(doc, heading)
	if err != nil || !ok {
		return ""
	}
	return strings.Trim(string(doc.Source()[s.ContentStart:sectionEnd(doc, s)]), "\r\n")
}

// sectionEnd is the end of a section and all below it.
func sectionEnd(doc *markdown.Document, s markdown.Section) int {
	for _, other := range doc.Sections() {
		if other.Start > s.Start && other.Level <= s.Level {
			return other.Start
		}
	}
	return len(doc.Source())
}

// dimensionTexts returns, by key, the texts of the dimensions that have one.
func dimensionTexts(doc *markdown.Document) map[string]string {
	out := map[string]string{}
	for _, d := range dimension.All() {
		if text := strings.TrimSpace(wholeText(doc, d.Heading)); text != "" {
			out[d.Key] = text
		}
	}
	return out
}

// A splice makes one edit of a document.
type splice func(*markdown.Document) (markdown.Edit, error)

// planSplices plans several edits of a document as one, each made in what the one
// before left.
func planSplices(v *vault.Vault, e vault.Entity, edits ...splice) (vault.Step, error) {
	return PlanSplice(v, e, func(doc *markdown.Document) (markdown.Edit, error) {
		after, err := spliced(doc.Source(), edits...)
		if err != nil {
			return markdown.Edit{}, err
		}
		return whole(doc.Source(), after), nil
	})
}

// spliced makes edits in a text, one after the other.
func spliced(text []byte, edits ...splice) ([]byte, error) {
	for _, edit := range edits {
		doc := markdown.Parse(text)
		ed, err := edit(doc)
		if err != nil {
			return nil, err
		}
		text = ed.Apply(text)
		if doc.EndsFence(ed, text) {
			return nil, vault.Hinted(fmt.Errorf("%w: the text would end an unclosed --- at the top of the file", vault.ErrInvalid), "end the front matter with a line of three dashes first")
		}
	}
	return text, nil
}

// whole is the edit that replaces all of a text by what other edits made of it. Each
// of those was checked on its own.
func whole(before, after []byte) markdown.Edit {
	return markdown.Edit{End: len(before), Text: after}
}

// howOf reads a way to edit a section.
func howOf(how string) (markdown.How, error) {
	switch h := markdown.How(how); h {
	case markdown.Replace, markdown.Append, markdown.Prepend:
		return h, nil
	}
	return "", fmt.Errorf("%w: %q is not one of replace, append and prepend", vault.ErrInvalid, how)
}

// sectionText makes text from a conversation fit for a section: a heading of level 1
// or 2 in it would end the section.
func sectionText(text string) (string, error) {
	text = strings.Trim(vault.PlainText(text), "\n")
	for _, s := range markdown.Parse([]byte("\n" + text)).Sections() {
		if s.Level == 1 || s.Level == 2 {
			return "", fmt.Errorf("%w: the heading %q would begin another section; use ### or deeper", vault.ErrInvalid, s.Heading())
		}
	}
	return text, nil
}

// editStandard is the splice that edits one of the standard sections. One that is
// missing is made where it belongs: behind the nearest one before it that is there,
// else before the nearest one after it, else at the end.
func editStandard(heading string, how markdown.How, text string) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		s, ok, err := sectionNamed(doc, heading)
		if err != nil {
			return markdown.Edit{}, err
		}
		if ok {
			return doc.EditSection(editName(doc, s), how, []byte(text))
		}
		if strings.TrimSpace(text) == "" {
			return markdown.Edit{}, nil
		}
		return newStandard(doc, heading, text)
	}
}

func newStandard(doc *markdown.Document, heading, text string) (markdown.Edit, error) {
	all := standardSections()
	k := slices.Index(all, heading)
	for i := k - 1; i >= 0; i-- {
		if s, ok, err := sectionNamed(doc, all[i]); err == nil && ok {
			if ed, err := doc.InsertSection(editName(doc, s), 0, heading, []byte(text)); err == nil {
				return ed, nil
			}
		}
	}
	for i := k + 1; i < len(all); i++ {
		if s, ok, err := sectionNamed(doc, all[i]); err == nil && ok {
			if ed, err := doc.InsertSectionBefore(editName(doc, s), 0, heading, []byte(text)); err == nil {
				return ed, nil
			}
		}
	}
	// In two goes, since only the second looks at what the text does to its neighbours.
	after, err := spliced(doc.Source(),
		func(d *markdown.Document) (markdown.Edit, error) { return d.AppendSection(2, heading, nil), nil },
		func(d *markdown.Document) (markdown.Edit, error) {
			s, ok, err := sectionNamed(d, heading)
			if err == nil && !ok {
				err = fmt.Errorf("%w: there is no place for a section %q", markdown.ErrUnsupported, heading)
			}
			if err != nil {
				return markdown.Edit{}, err
			}
			return d.EditSection(editName(d, s), markdown.Replace, []byte(text))
		})
	if err != nil {
		return markdown.Edit{}, err
	}
	return whole(doc.Source(), after), nil
}

// PlanSetDimension plans to replace, append to or prepend to the text of a project's
// dimension, whose section is made at its place if there is none. Sections below it
// stay. It returns ErrInvalid for what is no dimension, no way to edit, or text with
// a heading of level 1 or 2.
func PlanSetDimension(ctx context.Context, v *vault.Vault, project, key, text, how string) (vault.Step, error) {
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return vault.Step{}, err
	}
	_, edit, err := dimensionSplice(key, text, how)
	if err != nil {
		return vault.Step{}, err
	}
	return planSplices(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, edit)
}

func dimensionSplice(key, text, how string) (dimension.Dimension, splice, error) {
	d, ok := dimension.Of(key)
	if !ok {
		return d, nil, fmt.Errorf("%w: %q is not a dimension", vault.ErrInvalid, vault.OneLine(key))
	}
	h, err := howOf(how)
	if err != nil {
		return d, nil, err
	}
	if text, err = sectionText(text); err != nil {
		return d, nil, err
	}
	if strings.TrimSpace(text) == "" && h != markdown.Replace {
		return d, nil, fmt.Errorf("%w: there is nothing to add to %s", vault.ErrInvalid, d.Heading)
	}
	return d, editStandard(d.Heading, h, text), nil
}

// noProperty passes over that there was nothing to remove.
func noProperty(ed markdown.Edit, err error) (markdown.Edit, error) {
	if errors.Is(err, markdown.ErrNoProperty) {
		return markdown.Edit{}, nil
	}
	return ed, err
}
