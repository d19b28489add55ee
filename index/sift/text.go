package sift

import "bytes"

// A Text is one file that words are looked for in.
type Text struct {
	Raw    []byte
	folded []byte // a line of words that count as part of it, and Raw
	head   part
	body   part
	lower  []byte // of Raw; made when needed
	ascii  []byte // Raw with the ASCII letters in lower case; made when needed
}

// A part is a text and what it was folded to. What separates words is the same in both.
type part struct{ raw, folded []byte }

// NewText folds a file's text into buffer, which it may make larger, behind a line of words
// that count as part of it.
func (f *Folder) NewText(buffer []byte, head string, raw []byte) *Text {
	t := &Text{Raw: raw}
	t.folded = append(f.Fold(buffer[:0], []byte(head)), '\n')
	n := len(t.folded)
	t.folded = f.Fold(t.folded, raw)
	t.head = part{raw: []byte(head), folded: t.folded[:n-1]}
	t.body = part{raw: raw, folded: t.folded[n:]}
	return t
}

// Buffer is what the text was folded into.
func (t *Text) Buffer() []byte { return t.folded }

// Lower is the raw text in lower case.
func (t *Text) Lower() []byte {
	if t.lower == nil {
		t.lower = bytes.ToLower(t.Raw)
	}
	return t.lower
}

// LowerASCII is the raw text with the ASCII letters in lower case.
func (t *Text) LowerASCII() []byte {
	if t.ascii == nil {
		t.ascii = make([]byte, len(t.Raw))
		for i, b := range t.Raw {
			if b-'A' < 26 {
				b += 'a' - 'A'
			}
			t.ascii[i] = b
		}
	}
	return t.ascii
}

// A cursor is behind the same separator in both texts of a part.
type cursor struct{ raw, folded int }

// word returns where in the raw text the word is that is at a place in the folded one, not before the
// cursor, which is moved there.
func (p part) word(c *cursor, at int) (from, to int) {
	for i, b := range p.folded[c.folded:at] {
		if separates[b] {
			c.raw = min(len(p.raw), c.raw+wordLength(p.raw[c.raw:])+1)
			from = i + 1
		}
	}
	c.folded += from
	return c.raw, c.raw + wordLength(p.raw[c.raw:])
}
