package manifest

import (
	"kist/index/page"
	"slices"
)

// A Holding is what the store has of a long document: all of it before a save, and
// which of it the save leaves as it is.
type Holding struct {
	Entry Entry
	Parts []page.Known // by ordinal
	Kept  []bool       // by ordinal of the new entries; nil: all of them are to be written
}

// Keeps reports whether the store's entry with that ordinal stays.
func (h Holding) Keeps(ordinal int) bool { return ordinal < len(h.Kept) && h.Kept[ordinal] }

// Holding finds out which of a file's entries, of which the parts are given, are those that the
// store has.
// Where the manifest isn't sure what the store has, it is none of them.
func (m *Manifest) Holding(path string, parts []page.Known) Holding {
	h := Holding{Entry: m.Files[path], Parts: m.Parts[path]}
	if len(h.Parts) == 0 || len(h.Parts) != h.Entry.Entries || h.Entry.Flags&(Unsure|Failed) != 0 || parts == nil {
		return h
	}
	h.Kept = make([]bool, len(parts))
	for i := range min(len(parts), len(h.Parts)) {
		h.Kept[i] = parts[i].Hash == h.Parts[i].Hash
	}
	if !slices.Contains(h.Kept, true) {
		h.Kept = nil
	}
	return h
}

// Lengths are those of an entry that the store has. The title is the same in all
// entries of a document, and the first one alone has the front matter.
func (h Holding) Lengths(ordinal int) (n [page.NumFields]int) {
	n[page.FieldTitle] = h.Entry.Tokens[page.FieldTitle] / h.Entry.Entries
	n[page.FieldHeadings], n[page.FieldBody] = int(h.Parts[ordinal].Headings), int(h.Parts[ordinal].Body)
	if ordinal == 0 {
		n[page.FieldMeta] = h.Entry.Tokens[page.FieldMeta]
	}
	return n
}

// essence is what a manifest says of a file's text.
type essence struct {
	hash     Hash
	sections int
	tokens   [page.NumFields]int
}

func (m *Manifest) Essence() map[string]essence {
	out := make(map[string]essence, len(m.Files))
	for p, e := range m.Files {
		out[p] = essence{e.Hash, e.Sections, e.Tokens}
	}
	return out
}
