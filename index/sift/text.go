package sift

import "bytes"

// A Text is one file that words are looked for in.
type Text struct {
	Raw    []byte
	folded []byte // what stands before it, a line break, and its text
	lower  []byte // of Raw; made when needed
}

// NewText folds a file's text into buffer, which it may make larger, behind a line of words
// that count as part of it.
func (f *Folder) NewText(buffer []byte, head string, raw []byte) *Text {
	t := &Text{Raw: raw}
	t.folded = f.Fold(buffer[:0], []byte(head))
	t.folded = f.Fold(append(t.folded, '\n'), raw)
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
