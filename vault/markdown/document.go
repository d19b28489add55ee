package markdown

import (
	"bytes"
	"sync"
)

// A Document is the text of one file and what was found in it. Its methods may
// be called concurrently; the front matter and the outline are worked out at
// first use and kept. The source must not be changed after [Parse].
type Document struct {
	src    []byte
	layout layout

	frontOnce sync.Once
	front     *FrontMatter
	frontErr  error
	alias     error // the first alias in the front matter, a fault for all but edits

	outlineOnce sync.Once
	outline     *outline

	sectionsOnce sync.Once
	sections     []Section
}

// Parse returns the document with the given source, which may be any bytes.
func Parse(src []byte) *Document {
	return &Document{src: src, layout: split(src)}
}

// Source returns the bytes that the document was parsed from, not a copy.
func (d *Document) Source() []byte { return d.src }

// BodyStart returns the offset of the text behind the front matter; without
// front matter that is 0, or 3 behind a byte order mark.
func (d *Document) BodyStart() int { return d.layout.body }

// FrontMatter returns the document's front matter, or nil where it has none. An
// error is a [*SyntaxError], and wraps [ErrFrontMatter].
func (d *Document) FrontMatter() (*FrontMatter, error) {
	front, err := d.properties()
	if err == nil && d.alias != nil {
		return nil, d.alias
	}
	return front, err
}

// Editable returns nil where the front matter allows edits of the document, or the
// [*SyntaxError] that stops them. Aliases are no fault: they only stop edits of the
// keys they are in.
func (d *Document) Editable() error {
	_, err := d.properties()
	return err
}

// properties returns the front matter for an edit: as [Document.FrontMatter],
// but aliases are no fault. An edit of another key need not know what they stand for.
func (d *Document) properties() (*FrontMatter, error) {
	d.frontOnce.Do(func() { d.front, d.alias, d.frontErr = parseFront(d.src, d.layout) })
	return d.front, d.frontErr
}

func (d *Document) blocks() *outline {
	d.outlineOnce.Do(func() { d.outline = scan(d.src, d.layout.body) })
	return d.outline
}

// layout holds where the parts of a file are: bom <= yaml <= end <= body.
type layout struct {
	bom      int  // length of the byte order mark
	front    bool // whether there is front matter
	yaml     int  // start of the YAML, behind the opening fence
	end      int  // end of the YAML, which is the start of the closing fence
	body     int
	conflict bool // the file starts with a merge marker
}

// split finds front matter: a first line "---" and a later line "---" or "...",
// each with nothing but blanks behind it. A first line "---" that is never
// closed is a thematic break.
func split(src []byte) layout {
	var l layout
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		l.bom = 3
	}
	l.body = l.bom
	first, next := cutLine(src, l.bom)
	if c, _ := mark(first); c == '<' {
		l.conflict = true
		return l
	}
	if string(trimBlanks(first)) != "---" || next == len(src) {
		return l
	}
	for at := next; at < len(src); {
		line, after := cutLine(src, at)
		if len(line) >= 3 && (line[0] == '-' || line[0] == '.') {
			if t := string(trimBlanks(line)); t == "---" || t == "..." {
				l.front, l.yaml, l.end, l.body = true, next, at, after
				return l
			}
		}
		at = after
	}
	return l
}

// cutLine returns the line that starts at an offset, without its line ending,
// and the offset of the next one.
func cutLine(src []byte, at int) (line []byte, next int) {
	end := bytes.IndexByte(src[at:], '\n')
	if end < 0 {
		return src[at:], len(src)
	}
	next = at + end + 1
	line = src[at : next-1]
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line, next
}

// trimBlanks cuts spaces, tabs and carriage returns off the end.
func trimBlanks(line []byte) []byte { return bytes.TrimRight(line, " \t\r") }

// FrontSpan returns where the YAML between the fences is; false: there is no front matter.
func FrontSpan(d *Document) (Span, bool) {
	return Span{Start: d.layout.yaml, End: d.layout.end}, d.layout.front
}

// lineEnding returns what ends the first line: "\r\n", or "\n" also where there is none.
func lineEnding(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// position returns the line and the column, in characters, of an offset, both from 1.
func position(src []byte, at int) (line, column int) {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	return 1 + bytes.Count(src[:start], []byte("\n")), 1 + len([]rune(string(src[start:at])))
}
