package markdown

import (
	"fmt"
	"sort"
	"strconv"
)

// listed notes an item of a list at the top level, whose marker of the given
// length is at the position at; the cursor is behind the marker and its blanks.
func (s *scanner) listed(c *cursor, at, width int) {
	marker := string(c.text[at : at+width])
	if !s.listing || !sameList(s.out.lists[len(s.out.lists)-1].marker, marker) {
		s.out.lists = append(s.out.lists, list{end: c.start})
		s.listing = true
	}
	l := &s.out.lists[len(s.out.lists)-1]
	l.loose = l.items > 0 && l.end != c.start
	l.before, l.marker = l.marker, marker
	l.indent, l.gap = string(c.text[:at]), ""
	if _, text := c.indent(); text < len(c.text) {
		l.gap = string(c.text[at+width : c.pos])
	}
	l.items++
	if hasBox(c.text[c.pos:]) {
		l.boxes++
	}
}

// sameList reports whether an item of the second marker goes on with a list of
// the first: with the same bullet, or the same character behind the number.
func sameList(a, b string) bool {
	return len(a) > 1 == (len(b) > 1) && a[len(a)-1] == b[len(b)-1]
}

// listEnds reports whether a list at the top level ends at an offset.
func (o *outline) listEnds(at int) bool {
	i := sort.Search(len(o.lists), func(i int) bool { return o.lists[i].end >= at })
	return i < len(o.lists) && o.lists[i].end == at
}

// lastList returns the last list that is wholly in src[start:end], or nil.
func (o *outline) lastList(start, end int) *list {
	i := sort.Search(len(o.lists), func(i int) bool { return o.lists[i].end > end })
	if i == 0 || o.lists[i-1].end <= start {
		return nil
	}
	return &o.lists[i-1]
}

// listItems returns the number of items of all lists at the top level.
func (o *outline) listItems() int {
	n := 0
	for _, l := range o.lists {
		n += l.items
	}
	return n
}

// nextMarker returns the marker for an item behind the list's last: the same
// bullet, or the next number with the zeros before it. A number that the last
// two items share stays. It is false where the number would have ten digits.
func (l *list) nextMarker() (string, bool) {
	if len(l.marker) == 1 || l.marker == l.before {
		return l.marker, true
	}
	digits := l.marker[:len(l.marker)-1]
	n, _ := strconv.Atoi(digits) // at most nine digits by the scanner
	width := len(digits)
	if digits[0] != '0' {
		width = 0
	}
	next := fmt.Sprintf("%0*d", width, n+1)
	return next + l.marker[len(l.marker)-1:], len(next) <= 9
}
