package markdown

import "bytes"

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

// Shown returns the checkboxes that no comment hides.
func Shown(d *Document) []Item {
	hidden := Comments(d)
	if len(hidden) == 0 {
		return d.Items()
	}
	var shown []Item
	for _, item := range d.Items() {
		for len(hidden) > 0 && hidden[0].End <= item.at {
			hidden = hidden[1:]
		}
		if len(hidden) == 0 || item.at < hidden[0].Start {
			shown = append(shown, item)
		}
	}
	return shown
}
