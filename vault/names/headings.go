package names

import (
	"encoding/binary"
	"iter"
	"strings"

	"kist/vault/markdown"
	"kist/vault/position"
)

// headings are those of a document, but for what it is called.
type headings struct {
	heads   string // in lower case, \n before each
	marks   []byte // of each where it is and how it is written, see [Heading.mark]
	clipped bool   // there are more than is kept
}

// A Heading is one of a document's.
type Heading struct {
	Level      int
	Text       string
	Start, End position.Place // of its text
}

func headingsOf(doc *markdown.Document, title string, limit int) (all headings) {
	var heads strings.Builder
	var table *position.Table
	for _, s := range doc.Sections() {
		text := s.Heading()
		if s.Level == 0 || text == "" || text == title {
			continue
		}
		if heads.Len()+len(text) >= limit {
			all.clipped = true
			continue
		}
		if table == nil {
			table = position.New(doc.Source())
		}
		heads.WriteString("\n" + folded(text))
		all.marks = Heading{s.Level, text, table.Place(s.Title.Start), table.Place(s.Title.End)}.mark(all.marks)
	}
	all.heads, all.marks = heads.String(), append([]byte(nil), all.marks...)
	return all
}

func folded(text string) string { return strings.ReplaceAll(strings.ToLower(text), "\n", " ") }

// mark writes a heading behind others, in some ten bytes and its text.
func (h Heading) mark(to []byte) []byte {
	level := h.Level
	if h.Start.Mark {
		level |= 8
	}
	if h.End.Mark {
		level |= 16
	}
	for _, n := range []int{level, h.Start.Line, h.Start.Column, h.Start.UTF16, h.End.Line - h.Start.Line, h.End.Column, h.End.UTF16, len(h.Text)} {
		to = binary.AppendUvarint(to, uint64(n))
	}
	return append(to, h.Text...)
}

// read reads the heading at the beginning of marks, and returns the others.
func (h *Heading) read(marks []byte) []byte {
	var n [8]int
	for i := range n {
		u, size := binary.Uvarint(marks)
		n[i], marks = int(u), marks[size:]
	}
	h.Level, h.Text = n[0]&7, string(marks[:n[7]])
	h.Start = position.Place{Line: n[1], Column: n[2], UTF16: n[3], Mark: n[0]&8 != 0}
	h.End = position.Place{Line: n[1] + n[4], Column: n[5], UTF16: n[6], Mark: n[0]&16 != 0}
	return marks[n[7]:]
}

// Headed reports whether a document has a heading, besides what it is called, with a text in
// it, in lower case, and whether one begins so. Of its headings the first 4 KiB count.
func (e *Entry) Headed(text string) (holds, begins bool) {
	holds = e.heads != "" && strings.Contains(e.heads, text)
	return holds, holds && strings.Contains(e.heads, "\n"+text)
}

// Headings goes over the headings of a document with a text in them, in lower case, in its
// order, but for what it is called, and whether they begin so. The document is read only where
// it has more headings than are kept, and the whole of them is asked for.
func (v *View) Headings(e *Entry, text string, whole bool) iter.Seq2[Heading, bool] {
	all := e.headings
	if whole && all.clipped {
		if doc, err := v.Document(e.Path); err == nil {
			all = headingsOf(doc, e.Title, len(doc.Source())+1)
		}
	}
	return func(yield func(Heading, bool) bool) {
		marks := all.marks
		for len(marks) > 0 {
			var h Heading
			marks = h.read(marks)
			if at := strings.Index(folded(h.Text), text); at >= 0 && !yield(h, at == 0) {
				return
			}
		}
	}
}

// Clipped reports whether a document has more headings than are kept.
func (e *Entry) Clipped() bool { return e.clipped }
