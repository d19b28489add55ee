package terminal

import (
	"fmt"
	"io"
	"strings"
)

// A screen paints a prompt and an input over as many rows of a terminal as they need,
// always in the same place. It breaks the rows itself: what a terminal does at its
// right edge differs.
type screen struct {
	w             io.Writer
	width, height int
	painted       []row
	row, column   int // of the cursor, in what is painted
}

// A row is one row's text and how many cells it takes.
type row struct {
	text  string
	cells int
}

// resize says how large the terminal is now. Many terminals break what is shown anew,
// so the cursor may be further down than it was left.
func (s *screen) resize(width, height int) {
	width, height = max(width, 2), max(height, 1)
	if width == s.width && height == s.height {
		return
	}
	if s.width > width {
		rows := s.column / width
		for _, r := range s.painted[:s.row] {
			rows += max(1, (r.cells+width-1)/width)
		}
		s.row = rows
	}
	s.width, s.height = width, height
}

// paint shows the prompt and the input in place of what was painted last. Of an input
// with more rows than the terminal has, those around the cursor are shown.
func (s *screen) paint(prompt string, in *input) error {
	rows, y, x := layout(prompt, in, s.width)
	if len(rows) > s.height {
		top := min(max(0, y-s.height/2), len(rows)-s.height)
		rows, y = rows[top:top+s.height], y-top
	}
	var b strings.Builder
	s.top(&b)
	for i, r := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(r.text)
	}
	last := len(rows) - 1
	if up := last - y; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	if y != last || x != rows[last].cells {
		b.WriteByte('\r')
		if x > 0 {
			fmt.Fprintf(&b, "\x1b[%dC", x)
		}
	}
	s.painted, s.row, s.column = rows, y, x
	_, err := io.WriteString(s.w, b.String())
	return err
}

// top leads to where the painting begins and clears all from there on.
func (s *screen) top(b *strings.Builder) {
	if s.painted == nil {
		return // the first time: begin where the cursor is
	}
	if s.row > 0 {
		fmt.Fprintf(b, "\x1b[%dA", s.row)
	}
	b.WriteString("\r\x1b[J")
}

// leave ends the painting: what comes next goes below it.
func (s *screen) leave() error {
	_, err := io.WriteString(s.w, "\r\n")
	s.painted, s.row, s.column = nil, 0, 0
	return err
}

// wipe empties the whole terminal.
func (s *screen) wipe() error {
	_, err := io.WriteString(s.w, "\x1b[H\x1b[2J")
	s.painted, s.row, s.column = nil, 0, 0
	return err
}

// layout breaks prompt and input into rows and says in which row and column the cursor
// is. A row that is full is followed by another one, so that the cursor has a place.
func layout(prompt string, in *input, width int) (rows []row, y, x int) {
	var text strings.Builder
	used := 0
	end := func() {
		rows = append(rows, row{text.String(), used})
		text.Reset()
		used = 0
	}
	add := func(r rune) {
		shown, n := string(r), cells(r)
		if r == '\t' {
			shown, n = " ", 1
		} else if s := Line(shown); s != shown {
			shown, n = s, Cells(s)
		}
		if used+n > width && used > 0 {
			end()
		}
		text.WriteString(shown)
		used += n
	}
	for _, r := range prompt {
		add(r)
	}
	for i, r := range in.text {
		if used >= width && cells(r) > 0 {
			end()
		}
		if i == in.at {
			y, x = len(rows), used
		}
		if r == '\n' {
			end()
			continue
		}
		add(r)
	}
	if used >= width {
		end()
	}
	if in.at == len(in.text) {
		y, x = len(rows), used
	}
	end()
	return rows, y, x
}
