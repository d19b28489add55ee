package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
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
	if !hasBox(text) {
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

// hasBox reports whether a text starts with a checkbox.
func hasBox(text []byte) bool {
	return len(text) >= 3 && text[0] == '[' && text[2] == ']' && isMark(text[1]) && (len(text) == 3 || isBlank(text[3]))
}

func isMark(b byte) bool {
	return strings.IndexByte(" xX/-<>!?*+\"'&%$#~^=.,:;|@", b) >= 0
}

// CheckItem returns the edit that ticks the checkbox on a line, or clears it. It
// replaces the mark alone; a box that is as wanted is left as it is.
// [ErrNotItem] if there is no checkbox on that line.
func (d *Document) CheckItem(line int, checked bool) (Edit, error) {
	i, err := d.itemAt(line)
	if err != nil {
		return Edit{}, err
	}
	item := d.Items()[i]
	mark := item.Mark
	switch {
	case checked && !item.Checked:
		mark = 'x'
	case !checked && item.Checked:
		mark = ' '
	}
	return Edit{Start: item.at, End: item.at + 1, Text: []byte{mark}}, nil
}

// EditItem returns the edit that gives the checkbox on a line another text. All
// else of the line stays: indentation, marker, box and trailing blanks; lines
// that go on with the item are not touched. What editors write behind a task,
// such as dates and block names, is a part of the text. Blanks around the new
// text are cut off.
//
// [ErrNotItem] if there is no checkbox on that line; [ErrValue] for a text that is
// empty, has line breaks or isn't UTF-8; [ErrUnsupported] where it would change what the lines
// below mean.
func (d *Document) EditItem(line int, text string) (Edit, error) {
	if strings.TrimSpace(text) == "" {
		return Edit{}, fmt.Errorf("an item needs a text: %w", ErrValue)
	}
	return d.RewriteItem(line, Rewrite{Text: text})
}

// A Rewrite says what becomes of a checkbox.
type Rewrite struct {
	Mark  byte   // between the brackets; 0: as it is
	Text  string // behind the box; empty: as it is
	Above string // the text of an open box on a line of its own before it, written as it is; empty: none
}

// RewriteItem is [Document.EditItem] that can also set the mark, and put another checkbox
// above. An edit of the mark alone replaces one byte.
func (d *Document) RewriteItem(line int, r Rewrite) (Edit, error) {
	i, err := d.itemAt(line)
	if err != nil {
		return Edit{}, err
	}
	item := d.Items()[i]
	mark := item.Mark
	if r.Mark != 0 {
		mark = r.Mark
	}
	if !isMark(mark) {
		return Edit{}, fmt.Errorf("%q is not the mark of a checkbox: %w", mark, ErrValue)
	}
	if r.Text == "" && r.Above == "" {
		return Edit{Start: item.at, End: item.at + 1, Text: []byte{mark}}, nil
	}
	want, count := slices.Clone(d.Items()), d.blocks().listItems()
	want[i].Mark = mark
	edit, err := d.retext(item, mark, r.Text, &want[i])
	if err != nil {
		return Edit{}, err
	}
	if r.Above != "" {
		above, err := itemText("[ ] ", r.Above)
		if err != nil {
			return Edit{}, err
		}
		start := bytes.LastIndexByte(d.src[:item.at], '\n') + 1
		head := d.src[start : item.at-1]
		edit.Text = slices.Concat(head, []byte("[ ] "+above+lineEnding(d.src)), d.src[start:edit.Start], edit.Text)
		edit.Start = start
		want = slices.Insert(want, i, Item{Mark: ' ', Text: above})
		if d.checkItems(edit, want, count+1) == nil {
			return edit, nil // at the margin, where items are counted
		}
	}
	return edit, d.checkItems(edit, want, count)
}

// retext returns the edit of an item's mark and text, from the one to the end of the other.
func (d *Document) retext(item Item, mark byte, text string, want *Item) (Edit, error) {
	rest, _ := cutLine(d.src, item.at+2)
	old := bytes.TrimSpace(rest)
	start := item.at + 2 + max(bytes.Index(rest, old), 0)
	end := start + len(old)
	if text == "" {
		return Edit{Start: item.at, End: item.at + 1, Text: []byte{mark}}, nil
	}
	text, err := itemText("[ ] ", text)
	if err != nil {
		return Edit{}, err
	}
	want.Text = text
	gap := ""
	if len(old) == 0 {
		start, end, gap = item.at+2, item.at+2, " "
	}
	if mark == item.Mark {
		return Edit{Start: start, End: end, Text: []byte(gap + text)}, nil
	}
	return Edit{Start: item.at, End: end, Text: slices.Concat([]byte{mark}, d.src[item.at+1:start], []byte(gap+text))}, nil
}

// AppendItem returns the edit that adds an item of one line at the end of the
// last list in a section's own text that is in no quote and no other list. It is
// written as that list is: with its bullet, or the next number (one that is on
// every item stays), its indentation and distances, a blank line before it where
// the last item has one, and an empty checkbox if every item has one and the
// text doesn't begin with its own. Without such a list the section gets one, "- " and the text.
//
// The section is named as for [Document.EditSection]; "" is the last one, or the text of a
// document without headings. [ErrNoSection], [ErrAmbiguous]; [ErrValue] for a text that
// is empty, has line breaks, isn't UTF-8, or is more than text, such as a
// heading; [ErrUnsupported] where the item would change the lines around it.
func (d *Document) AppendItem(section, text string) (Edit, error) {
	if _, err := d.properties(); err != nil {
		return Edit{}, err
	}
	text, err := itemText("", text)
	if err != nil {
		return Edit{}, err
	}
	s := Section{ContentStart: d.layout.body, End: len(d.src)}
	if all := d.Sections(); section != "" {
		s, err = d.section(section)
	} else if len(all) > 0 {
		s = all[len(all)-1]
	}
	if err != nil {
		return Edit{}, err
	}
	l := d.blocks().lastList(s.ContentStart, s.End)
	var edit Edit
	if l == nil {
		edit, err = d.editSection(s, Append, []byte("- "+text))
	} else {
		if l.boxes == l.items && !hasBox([]byte(text)) {
			text = "[ ] " + text
		}
		edit, err = d.appendTo(l, text)
	}
	if err != nil {
		return Edit{}, err
	}
	return edit, d.checkItems(edit, d.withItem(edit, text), d.blocks().listItems()+1)
}

// appendTo returns the edit that adds an item behind a list.
func (d *Document) appendTo(l *list, text string) (Edit, error) {
	marker, ok := l.nextMarker()
	if !ok {
		return Edit{}, d.unsupported(l.end, "the number behind "+l.marker+" has too many digits for a list")
	}
	gap := l.gap
	if gap == "" {
		gap = " "
	}
	line := l.indent + marker + gap + text
	nl, blank := lineEnding(d.src), ""
	if l.loose {
		blank = nl
	}
	if d.src[l.end-1] == '\n' {
		line += nl
		_, next := cutLine(d.src, l.end)
		// A line that no blank one separates from the list would go on with the new item.
		if both := slices.Concat([]byte(line), d.src[l.end:next]); !scan(both, 0).listEnds(len(line)) {
			line += nl
		}
		line = blank + line
	} else {
		line = nl + blank + line // the file ends without a line ending, and goes on to
	}
	return Edit{Start: l.end, End: l.end, Text: []byte(line)}, nil
}

// itemAt returns the index of the checkbox on a line.
func (d *Document) itemAt(line int) (int, error) {
	if _, err := d.properties(); err != nil {
		return 0, err
	}
	items := d.Items()
	i := sort.Search(len(items), func(i int) bool { return items[i].Line >= line })
	if i == len(items) || items[i].Line != line {
		return 0, fmt.Errorf("line %d: %w", line, ErrNotItem)
	}
	return i, nil
}

// itemText checks that a text can stand behind "- " and a box: it must be read as
// plain text of one line.
func itemText(box, text string) (string, error) {
	text = strings.TrimSpace(text)
	line := []byte("- " + box + text)
	o := scan(line, 0)
	if text == "" || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") ||
		len(o.texts) != 1 || o.texts[0].span != (span{2, len(line)}) || !hasBox(line[2:]) && isDefinition(line[2:]) {
		return "", fmt.Errorf("%q is not the text of one list item: %w", text, ErrValue)
	}
	return text, nil
}

// withItem returns the items with the one that an edit adds; as they are if the
// text has no box.
func (d *Document) withItem(edit Edit, text string) []Item {
	items := slices.Clone(d.Items())
	if !hasBox([]byte(text)) {
		return items
	}
	i := sort.Search(len(items), func(i int) bool { return items[i].at >= edit.Start })
	return slices.Insert(items, i, Item{Checked: text[1]|0x20 == 'x', Mark: text[1], Text: strings.TrimSpace(text[3:])})
}

// checkItems refuses an edit that changes more than it is about: the headings
// must be those of before, the items as wanted.
func (d *Document) checkItems(edit Edit, want []Item, count int) error {
	after := Parse(edit.Apply(d.src))
	now, was := after.blocks(), d.blocks()
	same := slices.EqualFunc(now.items, want, func(a, b Item) bool { return a.Mark == b.Mark && a.Text == b.Text })
	if !same || now.listItems() != count || now.unclosed != was.unclosed || after.layout.front != d.layout.front ||
		after.layout.body != d.layout.body || !slices.Equal(now.outlined(), was.outlined()) {
		return d.unsupported(edit.Start, "the text would change the lines around it")
	}
	return nil
}
