package section

import (
	"encoding/binary"
	"errors"
)

// ErrTable: a stored table can't be decoded.
var ErrTable = errors.New("damaged table of sections")

// A Table tells of each section of an entry, in order, what the locations don't.
type Table []Row

// A Row is one section.
type Row struct {
	Depth int // headings that it is below, its own one included
	Words int // in its body, as analysed
}

// Covers reports whether a heading at a section, of a depth, is one that another section is
// below. A heading that the entry's first section is below stands there, whatever its depth.
func (t Table) Covers(at, depth, section int) bool {
	if section < at || section >= len(t) {
		return false
	}
	for _, r := range t[at+1 : section+1] {
		if r.Depth <= depth {
			return false
		}
	}
	return true
}

func (t Table) encode() []byte {
	out := binary.AppendUvarint(nil, uint64(len(t)))
	for _, r := range t {
		out = binary.AppendUvarint(out, uint64(r.Depth))
		out = binary.AppendUvarint(out, uint64(r.Words))
	}
	return out
}

// Decode returns a stored table, ErrTable for what isn't one.
func Decode(stored []byte) (t Table, err error) {
	next := func() (int, bool) {
		n, size := binary.Uvarint(stored)
		if size <= 0 || n > 1<<31 {
			return 0, false
		}
		stored = stored[size:]
		return int(n), true
	}
	n, ok := next()
	if !ok || n > len(stored) {
		return nil, ErrTable
	}
	t = make(Table, 0, n)
	for range n {
		depth, ok := next()
		words, also := next()
		if !ok || !also {
			return nil, ErrTable
		}
		t = append(t, Row{depth, words})
	}
	return t, nil
}
