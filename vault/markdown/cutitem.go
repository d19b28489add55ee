package markdown

import (
	"bytes"
	"regexp"
	"slices"
)

// itemStart is how a list item begins that is in no quote; newBlock is what doesn't go on
// with the text of the item before it.
var (
	itemStart = regexp.MustCompile(`^[ \t]*([-*+]|\d{1,9}[.)])[ \t]`)
	newBlock  = regexp.MustCompile("^[ \t]*([-*+][ \t]|\\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|```|~~~|---|\\*\\*\\*|$)")
)

// CutItem returns the item of the checkbox on a line, the edit that removes it with the
// lines below it that are indented deeper, and the item's own lines, which don't end with
// blank ones. Of the blank lines around it those before stay, unless there are none.
//
// [ErrNotItem] if there is no checkbox on that line; [ErrUnsupported] in a quote, where the
// next line may belong to the item, and where it would change what other lines mean.
func (d *Document) CutItem(line int) (item Item, edit Edit, lines []byte, err error) {
	i, err := d.itemAt(line)
	if err != nil {
		return Item{}, Edit{}, nil, err
	}
	item = d.Items()[i]
	start := bytes.LastIndexByte(d.src[:item.at], '\n') + 1
	first, at := cutLine(d.src, start)
	if !itemStart.Match(first) {
		return Item{}, Edit{}, nil, d.unsupported(start, "the checkbox is in a quote, or behind something else")
	}
	depth, _ := (&cursor{text: first}).indent()
	last, end := at, at // behind its last line with text, and behind the blank ones after it
	for end < len(d.src) {
		text, next := cutLine(d.src, end)
		if column, _ := (&cursor{text: text}).indent(); len(trimBlanks(text)) > 0 && column < depth+2 {
			break
		} else if end = next; len(trimBlanks(text)) > 0 {
			last = next
		}
	}
	if last == end && !newBlock.Match(d.src[last:]) {
		return Item{}, Edit{}, nil, d.unsupported(last, "the line may go on with the checkbox above it")
	}
	if before := d.src[:start]; len(before) > 0 && !bytes.HasSuffix(before, []byte("\n\n")) && !bytes.HasSuffix(before, []byte("\n\r\n")) {
		end = last
	}
	edit = Edit{Start: start, End: end}
	want := slices.DeleteFunc(slices.Clone(d.Items()), func(other Item) bool { return other.at >= start && other.at < last })
	left := Parse(edit.Apply(d.src)).blocks()
	return item, edit, d.src[start:last], d.checkItems(edit, want, left.listItems())
}
