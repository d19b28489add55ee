package page

import (
	"bytes"
	"kist/index/match"
	"kist/vault/canvas"
	"slices"
	"strings"
	"unicode"
)

// An Excerpt is what is shown of a file.
type Excerpt struct {
	Line       int    // 1-based
	Heading    string // heading path, "Plan > Costs"
	Text       string // one to three lines of plain text
	Highlights []match.Span
}

// Excerpt chooses what to show of a file. The section at a place
// comes first, nowhere is none; where the file has changed, or only its front matter or
// name matched, the rest of the text is searched.
func (f *File) Excerpt(m match.Matcher, best Place) (x Excerpt) {
	if x.Line = 1; f.Text == nil {
		return x
	}
	text := f.Text
	if canvas.Is(f.Path) {
		text = canvas.Lines(text)
	}
	ordinal := f.at(best)
	start, end := f.Body, len(text)
	if len(f.Sections) > 0 && best != Nowhere {
		start, end = f.Sections[ordinal].Start, f.Sections[ordinal].End
	}
	at, ok := m.Locate(text, start, end)
	if !ok && ordinal == 0 {
		at, ok = m.Locate(text, 0, start)
	}
	if !ok && !m.Empty() {
		at, ok = m.Locate(text, f.Body, len(text))
	}
	if !ok {
		at = f.opening(ordinal)
	}
	x.Heading = match.Plain(strings.Join(f.SectionAt(at).Headings, " > "))
	section := f.SectionAt(at)
	at, shown := match.Window(text[:max(at, section.End)], at)
	if len(shown) == 0 && section.Start < at {
		at, shown = match.Window(text[:max(at, section.End)], section.Start) // only bookkeeping matched
	}
	x.Line = LineAt(f.Text, at)
	x.Text = strings.TrimRightFunc(match.Plain(string(shown)), unicode.IsSpace)
	for _, found := range m.Find([]byte(x.Text)) {
		if n := len(x.Highlights); n > 0 && found.Start < x.Highlights[n-1].End {
			x.Highlights[n-1].End = max(found.End, x.Highlights[n-1].End)
			continue
		}
		x.Highlights = append(x.Highlights, found.Span)
	}
	return x
}

// SectionAt is the section that an offset is in; in the front matter, which is
// none, it ends before the closing fence.
func (f *File) SectionAt(at int) Part {
	for _, s := range slices.Backward(f.Sections) {
		if s.Start <= at {
			return s
		}
	}
	return Part{End: match.LineStart(f.Text, max(0, f.Body-1))}
}

// opening is where to begin when nothing in particular matched: at the section's
// text, or its heading where there is no text.
func (f *File) opening(ordinal int) int {
	if len(f.Sections) == 0 {
		return f.Body
	}
	s := f.Sections[ordinal]
	if len(bytes.TrimSpace(f.Text[min(s.Content, s.End):s.End])) > 0 {
		return s.Content
	}
	return s.Start
}
