package markdown

import (
	"bytes"
	"slices"
	"strings"
)

// An Edit replaces the bytes of a source from Start up to End by Text.
type Edit struct {
	Start, End int
	Text       []byte
}

// Apply returns a new source with the edit made in src, which must be the
// source that the edit was computed from.
func (e Edit) Apply(src []byte) []byte {
	return slices.Concat(src[:e.Start:e.Start], e.Text, src[e.End:])
}

// AppendText returns the edit that adds text at the end of the document, behind
// a blank line, or directly behind where a list item follows a list. Code or
// HTML that is left open at the end is closed first. The line endings are
// changed to the document's; one whose last line has no line ending ends so again.
func (d *Document) AppendText(text []byte) Edit {
	nl := lineEnding(d.src)
	p := d.place(d.layout.body, len(d.src))
	p.closer = d.blocks().unclosed
	return d.insertAfter(p, normalize(text, nl), nl)
}

// AppendSection returns the edit that adds a section at the end of the
// document. The level is from 1 to 6; line breaks in the heading become blanks.
func (d *Document) AppendSection(level int, heading string, text []byte) Edit {
	head := strings.Repeat("#", min(max(level, 1), 6)) + " " + strings.Join(strings.Fields(heading), " ")
	text = normalize(text, "\n")
	if len(text) > 0 {
		head += "\n\n"
	}
	return d.AppendText(append([]byte(head), text...))
}

// A place is a stretch of lines that text can be put into.
type place struct {
	start, end int
	core       span   // from its first to its last line with text; empty if start == end
	closer     string // a line to be put before text behind it
	next       bool   // a heading follows
	setext     bool   // which needs a blank line before it, as an underlined one does
}

// place describes src[start:end], which are whole lines.
func (d *Document) place(start, end int) place {
	text := d.src[start:end]
	p := place{start: start, end: end, core: span{start, start}}
	if lead := len(text) - len(bytes.TrimLeft(text, " \t\r\n")); lead < len(text) {
		p.core.start = start + bytes.LastIndexByte(text[:lead], '\n') + 1
		p.core.end = start + len(bytes.TrimRight(text, " \t\r\n"))
		line, _ := cutLine(d.src, p.core.end)
		p.core.end += len(line)
	}
	return p
}

// insertAfter returns the edit that adds text behind what is at the place. It
// only inserts.
func (d *Document) insertAfter(p place, text []byte, nl string) Edit {
	if len(text) == 0 {
		return Edit{Start: p.start, End: p.start}
	}
	at, before, after := p.start, "", nl
	core := d.src[p.core.start:p.core.end]
	if len(core) > 0 {
		_, at = cutLine(d.src, p.core.end)
		if p.closer != "" {
			before = p.closer + nl + nl
			core = nil
		} else if !isItem(text) || !d.blocks().listEnds(at) {
			before = nl
		}
	} else if at > d.layout.bom {
		before = nl
	}
	if at > d.layout.bom && d.src[at-1] != '\n' {
		before, after = nl+before, "" // a last line that has no end gets none
	}
	if p.next && (len(core) == 0 || p.setext) && bytes.IndexByte(d.src[at:p.end], '\n') < 0 {
		after += nl
	}
	return Edit{Start: at, End: at, Text: slices.Concat([]byte(before), text, []byte(after))}
}

// insertBefore returns the edit that adds text before what is at the place.
func (d *Document) insertBefore(p place, text []byte, nl string) Edit {
	if len(text) == 0 || p.core.start == p.core.end {
		return d.insertAfter(p, text, nl)
	}
	gap := nl
	if !isItem(d.src[p.core.start:p.core.end]) || !scan(text, 0).listEnds(len(text)) {
		gap += nl
	}
	return Edit{Start: p.core.start, End: p.core.start, Text: append(text, gap...)}
}

// replace returns the edit that puts text in the place of what is there.
func (d *Document) replace(p place, text []byte, nl string) Edit {
	switch {
	case p.core.start == p.core.end:
		return d.insertAfter(p, text, nl)
	case len(text) > 0:
		if p.setext && bytes.Count(d.src[p.core.end:p.end], []byte("\n")) < 2 {
			text = append(text, nl...)
		}
		return Edit{Start: p.core.start, End: p.core.end, Text: text}
	case p.next && p.core.start == p.start:
		_, end := cutLine(d.src, p.core.end)
		return Edit{Start: p.core.start, End: end}
	}
	return Edit{Start: p.core.start, End: p.end}
}

// normalize cuts blank lines off both ends of text, also the last line's ending,
// and gives its lines the ending nl. It returns a new slice.
func normalize(text []byte, nl string) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	lead := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	text = text[bytes.LastIndexByte(text[:lead], '\n')+1:]
	text = bytes.TrimRight(text, " \t\r\n")
	return bytes.ReplaceAll(text, []byte("\n"), []byte(nl))
}

// isItem reports whether text starts with a list item, which needs no blank line
// to a list before it.
func isItem(text []byte) bool {
	line, _ := cutLine(text, 0)
	line = bytes.TrimLeft(line, " ")
	return markerWidth(line) > 0 && !thematicBreak(line)
}

// EndsFence reports whether an edit in the body, which leaves the text after, makes front
// matter of what stands before it: a line "---" in it may close a fence that stood open at
// the top. That of a document that has some ends where it ended, and with it a line break may
// have come: it may have been all that there was.
func (d *Document) EndsFence(e Edit, after []byte) bool {
	now := Parse(after).layout
	return e.Start > d.layout.bom && e.Start >= d.layout.body && (now.front != d.layout.front || now.end != d.layout.end)
}
