package markdown

import (
	"fmt"
	"sort"
	"strings"
)

// An Item is a list item with a checkbox, such as "- [ ] buy paint".
type Item struct {
	Line    int    // from 1
	Checked bool   // Mark is x or X
	Mark    byte   // what is between the brackets: a blank, x, X or, as some editors have it, punctuation
	Text    string // the rest of the line, with inline markup

	at int // offset of the mark
}

// Items returns the checkboxes in the document's lists, also in nested lists
// and quotes but not in code. The slice is shared and must not be changed.
func (d *Document) Items() []Item { return d.blocks().items }

// item notes a checkbox at the start of a list item's text, if there is one.
func (o *outline) item(c *cursor, at int) {
	text := c.text[at:]
	if len(text) < 3 || text[0] != '[' || text[2] != ']' || !isMark(text[1]) {
		return
	}
	if len(text) > 3 && !isBlank(text[3]) {
		return
	}
	o.items = append(o.items, Item{
		Line:    c.number,
		Checked: text[1] == 'x' || text[1] == 'X',
		Mark:    text[1],
		Text:    strings.TrimSpace(string(text[3:])),
		at:      c.start + at + 1,
	})
}

func isMark(b byte) bool {
	return strings.IndexByte(" xX/-<>!?*+\"'&%$#~^=.,:;|@", b) >= 0
}

// CheckItem returns the edit that ticks the checkbox on a line, or clears it. It
// replaces the mark alone; a box that is as wanted is left as it is.
// [ErrNotItem] if there is no checkbox on that line.
func (d *Document) CheckItem(line int, checked bool) (Edit, error) {
	if _, err := d.FrontMatter(); err != nil {
		return Edit{}, err
	}
	items := d.Items()
	i := sort.Search(len(items), func(i int) bool { return items[i].Line >= line })
	if i == len(items) || items[i].Line != line {
		return Edit{}, fmt.Errorf("line %d: %w", line, ErrNotItem)
	}
	mark := items[i].Mark
	switch {
	case checked && !items[i].Checked:
		mark = 'x'
	case !checked && items[i].Checked:
		mark = ' '
	}
	return Edit{Start: items[i].at, End: items[i].at + 1, Text: []byte{mark}}, nil
}
