package rank

import (
	"context"
	"kist/index/page"
	"kist/index/parallel"
	"kist/index/store"
	"runtime"
)

const (
	// manyPostings are worth more than one processor: about a millisecond.
	manyPostings = 1 << 15
	// stretchLength is how many entries of a segment one processor takes at a time.
	stretchLength = 1 << 15
)

// gather adds up in s.tf the weighted and length-normalised frequencies of the entries that
// have one of a term's alternatives, of which there are lists with so many postings, and
// returns those entries, which count until it is called again.
func (s *scorer) gather(listed []store.Lists, total uint64) (found []uint32, err error) {
	if total < manyPostings || runtime.GOMAXPROCS(0) == 1 {
		found = s.found[:0]
		for _, h := range listed {
			if found, err = s.gatherFrom(h, s.Snapshot.Room, 0, h.Size, found); err != nil {
				return nil, err
			}
		}
		s.found = found
		return found, nil
	}
	type stretch struct {
		store.Lists
		from  uint64
		found []uint32
		err   error
	}
	var all []*stretch
	for _, h := range listed {
		for from := uint64(0); from < h.Size; from += stretchLength {
			all = append(all, &stretch{Lists: h, from: from})
		}
	}
	parallel.Do(context.Background(), len(all), func(i int) {
		t := all[i]
		defer store.GuardSearch(&t.err)()
		room := make([]uint32, 0, total/uint64(len(all)))
		t.found, t.err = s.gatherFrom(t.Lists, &store.Room{}, t.from, min(t.Size, t.from+stretchLength), room)
	})
	found = make([]uint32, 0, total)
	for _, t := range all {
		if t.err != nil {
			return nil, t.err
		}
		found = append(found, t.found...)
	}
	return found, nil
}

// gatherFrom is gather for some entries of one segment, which nobody else looks at
// meanwhile. It appends to found.
func (s *scorer) gatherFrom(h store.Lists, room *store.Room, from, to uint64, found []uint32) ([]uint32, error) {
	err := h.Each(room, from, to, func(e uint32, f page.Field, n, length float64) {
		if !s.Snapshot.Counts(e) {
			return
		}
		if s.tf[e] == 0 {
			found = append(found, e)
		}
		s.tf[e] += float32(s.frequency(f, n, length))
	})
	return found, err
}
