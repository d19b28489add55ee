package markdown

import (
	"bytes"
	"iter"
	"slices"

	"kist/vault/markdown/inline"
)

// Links returns the targets of the document's links to other files, each once,
// in order: of wiki links ([[a|b]], ![[a]]), also in the front matter, and of Markdown links and
// images with a relative or root-relative address, percent-decoded. What follows
// "#" is cut off; links within the document and to URLs are left out.
func (d *Document) Links() []string {
	set := newSet(func(s string) string { return s })
	for l := range EachLink(d) {
		if l.Kind != Definition {
			set.add(l.Name)
		}
	}
	return set.list
}

// EachLink goes over the links of [Document.Links] in order, each as often as it is there,
// and over those within the document, and the targets of link reference definitions.
func EachLink(d *Document) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if !inline.WikiLinks(d.src[d.layout.yaml:d.layout.end], d.layout.yaml, true, yield) {
			return
		}
		lines, shown := shownLines(d)
		address := func(l Link) bool { return !shown(l.All.Start) || yield(l) }
		wiki := func(l Link) bool { // what is code in it is blanked out in the line
			l.Name, l.Anchor = string(d.src[l.Target.Start:l.Target.End]), string(d.src[l.Fragment.Start:l.Fragment.End])
			return address(l)
		}
		for at, line := range lines {
			if bytes.IndexByte(line, '[') >= 0 && (!inline.WikiLinks(line, at, false, wiki) || !inline.Links(line, at, address)) {
				return
			}
		}
	}
}

// TextLines goes over the lines of paragraphs and headings, each with its offset. What is in
// code spans, also those of several lines, is blanked out, so that a line has its length and no markup in code counts.
func TextLines(d *Document) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for at, lines := range paragraphs(d) {
			for i, line := range lines {
				if !yield(at[i], line) {
					return
				}
			}
		}
	}
}

// paragraphs goes over the lines of [TextLines] by paragraph, each with the offsets of its lines.
func paragraphs(d *Document) iter.Seq2[[]int, [][]byte] {
	return func(yield func([]int, [][]byte) bool) {
		o := d.blocks()
		for at, end := 0, 0; at < len(o.texts); at = end {
			for end = at + 1; end < len(o.texts) && o.texts[end].on; end++ {
			}
			lines, starts := make([][]byte, end-at), make([]int, end-at)
			for i, t := range o.texts[at:end] {
				lines[i], starts[i] = o.src[t.start:t.end], t.start
			}
			if !yield(starts, masked(lines)) {
				return
			}
		}
	}
}

// masked blanks out the code in a paragraph's lines. The rows of a table are texts by themselves.
func masked(lines [][]byte) [][]byte {
	if len(lines) == 1 {
		return [][]byte{inline.MaskCode(lines[0])}
	}
	head := 1 + slices.IndexFunc(lines[1:], isDelimiterRow)
	if head == 0 {
		return inline.MaskLines(lines)
	}
	out := inline.MaskLines(lines[: head-1 : head-1])
	for _, row := range lines[head-1:] {
		out = append(out, inline.MaskCode(row))
	}
	return out
}
