/*
Package position counts places in a text as editors do: a [Place] is a line and a column,
in bytes of UTF-8 and in code units of UTF-16. A [Table] of a text turns offsets into places
and back.
*/
package position

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// A Place is between two characters of a text, all numbers from 0. A line ends with \n.
type Place struct {
	Line   int
	Column int // bytes
	UTF16  int // code units; a byte that isn't UTF-8 is one
	// A byte order mark stands before it in its line, and is counted in both columns.
	Mark bool
}

// Mark is a byte order mark, in UTF-8: one code unit.
const Mark = "\uFEFF"

// A Table knows where the lines of a text start.
type Table struct {
	text  []byte
	lines []int // offsets
}

// New makes a table of a text, which must not be changed as long as it is used.
func New(text []byte) *Table {
	t := &Table{text: text, lines: make([]int, 1, 1+bytes.Count(text, []byte("\n")))}
	for i, b := range text {
		if b == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// Lines returns the number of lines; a text without any line ending has one.
func (t *Table) Lines() int { return len(t.lines) }

// Line returns the text of a line without its ending, empty for one that isn't there.
func (t *Table) Line(n int) []byte {
	if n < 0 || n >= len(t.lines) {
		return nil
	}
	return bytes.TrimSuffix(t.text[t.lines[n]:t.end(n)], []byte("\r"))
}

// end is the offset of a line's \n, or of the text's end.
func (t *Table) end(n int) int {
	if n+1 < len(t.lines) {
		return t.lines[n+1] - 1
	}
	return len(t.text)
}

// Place returns the place of an offset, which is held to the text.
func (t *Table) Place(at int) Place {
	at = max(0, min(at, len(t.text)))
	n := sort.SearchInts(t.lines, at+1) - 1
	before := t.text[t.lines[n]:at]
	return Place{Line: n, Column: len(before), UTF16: Units(before), Mark: n == 0 && bytes.HasPrefix(before, []byte(Mark))}
}

// Offset returns the offset of a line and a column in bytes. A place behind a line's end is
// that end, one behind the last line the text's; one inside a character is its start.
func (t *Table) Offset(line, column int) int {
	if line < 0 {
		return 0
	}
	if line >= len(t.lines) {
		return len(t.text)
	}
	at := t.lines[line] + max(0, min(column, t.end(line)-t.lines[line]))
	for back := at; back > t.lines[line] && at-back < utf8.UTFMax; {
		back--
		if utf8.RuneStart(t.text[back]) {
			if _, size := utf8.DecodeRune(t.text[back:]); back+size > at {
				return back
			}
			break
		}
	}
	return at
}

// OffsetUTF16 is [Table.Offset] for a column in code units of UTF-16.
func (t *Table) OffsetUTF16(line, units int) int {
	if line < 0 || line >= len(t.lines) {
		return t.Offset(line, 0)
	}
	at, end := t.lines[line], t.end(line)
	for units > 0 && at < end {
		n, size := unitsOf(t.text[at:end])
		if n > units {
			break
		}
		units -= n
		at += size
	}
	return at
}

// Units is the length of a text in code units of UTF-16.
func Units(text []byte) (units int) {
	for len(text) > 0 {
		n, size := unitsOf(text)
		units += n
		text = text[size:]
	}
	return units
}

// unitsOf returns how many code units the first character has, and how many bytes.
func unitsOf(text []byte) (units, size int) {
	r, size := utf8.DecodeRune(text)
	if r >= 1<<16 {
		return 2, size
	}
	return 1, size
}
