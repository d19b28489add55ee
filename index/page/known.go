package page

import (
	"crypto/sha256"
	"encoding/binary"
	"kist/index/analyze"
)

// PartsFrom is how long a text is, in bytes, whose entries the manifest knows one by
// one. A shorter one is written wholly in a few milliseconds, less than its commit
// takes, and of short ones there are too many to keep more of each.
const PartsFrom = 32 << 10

// A known entry is what the manifest knows of one of a long document, so that a save
// writes only the entries that it changes.
type Known struct {
	Hash           uint64 // of all that the entry is made of
	Headings, Body uint32 // tokens
}

// Parts returns the parts of a long document's entries, as yet without their
// lengths; nil where nothing could be saved by them.
func (f *File) Parts(a analyze.Analyzer) []Known {
	if len(f.Text) < PartsFrom || f.Count() < 2 {
		return nil
	}
	parts := make([]Known, f.Count())
	var buf []byte
	for i, d := range f.LayOut(a) {
		buf = buf[:0]
		add := func(part []byte) { buf = append(binary.LittleEndian.AppendUint64(buf, uint64(len(part))), part...) }
		d.Text.Parts(add)
		for _, f := range d.Fields {
			add([]byte(f.Name()))
			add(f.Value())
		}
		sum := sha256.Sum256(buf)
		parts[i].Hash = binary.LittleEndian.Uint64(sum[:])
	}
	return parts
}
