package markdown

import (
	"fmt"
	"slices"
	"strings"
)

// A ListItem is an item of a list with all that belongs to it: the lines that go on with
// it, and the lists inside it.
type ListItem struct {
	Line       int    // from 1
	Text       string // of all its lines, without the marker, on one line
	Start, End int    // offsets of its first line, and behind its last line with text
	Nested     bool   // it is inside another item
}

// A bullet is a list item as the scanner finds it.
type bullet struct {
	line, start, text, end int // text: the offset behind the marker
	nested, quoted         bool
}

// enter notes the list item whose text begins at a position of the line, and returns its
// index.
func (s *scanner) enter(c *cursor, text int) int {
	e := bullet{line: c.number, start: c.start, text: c.start + text}
	for _, ct := range s.stack {
		e.nested, e.quoted = e.nested || !ct.quote, e.quoted || ct.quote
	}
	s.out.bullets = append(s.out.bullets, e)
	return len(s.out.bullets) - 1
}

// reach lets the items that are open hold a line.
func (s *scanner) reach(line []byte, next int) {
	if len(trimBlanks(line)) == 0 {
		return
	}
	for _, ct := range s.stack {
		if !ct.quote {
			s.out.bullets[ct.bullet].end = next
		}
	}
}

// ListItems returns the items of the document's lists in order, also of nested ones but
// not of those in quotes. Where one line begins several, as "- - a" does, the outermost
// stands for all.
func (d *Document) ListItems() []ListItem {
	var items []ListItem
	for _, e := range d.blocks().bullets {
		if e.quoted || len(items) > 0 && items[len(items)-1].Line == e.line {
			continue
		}
		text := strings.Join(strings.Fields(string(d.src[e.text:e.end])), " ")
		items = append(items, ListItem{Line: e.line, Text: text, Start: e.start, End: e.end, Nested: e.nested})
	}
	return items
}

// CutItem returns the edit that takes the list item on a line out, with all that belongs
// to it. Where a blank line stands before it, those behind it go as well, so that no gap
// doubles; all other bytes stay.
//
// [ErrNotItem] if no list item begins on that line; [ErrUnsupported] in a quote, and
// where the lines around it would mean something else without it.
func (d *Document) CutItem(line int) (Edit, error) {
	if _, err := d.properties(); err != nil {
		return Edit{}, err
	}
	all := d.ListItems()
	i := slices.IndexFunc(all, func(item ListItem) bool { return item.Line == line })
	if i < 0 {
		for _, box := range d.Items() {
			if box.Line == line {
				return Edit{}, d.unsupported(box.at, "the checkbox is in a quote")
			}
		}
		return Edit{}, fmt.Errorf("line %d: %w", line, ErrNotItem)
	}
	edit := Edit{Start: all[i].Start, End: all[i].End}
	above := strings.TrimRight(string(d.src[d.layout.body:edit.Start]), " \t")
	above = strings.TrimRight(strings.TrimSuffix(above, "\n"), " \t\r")
	if above == "" || strings.HasSuffix(above, "\n") {
		for edit.End < len(d.src) {
			text, next := cutLine(d.src, edit.End)
			if len(trimBlanks(text)) > 0 {
				break
			}
			edit.End = next
		}
	}
	return edit, d.checkCut(edit)
}

// checkCut refuses an edit that changes more than it takes out: the headings must be
// those of before, the list items those outside of it, but for the text of the items
// that it was in.
func (d *Document) checkCut(edit Edit) error {
	outside := func(at int) bool { return at < edit.Start || at >= edit.End }
	var items []Item
	for _, item := range d.Items() {
		if outside(item.at) {
			items = append(items, item)
		}
	}
	var want []ListItem
	for _, item := range d.ListItems() {
		if outside(item.Start) {
			want = append(want, item)
		}
	}
	after := Parse(edit.Apply(d.src))
	same := slices.EqualFunc(after.ListItems(), want, func(now, was ListItem) bool {
		return now.Nested == was.Nested && (now.Text == was.Text || was.Start < edit.Start && was.End > edit.Start)
	})
	if !same {
		return d.unsupported(edit.Start, "the lines around it would change without it")
	}
	return d.checkItems(edit, items, after.blocks().listItems())
}
