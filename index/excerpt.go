package index

import (
	"bytes"
	"kist/index/match"
	"slices"
	"strings"
	"unicode"
)

// excerpt chooses what to show of a file and fills in the hit. The section at a place
// comes first, nowhere is none; where the file has changed, or only its front matter or
// name matched, the rest of the text is searched.
func excerpt(m match.Matcher, f *file, best place, h *Hit) {
	if f.text == nil {
		return
	}
	ordinal := f.at(best)
	start, end := f.body, len(f.text)
	if len(f.sections) > 0 && best != nowhere {
		start, end = f.sections[ordinal].start, f.sections[ordinal].end
	}
	at, ok := m.Locate(f.text, start, end)
	if !ok && ordinal == 0 {
		at, ok = m.Locate(f.text, 0, start)
	}
	if !ok && !m.Empty() {
		at, ok = m.Locate(f.text, f.body, len(f.text))
	}
	if !ok {
		at = f.opening(ordinal)
	}
	h.Heading = match.Plain(strings.Join(f.sectionAt(at).headings, " > "))
	section := f.sectionAt(at)
	at, text := match.Window(f.text[:max(at, section.end)], at)
	if len(text) == 0 && section.start < at {
		at, text = match.Window(f.text[:max(at, section.end)], section.start) // only bookkeeping matched
	}
	h.Line = lineAt(f.text, at)
	h.Excerpt = strings.TrimRightFunc(match.Plain(string(text)), unicode.IsSpace)
	for _, found := range m.Find([]byte(h.Excerpt)) {
		if n := len(h.Highlights); n > 0 && found.Start < h.Highlights[n-1].End {
			h.Highlights[n-1].End = max(found.End, h.Highlights[n-1].End)
			continue
		}
		h.Highlights = append(h.Highlights, found.Span)
	}
}

// sectionAt is the section that an offset is in; in the front matter, which is
// none, it ends before the closing fence.
func (f *file) sectionAt(at int) part {
	for _, s := range slices.Backward(f.sections) {
		if s.start <= at {
			return s
		}
	}
	return part{end: match.LineStart(f.text, max(0, f.body-1))}
}

// opening is where to begin when nothing in particular matched: at the section's
// text, or its heading where there is no text.
func (f *file) opening(ordinal int) int {
	if len(f.sections) == 0 {
		return f.body
	}
	s := f.sections[ordinal]
	if len(bytes.TrimSpace(f.text[min(s.content, s.end):s.end])) > 0 {
		return s.content
	}
	return s.start
}
