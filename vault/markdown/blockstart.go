package markdown

import "bytes"

// atxHeading recognises "## Text ##". The heading's text is line[from:to].
func atxHeading(line []byte) (level, from, to int, ok bool) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, 0, 0, false
	}
	from = level
	for from < len(line) && isBlank(line[from]) {
		from++
	}
	to = len(trimBlanks(line))
	if to <= from {
		return level, from, from, true
	}
	closing := to
	for closing > from && line[closing-1] == '#' {
		closing--
	}
	if closing == from {
		return level, from, from, true
	}
	if closing < to && isBlank(line[closing-1]) {
		to = len(trimBlanks(line[:closing]))
	}
	return level, from, to, true
}

// setextLevel returns the level of heading that the line underlines, else 0.
func setextLevel(line []byte) int {
	line = trimBlanks(line)
	if len(bytes.Trim(line, "=")) == 0 {
		return 1
	}
	if len(bytes.Trim(line, "-")) == 0 {
		return 2
	}
	return 0
}

// thematicBreak recognises three or more -, * or _ with blanks between them.
func thematicBreak(line []byte) bool {
	n := 0
	if bytes.IndexByte([]byte("-*_"), line[0]) < 0 {
		return false
	}
	for _, b := range line {
		switch {
		case b == line[0]:
			n++
		case !isBlank(b) && b != '\r':
			return false
		}
	}
	return n >= 3
}

// A fence is what a fenced code block was opened with.
type fence struct {
	char byte
	n    int
}

// openFence recognises the first line of a fenced code block.
func openFence(line []byte) (fence, bool) {
	f := fence{char: line[0]}
	for f.n < len(line) && line[f.n] == f.char {
		f.n++
	}
	if f.n < 3 || f.char == '`' && bytes.IndexByte(line[f.n:], '`') >= 0 {
		return fence{}, false
	}
	return f, true
}

// closes reports whether the line ends the code block.
func (f fence) closes(line []byte) bool {
	line = trimBlanks(line)
	return len(line) >= f.n && len(bytes.Trim(line, string(f.char))) == 0
}

// listItem recognises a list marker at the position at and moves the cursor
// behind it. In the middle of a paragraph (tip) only a marker with text behind
// it, and only the number 1, starts a list.
func listItem(c *cursor, indent, at int, tip bool) (container, bool) {
	rest := c.text[at:]
	width := markerWidth(rest)
	if width == 0 {
		return container{}, false
	}
	empty := len(bytes.Trim(rest[width:], " \t\r")) == 0
	ordered := width > 1
	if tip && (empty || ordered && string(rest[:width-1]) != "1") {
		return container{}, false
	}
	c.skipTo(at, width)
	padding, _ := c.indent()
	if empty || padding > 4 {
		padding = 1
	}
	c.advance(padding)
	return container{width: indent + width + padding}, true
}

// markerWidth returns the length of the list marker that a line starts with, 0
// if it doesn't. A blank or the line's end must follow the marker.
func markerWidth(line []byte) int {
	n := 0
	for n < len(line) && n < 10 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	switch {
	case n > 9 || n == len(line):
		return 0
	case n > 0 && line[n] != '.' && line[n] != ')':
		return 0
	case n == 0 && line[n] != '-' && line[n] != '*' && line[n] != '+':
		return 0
	}
	n++
	if n < len(line) && !isBlank(line[n]) {
		return 0
	}
	return n
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }
