package markdown

import "bytes"

// maxNesting is how deep quotes and lists may nest; deeper markers count as
// text. It bounds the work for one line.
const maxNesting = 100

// leaf is the kind of block that text lines are going into.
type leaf int

const (
	leafNone leaf = iota
	leafParagraph
	leafFence
	leafIndented
	leafHTML
)

// A container is an open block quote or list item.
type container struct {
	quote  bool
	width  int  // of a list item: columns that its lines are indented by
	empty  bool // of a list item: nothing but its marker so far
	bullet int  // of a list item: its index among the outline's bullets
}

// A scanner finds the block structure line by line, in the manner of the
// CommonMark specification's appendix on parsing, but keeps only what is open.
type scanner struct {
	out   *outline
	stack []container
	leaf  leaf
	fence fence
	html  htmlKind
	para  paragraph
	links definitionParser
	// listing: the last list found can go on, since nothing but list items came behind it.
	listing bool
	late    bool // the line is the first with text in a list item that started with a bare marker
}

// A paragraph is the span of the lines of the paragraph that is open.
type paragraph struct {
	start, end, line int
}

// scan finds the blocks of src from the offset body on.
func scan(src []byte, body int) *outline {
	out := &outline{src: src, body: body, firstLine: 1 + bytes.Count(src[:body], []byte("\n"))}
	s := scanner{out: out}
	number := out.firstLine
	for at := body; at < len(src); number++ {
		text, next := cutLine(src, at)
		s.line(&cursor{text: text, start: at, next: next, number: number})
		if len(s.stack) == 0 || s.stack[0].quote {
			s.listing = s.listing && s.leaf == leafNone && len(trimBlanks(text)) == 0
		} else if len(trimBlanks(text)) > 0 {
			out.lists[len(out.lists)-1].end = next
		}
		s.reach(text, next)
		at = next
	}
	s.end()
	switch s.leaf {
	case leafFence:
		out.unclosed = string(bytes.Repeat([]byte{s.fence.char}, s.fence.n))
	case leafHTML:
		out.unclosed = s.html.closer()
	}
	if len(s.stack) > 0 {
		out.unclosed = "" // ends with its container
	}
	out.lines = number
	return out
}

// line takes in one line.
func (s *scanner) line(c *cursor) {
	matched := s.match(c)
	if matched == len(s.stack) {
		if s.continues(c) {
			return
		}
	} else if s.leaf != leafParagraph {
		s.closeTo(matched)
	}
	s.open(c, matched)
}

// match consumes the markers of the containers that the line continues and
// returns their number.
func (s *scanner) match(c *cursor) int {
	s.late = false
	for i := range s.stack {
		indent, at := c.indent()
		blank := at == len(c.text)
		switch ct := &s.stack[i]; {
		case ct.quote:
			if blank || indent > 3 || c.text[at] != '>' {
				return i
			}
			c.skipQuote(at)
		case blank:
			if ct.empty {
				return i
			}
		case indent >= ct.width:
			c.advance(ct.width)
			s.late = ct.empty && i == len(s.stack)-1
			ct.empty = false
		default:
			return i
		}
	}
	return len(s.stack)
}

// continues reports whether an open code or HTML block takes the line.
func (s *scanner) continues(c *cursor) bool {
	indent, at := c.indent()
	blank := at == len(c.text)
	switch s.leaf {
	case leafFence:
		s.out.fences[len(s.out.fences)-1].end = c.next
		if indent <= 3 && s.fence.closes(c.text[at:]) {
			s.leaf = leafNone
		}
		return true
	case leafHTML:
		if s.html.ends(c.text[c.pos:], blank) {
			s.leaf = leafNone
		}
		return true
	case leafIndented:
		if blank || indent >= 4 {
			return true
		}
		s.leaf = leafNone
	}
	return false
}

