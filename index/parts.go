package index

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kist/index/analyze"
)

// partsFrom is how long a text is, in bytes, whose entries the manifest knows one by
// one. A shorter one is written wholly in a few milliseconds, less than its commit
// takes, and of short ones there are too many to keep more of each.
const partsFrom = 32 << 10

// A known entry is what the manifest knows of one of a long document, so that a save
// writes only the entries that it changes.
type knownEntry struct {
	hash           uint64 // of all that the entry is made of
	headings, body uint32 // tokens
}

// A holding is what the store has of a long document: all of it before a save, and
// which of it the save leaves as it is.
type holding struct {
	entry entry
	parts []knownEntry // by ordinal
	kept  []bool       // by ordinal of the new entries; nil: all of them are to be written
}

// keeps reports whether the store's entry with that ordinal stays.
func (h holding) keeps(ordinal int) bool { return ordinal < len(h.kept) && h.kept[ordinal] }

// parts returns the parts of a long document's entries, as yet without their
// lengths; nil where nothing could be saved by them.
func (f *file) parts(a analyze.Analyzer) []knownEntry {
	if len(f.text) < partsFrom || f.count() < 2 {
		return nil
	}
	parts := make([]knownEntry, f.count())
	var buf []byte
	for i, d := range f.layOut(a) {
		buf = buf[:0]
		add := func(part []byte) { buf = append(binary.LittleEndian.AppendUint64(buf, uint64(len(part))), part...) }
		d.text.Parts(add)
		for _, f := range d.Fields {
			add([]byte(f.Name()))
			add(f.Value())
		}
		sum := sha256.Sum256(buf)
		parts[i].hash = binary.LittleEndian.Uint64(sum[:])
	}
	return parts
}

// holding finds out which of a prepared file's entries are those that the store has.
// Where the manifest isn't sure what the store has, it is none of them.
func (m *manifest) holding(p prepared) holding {
	h := holding{entry: m.files[p.path], parts: m.parts[p.path]}
	if len(h.parts) == 0 || len(h.parts) != h.entry.entries || h.entry.flags&(unsure|failed) != 0 || p.parts == nil {
		return h
	}
	h.kept = make([]bool, len(p.parts))
	for i := range min(len(p.parts), len(h.parts)) {
		h.kept[i] = p.parts[i].hash == h.parts[i].hash
	}
	if !slices.Contains(h.kept, true) {
		h.kept = nil
	}
	return h
}

// measure adds the lengths of one of a prepared file's entries to those of the file, and
// completes its part.
func (p *prepared) measure(ordinal int, l [numFields]int) {
	if p.parts != nil {
		p.parts[ordinal].headings, p.parts[ordinal].body = uint32(l[fieldHeadings]), uint32(l[fieldBody])
	}
	for f, n := range l {
		p.tokens[f] += n
	}
}

// lengths are those of an entry that the store has. The title is the same in all
// entries of a document, and the first one alone has the front matter.
func (h holding) lengths(ordinal int) (n [numFields]int) {
	n[fieldTitle] = h.entry.tokens[fieldTitle] / h.entry.entries
	n[fieldHeadings], n[fieldBody] = int(h.parts[ordinal].headings), int(h.parts[ordinal].body)
	if ordinal == 0 {
		n[fieldMeta] = h.entry.tokens[fieldMeta]
	}
	return n
}

// sameParts reports whether two lists of parts are the same one: then nothing was written
// of their document between the two looks.
func sameParts(a, b []knownEntry) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
