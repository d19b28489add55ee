package index

import (
	"context"
	"fmt"
	"kist/index/page"
	"math"
	"runtime"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

const (
	// manyPostings are worth more than one processor: about a millisecond.
	manyPostings = 1 << 14
	// stretchLength is how many entries of a segment one processor takes at a time.
	stretchLength = 1 << 15
)

// segmentLists are the postings lists of one word's alternatives in a segment. They are
// read past bleve's own reader, which makes an id of every posting, and a square root
// of its length.
type segmentLists struct {
	first, size uint64 // numbers of its entries
	lists       []occurrences
}

type occurrences struct {
	segment.PostingsList
	field page.Field
	term  string
}

// lists returns where alternatives are, and how many postings there are.
func (s *scorer) lists(alternatives []string, fields page.Fields) (all []segmentLists, total uint64, err error) {
	first := uint64(0)
	for _, seg := range s.snapshot.segments() {
		h := segmentLists{first: first, size: seg.Segment().Count()}
		first += h.size
		for _, term := range alternatives {
			for f := range page.NumFields {
				if !fields.Has(f) {
					continue
				}
				dict, err := seg.Segment().Dictionary(f.Name())
				if err != nil {
					return nil, 0, err
				}
				postings, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
				if err != nil {
					return nil, 0, err
				}
				if n := postings.Count(); n > 0 {
					h.lists = append(h.lists, occurrences{postings, f, term})
					total += n
				}
			}
		}
		if len(h.lists) > 0 {
			all = append(all, h)
		}
	}
	return all, total, nil
}

// gather adds up in s.tf the weighted and length-normalised frequencies of the entries that
// have one of a term's alternatives, of which there are lists with so many postings, and
// returns those entries.
func (s *scorer) gather(listed []segmentLists, total uint64) (found []uint32, err error) {
	if total < manyPostings || runtime.GOMAXPROCS(0) == 1 {
		for _, h := range listed {
			if found, err = s.gatherFrom(h, 0, h.size, found); err != nil {
				return nil, err
			}
		}
		return found, nil
	}
	type stretch struct {
		segmentLists
		from  uint64
		found []uint32
		err   error
	}
	var all []*stretch
	for _, h := range listed {
		for from := uint64(0); from < h.size; from += stretchLength {
			all = append(all, &stretch{segmentLists: h, from: from})
		}
	}
	parallel(context.Background(), len(all), func(i int) {
		t := all[i]
		defer guardSearch(&t.err)()
		room := make([]uint32, 0, total/uint64(len(all)))
		t.found, t.err = s.gatherFrom(t.segmentLists, t.from, min(t.size, t.from+stretchLength), room)
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

// wordsOf is the length of the field that a posting is of. bleve's norm is its inverse square
// root.
func wordsOf(p segment.Posting) float64 {
	if p, ok := p.(*zap.Posting); ok {
		return float64(p.NormUint64())
	}
	return math.Round(1 / (p.Norm() * p.Norm()))
}

// gatherFrom is gather for some entries of one segment, which nobody else looks at
// meanwhile. It appends to found.
func (s *scorer) gatherFrom(h segmentLists, from, to uint64, found []uint32) ([]uint32, error) {
	for _, l := range h.lists {
		it := l.Iterator(true, true, false, nil)
		next, err := it.Advance(from)
		for ; next != nil && err == nil; next, err = it.Next() {
			p, ok := next.(*zap.Posting)
			if !ok {
				return nil, fmt.Errorf("%w: a posting is a %T", ErrDamaged, next)
			}
			if p.Number() >= to {
				break
			}
			e := uint32(h.first + p.Number())
			if s.snapshot.over != nil && uint64(e) < s.snapshot.first && !s.snapshot.counts(s.view.refs[e]) {
				continue
			}
			if s.tf[e] == 0 {
				found = append(found, e)
			}
			s.tf[e] += float32(s.frequency(l.field, float64(p.Frequency()), float64(p.NormUint64())))
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
