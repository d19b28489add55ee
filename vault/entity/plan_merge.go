package entity

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/dimension"
	"kist/vault/markdown"
)

// PlanMergeProjects plans to move every file of one project below another. A name that
// is taken gets a number. What the project's own document says under Decisions, Next
// steps and the dimensions is added to the other's sections, unless it is there
// already; its links too. The document itself becomes a note, whole. Errors are those
// of [PlanMoveProject] and of editing the other project's document.
func PlanMergeProjects(ctx context.Context, v *vault.Vault, from, into string) ([]vault.Step, error) {
	a, err := FindProject(ctx, v, from)
	if err != nil {
		return nil, err
	}
	b, err := FindProject(ctx, v, into)
	if err != nil {
		return nil, err
	}
	if a.Slug == b.Slug {
		return nil, vault.Hinted(fmt.Errorf("%w: a project can't be merged into itself", vault.ErrInvalid), "name two projects; the list of projects has their slugs")
	}
	for _, p := range []Project{a, b} {
		if err := inFolder(v, p, "it can't be merged", "move what it says by hand, and archive it"); err != nil {
			return nil, err
		}
	}
	files, bad, err := projectFiles(v, a.Slug)
	if err != nil {
		return nil, err
	}
	if err := obstructed("kist can't move all of the folder", bad); err != nil {
		return nil, err
	}
	step := vault.Step{Type: vault.OpMove, Reason: fmt.Sprintf("merge %s into %s", a.Slug, b.Slug), Entity: vault.Entity{Type: "project", ID: b.ID, Path: b.Path}}
	note, err := mergeMoves(v, &step, a, b, files)
	if err != nil {
		return nil, err
	}
	doc, err := v.Document(a.Path)
	if err != nil {
		return nil, err
	}
	if c, ok := asNote(note, doc); ok {
		step.Changes = append(step.Changes, c)
	}
	edit, err := planSplices(v, vault.Entity{Type: "project", ID: b.ID, Path: b.Path}, takenOver(doc)...)
	if err != nil {
		return nil, err
	}
	if c := edit.Changes[0]; vault.HashOf(c.Before) != vault.HashOf(c.After) {
		step.Changes = append(step.Changes, c)
	}
	return []vault.Step{step}, nil
}

// mergeMoves adds the moves of a's files below b, and returns where a's document goes.
func mergeMoves(v *vault.Vault, step *vault.Step, a, b Project, files []string) (note string, err error) {
	dir, taken := path.Join(v.Layout().Projects, a.Slug), map[string]bool{}
	for _, f := range files {
		to := path.Join(v.Layout().Projects, b.Slug, strings.TrimPrefix(f, dir+"/"))
		if f == a.Path {
			to = path.Join(v.Layout().Projects, b.Slug, notesDir, a.Slug+".md")
		}
		ext := path.Ext(to)
		to, err := v.FreeName(path.Dir(to), strings.TrimSuffix(path.Base(to), ext), ext, taken)
		if err != nil {
			return "", err
		}
		if f == a.Path {
			note = to
		}
		step.Changes = append(step.Changes, vault.Change{From: f, Path: to})
	}
	return note, nil
}

// asNote is the change that makes a project's document, moved to note, one by its
// type too. Front matter that doesn't parse is left alone; the path says it as well.
func asNote(note string, doc *markdown.Document) (vault.Change, bool) {
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil || !fm.Has("type") {
		return vault.Change{}, false
	}
	ed, err := doc.SetProperty("type", "note")
	if err != nil {
		return vault.Change{}, false
	}
	return vault.Change{Path: note, Before: doc.Source(), After: ed.Apply(doc.Source())}, true
}

// takenOver are the edits that add what one project's document says to another's.
func takenOver(doc *markdown.Document) []splice {
	var out []splice
	for _, h := range standardSections() {
		if _, dim := dimension.Of(h); dim || h == decisionsHeading || h == nextHeading {
			out = append(out, addPieces(h, pieces(wholeText(doc, h))))
		}
	}
	links := listedLinks(doc)
	for _, l := range links[:min(len(links), maxLinksAtOnce)] {
		out = append(out, addLink(l))
	}
	return out
}

// maxLinksAtOnce is how many links are added at once, each by an edit of its own. What
// a merge leaves out is still in the note.
const maxLinksAtOnce = 100

// addPieces appends those pieces of text to a standard section that it doesn't have yet.
func addPieces(heading string, all []string) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		have := map[string]bool{}
		for _, piece := range pieces(wholeText(doc, heading)) {
			have[strings.TrimSpace(piece)] = true
		}
		var b strings.Builder
		last := ""
		for _, piece := range all {
			if have[strings.TrimSpace(piece)] {
				continue
			}
			have[strings.TrimSpace(piece)] = true
			switch {
			case last == "":
			case isItem(last) && isItem(piece):
				b.WriteString("\n")
			default:
				b.WriteString("\n\n")
			}
			b.WriteString(piece)
			last = piece
		}
		if last == "" {
			return markdown.Edit{}, nil
		}
		return editStandard(heading, markdown.Append, b.String())(doc)
	}
}

// pieces cuts a section's text into paragraphs and the items of its lists, each with
// what belongs to it. Text with code or sections of its own is one piece.
func pieces(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if strings.Trim(text, "\n \t") == "" {
		return nil
	}
	if strings.Contains(text, "```") || strings.Contains(text, "~~~") || strings.Contains(text, "<") ||
		slices.ContainsFunc(markdown.Parse([]byte("\n"+text)).Sections(), func(s markdown.Section) bool { return s.Level > 0 }) {
		return []string{text}
	}
	var out []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		blank, inner := strings.TrimSpace(line) == "", strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case len(out) > 0 && (inner || blank && isItem(out[len(out)-1])):
			out[len(out)-1] += "\n" + line
			open = open && !blank
		case blank:
			open = false
		case open && !isItem(line):
			out[len(out)-1] += "\n" + line
		default:
			out = append(out, line)
			open = true
		}
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], "\n \t")
	}
	return out
}

// isItem reports whether a text begins a list item at the margin.
func isItem(text string) bool {
	return len(text) > 1 && strings.ContainsRune("-*+", rune(text[0])) && (text[1] == ' ' || text[1] == '\t')
}
