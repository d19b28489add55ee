package markdown

import (
	"bytes"
	"iter"
	"slices"
	"sort"
)

// Comments returns what other programs hide: from a %% to the next one, outside of code. One
// that nothing ends hides nothing.
func Comments(d *Document) (spans []Span) {
	mark := []byte("%%")
	if !bytes.Contains(d.Source(), mark) {
		return nil
	}
	open := -1
	for at, line := range TextLines(d) {
		for i := bytes.Index(line, mark); i >= 0; i = bytes.Index(line, mark) {
			if open < 0 {
				open = at + i
			} else {
				spans, open = append(spans, Span{Start: open, End: at + i + len(mark)}), -1
			}
			at, line = at+i+len(mark), line[i+len(mark):]
		}
	}
	return spans
}

// formulas returns the formulas between two "$$" of one paragraph, whose brackets are no links.
func formulas(d *Document) (spans []Span) {
	mark := []byte("$$")
	if !bytes.Contains(d.Source(), mark) {
		return nil
	}
	for at, lines := range paragraphs(d) {
		open := -1
		for n, line := range lines {
			for from := 0; ; {
				i := bytes.Index(line[from:], mark)
				if i < 0 {
					break
				}
				i, from = from+i, from+i+len(mark)
				switch {
				case i > 0 && line[i-1] == '\\':
				case open < 0:
					open = at[n] + i
				default:
					spans, open = append(spans, Span{Start: open, End: at[n] + from}), -1
				}
			}
		}
	}
	return spans
}

// shownLines is [TextLines] with a test of whether what begins at an
// offset is shown as text: in comments and formulas nothing is a link or a tag.
func shownLines(d *Document) (lines iter.Seq2[int, []byte], shown func(at int) bool) {
	hidden := append(Comments(d), formulas(d)...)
	sort.Slice(hidden, func(i, j int) bool { return hidden[i].Start < hidden[j].Start })
	return TextLines(d), func(at int) bool {
		i, found := slices.BinarySearchFunc(hidden, at, func(s Span, at int) int { return s.Start - at })
		return !found && (i == 0 || hidden[i-1].End <= at)
	}
}

// Shown returns the checkboxes that say something, and that no comment hides: behind one that
// was only begun there is nothing yet.
func Shown(d *Document) (shown []Item) {
	hidden := Comments(d)
	for _, item := range d.Items() {
		for len(hidden) > 0 && hidden[0].End <= item.at {
			hidden = hidden[1:]
		}
		if item.Text != "" && (len(hidden) == 0 || item.at < hidden[0].Start) {
			shown = append(shown, item)
		}
	}
	return shown
}
