package names

import (
	"iter"
	"slices"
	"strings"
)

// A finder is what all documents of a table are called, one behind the other in its order: to
// search one text takes a tenth of what it takes to go from entry to entry.
type finder struct {
	text   string
	starts []int // of each entry in text, and the end
}

const between = "\x00" // entries

func newFinder(order []*Entry) *finder {
	f := &finder{starts: make([]int, 0, len(order)+1)}
	size := 0
	for _, e := range order {
		f.starts = append(f.starts, size)
		size += len(e.find) + len(between)
	}
	f.starts = append(f.starts, size)
	var b strings.Builder
	b.Grow(size)
	for _, e := range order {
		b.WriteString(e.find)
		b.WriteString(between)
	}
	f.text = b.String()
	return f
}

// each goes over the places in the table's order of entries that are called something with
// the text in it.
func (f *finder) each(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at, entry := 0, 0; at < len(f.text); at = f.starts[entry] {
			i := strings.Index(f.text[at:], text)
			if i < 0 {
				return
			}
			rest := f.starts[entry:]
			next, found := slices.BinarySearch(rest, at+i)
			if !found {
				next--
			}
			if entry += next; entry == len(f.starts)-1 || !yield(entry) {
				return
			}
			entry++
		}
	}
}

// Finding goes over the documents as [View.Each] does, leaving out such as [Entry.Finds] is
// -1 of for the text. Some of those that it goes over may be such too.
func (v *View) Finding(text string) iter.Seq[*Entry] {
	if text == "" || strings.Contains(text, between) {
		return v.Each()
	}
	return func(yield func(*Entry) bool) {
		for _, e := range v.over {
			if e != nil && !yield(e) {
				return
			}
		}
		t := v.catalog.table
		f := t.finder.Load()
		if f == nil { // also where another question makes one just now
			f = newFinder(t.order)
			t.finder.Store(f)
		}
		for i := range f.each(text) {
			e := t.order[i]
			if _, other := v.over[e.Path]; !other && !yield(e) {
				return
			}
		}
	}
}
