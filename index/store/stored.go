package store

import (
	"bytes"
	"kist/index/page"
	"slices"

	bleve "github.com/blevesearch/bleve_index_api"
)

// Outlines are what is stored of the sections of a file's entries, in order; none where some of
// them aren't the store's. entry may be one of them, which spares looking for it.
func (s *Snapshot) Outlines(v View, file int32, entry uint32) (all [][]byte, err error) {
	one, err := s.outline(v, file, entry)
	if err != nil || one.whole() {
		return [][]byte{one.text}, err
	}
	var found []numbered
	err = postings(s, page.FieldPath, []byte(v.Paths[file]), func(d *bleve.TermFieldDoc) error {
		one, err := s.outline(v, file, uint32(d.ID.Value()))
		found = append(found, one)
		return err
	})
	slices.SortFunc(found, func(a, b numbered) int { return a.ordinal - b.ordinal })
	for i, one := range found {
		if one.ordinal != i || one.text == nil {
			return nil, err
		}
		all = append(all, one.text)
	}
	return all, err
}

// A numbered outline is that of one of a file's entries.
type numbered struct {
	ordinal int
	text    []byte
}

// whole reports whether there are no other entries.
func (n numbered) whole() bool { return n.text != nil && n.ordinal == 0 && page.Alone(n.text) }

// outline is that of an entry, if it is the store's and of a file.
func (s *Snapshot) outline(v View, file int32, entry uint32) (one numbered, err error) {
	if s.memory != nil && uint64(entry) >= s.first || int(entry) >= len(v.Refs) || v.Refs[entry].File != file {
		return one, nil
	}
	err = s.Candidates([]uint32{entry}, func(seg Segment, among []Candidate) error {
		return seg.VisitDocument(among[0].Number, func(field string, _ byte, value []byte, _ []uint64) bool {
			if field == page.FieldOutline {
				one = numbered{int(v.Refs[entry].Ordinal), bytes.Clone(value)}
			}
			return true
		})
	})
	return one, err
}
