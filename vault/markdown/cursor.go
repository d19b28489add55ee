package markdown

// A cursor is a place in one line. Columns matter because a tab reaches to the
// next multiple of four, and a container may take only a part of it.
type cursor struct {
	text        []byte // the line without its ending
	start, next int    // offsets in the file of this line and the next
	number      int    // of the line, from 1
	pos, col    int
}

// indent returns the number of columns of blanks at the cursor and the position behind them.
func (c *cursor) indent() (columns, at int) {
	col := c.col
	for at = c.pos; at < len(c.text); at++ {
		switch c.text[at] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col - c.col, at
		}
	}
	return col - c.col, at
}

// advance consumes n columns of blanks; a tab may be consumed in part.
func (c *cursor) advance(n int) {
	for n > 0 && c.pos < len(c.text) {
		width := 1
		switch c.text[c.pos] {
		case ' ':
		case '\t':
			width = 4 - c.col%4
		default:
			return
		}
		if width > n {
			c.col += n
			return
		}
		n -= width
		c.col += width
		c.pos++
	}
}

// skipTo consumes the blanks before at and n bytes from there.
func (c *cursor) skipTo(at, n int) {
	columns, _ := c.indent()
	c.col += columns + n
	c.pos = at + n
}

// skipQuote consumes the marker of a block quote at the position at and one blank behind it.
func (c *cursor) skipQuote(at int) {
	c.skipTo(at, 1)
	c.advance(1)
}
