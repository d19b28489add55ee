package sift

import (
	"bytes"
	"sort"
)

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
type part struct {
	raw, folded []byte
	marks       []mark // made when needed
}

// A mark is behind the same separator in both.
type mark struct{ raw, folded int }

// marksApart is how many separators there are from mark to mark.
const marksApart = 32

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

// word returns where in the raw text the word is that is at a place in the folded one.
func (p *part) word(at int) (from, to int) {
	if p.marks == nil {
		p.mark()
	}
	m := p.marks[sort.Search(len(p.marks), func(i int) bool { return p.marks[i].folded > at })-1]
	n := 0
	for _, b := range p.folded[m.folded:at] {
		if separates[b] {
			n++
		}
	}
	from, _ = skip(p.raw, m.raw, n)
	return from, from + wordLength(p.raw[from:])
}

func (p *part) mark() {
	p.marks = make([]mark, 1, 1+len(p.folded)/(4*marksApart))
	for {
		last := p.marks[len(p.marks)-1]
		folded, more := skip(p.folded, last.folded, marksApart)
		raw, _ := skip(p.raw, last.raw, marksApart)
		if !more {
			return
		}
		p.marks = append(p.marks, mark{raw, folded})
	}
}

// skip returns where the text behind the next n separators begins, or behind the last one
// where there aren't so many.
func skip(text []byte, from, n int) (at int, ok bool) {
	for i := from; n > 0 && i < len(text); i++ {
		if separates[text[i]] {
			from = i + 1
			n--
		}
	}
	return from, n == 0
}
