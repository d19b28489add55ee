package index

import (
	"kist/index/page"
	"slices"
)

// A holding is what the store has of a long document: all of it before a save, and
// which of it the save leaves as it is.
type holding struct {
	entry entry
	parts []page.Known // by ordinal
	kept  []bool       // by ordinal of the new entries; nil: all of them are to be written
}

// keeps reports whether the store's entry with that ordinal stays.
func (h holding) keeps(ordinal int) bool { return ordinal < len(h.kept) && h.kept[ordinal] }

// holding finds out which of a prepared file's entries are those that the store has.
// Where the manifest isn't sure what the store has, it is none of them.
func (m *manifest) holding(p prepared) holding {
	h := holding{entry: m.files[p.path], parts: m.parts[p.path]}
	if len(h.parts) == 0 || len(h.parts) != h.entry.entries || h.entry.flags&(unsure|failed) != 0 || p.parts == nil {
		return h
	}
	h.kept = make([]bool, len(p.parts))
	for i := range min(len(p.parts), len(h.parts)) {
		h.kept[i] = p.parts[i].Hash == h.parts[i].Hash
	}
	if !slices.Contains(h.kept, true) {
		h.kept = nil
	}
	return h
}

// measure adds the lengths of one of a prepared file's entries to those of the file, and
// completes its part.
func (p *prepared) measure(ordinal int, l [page.NumFields]int) {
	if p.parts != nil {
		p.parts[ordinal].Headings, p.parts[ordinal].Body = uint32(l[page.FieldHeadings]), uint32(l[page.FieldBody])
	}
	for f, n := range l {
		p.tokens[f] += n
	}
}

// lengths are those of an entry that the store has. The title is the same in all
// entries of a document, and the first one alone has the front matter.
func (h holding) lengths(ordinal int) (n [page.NumFields]int) {
	n[page.FieldTitle] = h.entry.tokens[page.FieldTitle] / h.entry.entries
	n[page.FieldHeadings], n[page.FieldBody] = int(h.parts[ordinal].Headings), int(h.parts[ordinal].Body)
	if ordinal == 0 {
		n[page.FieldMeta] = h.entry.tokens[page.FieldMeta]
	}
	return n
}

// sameParts reports whether two lists of parts are the same one: then nothing was written
// of their document between the two looks.
func sameParts(a, b []page.Known) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
