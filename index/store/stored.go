package store

import (
	"bytes"
	"kist/index/page"
)

// Outlines are what is stored of the sections of a file's entries, in order; none where some of
// them aren't the store's. entry may be one of them, which spares looking for it.
func (s *Snapshot) Outlines(v View, file int32, entry uint32) (all [][]byte, err error) {
	if s.hidden(file) {
		return nil, nil
	}
	one, err := s.outline(v, file, entry)
	if err != nil || one.whole() {
		return [][]byte{one.text}, err
	}
	for {
		id, err := s.InternalID(page.EntryID(v.Paths[file], len(all)))
		if err != nil || id == nil {
			return all, err
		}
		one, err := s.outline(v, file, uint32(id.Value()))
		if err != nil || one.text == nil {
			return nil, err
		}
		all = append(all, one.text)
	}
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