// open starts the blocks that the rest of the line starts, or adds it as text.
func (s *scanner) open(c *cursor, matched int) {
	item := s.late // the text to come is the first in a list item
	for {
		indent, at := c.indent()
		if at == len(c.text) {
			s.blank(matched, item)
			return
		}
		lazy := matched < len(s.stack)
		tip := s.leaf == leafParagraph && !lazy
		if indent >= 4 {
			if s.leaf == leafParagraph {
				s.text(c, at, item, lazy)
				return
			}
			s.leaf = leafIndented
			return
		}
		rest := c.text[at:]
		if rest[0] == '>' && matched < maxNesting {
			s.closeTo(matched)
			c.skipQuote(at)
			s.stack = append(s.stack, container{quote: true})
			matched, item = matched+1, false
			continue
		}
		if s.leafStart(c, at, rest, matched, tip) {
			return
		}
		if ct, ok := listItem(c, indent, at, tip); ok && matched < maxNesting {
			s.closeTo(matched)
			if matched == 0 {
				s.listed(c, at, markerWidth(rest))
			}
			ct.bullet = s.enter(c, at+markerWidth(rest))
			s.stack = append(s.stack, ct)
			matched, item = matched+1, true
			continue
		}
		s.text(c, at, item, lazy)
		return
	}
}

// leafStart handles a line that is a heading, a thematic break or the first of
// a code or HTML block.
func (s *scanner) leafStart(c *cursor, at int, rest []byte, matched int, tip bool) bool {
	switch rest[0] {
	case '#':
		if level, from, to, ok := atxHeading(rest); ok {
			s.closeTo(matched)
			s.out.text(c.start+at+from, c.start+at+to, false)
			s.out.heading(heading{level: level, start: c.start, next: c.next, line: c.number,
				from: c.start + at + from, to: c.start + at + to}, len(s.stack) == 0)
			return true
		}
	case '`', '~':
		if f, ok := openFence(rest); ok {
			s.closeTo(matched)
			s.leaf, s.fence = leafFence, f
			s.out.fences = append(s.out.fences, span{c.start, c.next})
			return true
		}
	case '<':
		if kind := htmlStart(rest, s.leaf == leafParagraph); kind != 0 {
			s.closeTo(matched)
			s.html, s.leaf = kind, leafHTML
			if kind.ends(rest, false) {
				s.leaf = leafNone
			}
			return true
		}
	case '=', '-', '*', '_':
		if level := setextLevel(rest); tip && level > 0 {
			p, ok := s.underlined()
			if !ok {
				break
			}
			s.leaf = leafNone
			s.out.heading(heading{level: level, start: p.start, next: c.next, line: p.line,
				from: p.start, to: p.end}, len(s.stack) == 0)
			return true
		}
	}
	if thematicBreak(rest) {
		s.closeTo(matched)
		return true
	}
	return false
}

// text adds the line to the open paragraph, or starts one.
func (s *scanner) text(c *cursor, at int, item, lazy bool) {
	on := s.leaf == leafParagraph && !item
	if !on {
		if item {
			s.out.item(c, at)
		}
		s.leaf = leafParagraph
		s.para = paragraph{start: c.start + at, line: c.number}
		if len(s.stack) == 0 {
			s.para.start = c.start
		}
	}
	s.para.end = c.start + len(c.text)
	s.out.text(c.start+at, c.start+len(c.text), on)
}

// blank takes in a line without text.
func (s *scanner) blank(matched int, item bool) {
	s.closeTo(matched)
	s.end()
	s.leaf = leafNone
	if item {
		s.stack[len(s.stack)-1].empty = true
	}
}

// closeTo closes all but the outermost n containers and the leaf.
func (s *scanner) closeTo(n int) {
	s.end()
	s.stack = s.stack[:n]
	s.leaf = leafNone
}

// end notes the open paragraph, if there is one.
func (s *scanner) end() {
	if s.leaf == leafParagraph && len(s.stack) == 0 {
		s.out.paragraph(s.para)
	}
}
