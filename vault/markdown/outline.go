package markdown

import (
	"bytes"
	"slices"

	"kist/vault/markdown/inline"
)

// An outline is what one scan of a document finds.
type outline struct {
	src       []byte
	body      int
	firstLine int // number of the body's first line
	lines     int // number of the line behind the last
	headings  []heading
	items     []Item
	lists     []list
	bullets   []bullet   // of all lists
	fences    []span     // fenced code blocks, with the lines around them
	para      *paragraph // the first one that is not in a quote or list
	texts     []textLine // of paragraphs and headings, for inline markup
	unclosed  string     // a line that would close the code or HTML block left open at the end
}

// A list is one that is in no quote and no other list.
type list struct {
	end    int    // offset behind its last line with text
	marker string // of its last item, as "-" or "2."
	before string // of that one: the number of the item before, "" if there is none
	indent string // what is before the last marker
	gap    string // what is between it and the item's text; "" for an item without text
	items  int
	boxes  int  // items that start with a checkbox
	loose  bool // a blank line is before the last item
}

// A span is src[start:end].
type span struct{ start, end int }

// A textLine is a line of a paragraph or heading; on: it goes on with the paragraph of the
// line before.
type textLine struct {
	span
	on bool
}

// A heading outside of quotes and lists.
type heading struct {
	level       int
	start, next int // its first line's start, and the start of the line behind it
	line        int
	from, to    int // its text, with inline markup
}

func (o *outline) heading(h heading, top bool) {
	if top {
		o.headings = append(o.headings, h)
	}
}

func (o *outline) paragraph(p paragraph) {
	if o.para == nil && !isShown(o.src[p.start:p.end]) && !isTable(o.src[p.start:p.end]) && !isDefinition(o.src[p.start:p.end]) {
		o.para = &p
	}
}

func (o *outline) text(start, end int, on bool) {
	if start < end {
		o.texts = append(o.texts, textLine{span{start, end}, on})
	}
}

// A Section is a heading and the text below it up to the next heading of any
// level, or the preamble: the text before the first heading.
//
// Headings are ATX ("## Plan") or setext (underlined); what looks like one in
// code, HTML blocks, block quotes or list items isn't. Sections don't nest:
// Path says where each belongs.
type Section struct {
	Path         []string // plain texts of the headings it is below, and its own; empty for the preamble
	Level        int      // 1 to 6; 0 for the preamble
	Line         int      // of the heading, from 1
	EndLine      int      // last line, inclusive
	Start        int      // offset of the heading
	ContentStart int      // offset behind the heading's line
	End          int      // offset of the next heading, or of the end of the file
	Title        Span     // the heading's text as written, with inline markup
}

// Heading returns the section's own heading, "" for the preamble.
func (s Section) Heading() string {
	if len(s.Path) == 0 {
		return ""
	}
	return s.Path[len(s.Path)-1]
}

// Sections returns the document's sections in order. The preamble comes first
// where it has text. The slice is shared and must not be changed.
func (d *Document) Sections() []Section {
	d.sectionsOnce.Do(func() { d.sections = d.blocks().sections() })
	return d.sections
}

func (o *outline) sections() []Section {
	sections := make([]Section, 0, len(o.headings)+1)
	end, endLine := len(o.src), o.lines
	if len(o.headings) > 0 {
		end, endLine = o.headings[0].start, o.headings[0].line
	}
	if len(bytes.TrimSpace(o.src[o.body:end])) > 0 {
		sections = append(sections, Section{Line: o.firstLine, EndLine: endLine - 1,
			Start: o.body, ContentStart: o.body, End: end})
	}
	var path [7]string // by level
	var have [7]bool
	plain := plainTexter{}
	for i, h := range o.headings {
		end, endLine = len(o.src), o.lines
		if i+1 < len(o.headings) {
			end, endLine = o.headings[i+1].start, o.headings[i+1].line
		}
		clear(have[h.level:])
		path[h.level], have[h.level] = plain.text(o.src[h.from:h.to]), true
		s := Section{Level: h.level, Line: h.line, EndLine: endLine - 1, Start: h.start, ContentStart: h.next, End: end, Title: Span{Start: h.from, End: h.to}}
		for level := range have {
			if have[level] {
				s.Path = append(s.Path, path[level])
			}
		}
		sections = append(sections, s)
	}
	return sections
}

// Title returns the text of the first heading of level 1, "" where there is none.
func (d *Document) Title() string {
	o := d.blocks()
	i := slices.IndexFunc(o.headings, func(h heading) bool { return h.level == 1 })
	if i < 0 {
		return ""
	}
	return new(plainTexter).text(o.src[o.headings[i].from:o.headings[i].to])
}

// maxParagraph bounds how much of the first paragraph is parsed for inline
// markup, whose cost can grow with the square of the length.
const maxParagraph = 2000

// FirstParagraph returns the first paragraph that is not in a list, quote or
// table, as plain text on one line, cut after about 2,000 bytes; "" where there is none.
func (d *Document) FirstParagraph() string {
	o := d.blocks()
	if o.para == nil {
		return ""
	}
	text := o.src[o.para.start:o.para.end]
	if len(text) > maxParagraph {
		text = bytes.ToValidUTF8(text[:maxParagraph], nil)
	}
	return new(plainTexter).text(text)
}

// SectionText returns the own text of a section, up to the next heading of any
// level and without blank lines around it. The section is named as in
// [Document.EditSection]; false if it doesn't name exactly one.
func (d *Document) SectionText(name string) (string, bool) {
	s, err := d.section(name)
	if err != nil {
		return "", false
	}
	core := d.place(s.ContentStart, s.End).core
	return string(d.src[core.start:core.end]), true
}

// isShown reports whether a text is nothing but what it shows, such as a picture: ![[plan.png|300]].
func isShown(text []byte) bool {
	text = bytes.TrimSpace(text)
	return bytes.HasPrefix(text, []byte("![[")) && len(bytes.TrimSpace(inline.WikiLink.ReplaceAll(text, nil))) == 0
}

// isTable reports whether the text's second line is a table's delimiter row.
func isTable(text []byte) bool {
	_, next := cutLine(text, 0)
	row, _ := cutLine(text, next)
	return isDelimiterRow(row)
}

// isDelimiterRow reports whether a line is the one below a table's head.
func isDelimiterRow(row []byte) bool {
	return bytes.IndexByte(row, '|') >= 0 && bytes.IndexByte(row, '-') >= 0 && len(bytes.Trim(row, "|:- \t\r")) == 0
}
