package store

import (
	"cmp"
	"kist/index/page"
	"math"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// A Candidate is an entry of which more than its score is asked for.
type Candidate struct {
	Number uint64 // in its segment
	Of     int    // place in what it was made of
}

// Candidates sorts entries, which are bleve's numbers, by segments, and by numbers in these.
// Segments are named by the number of their first entry.
func (s *Snapshot) Candidates(entries []uint32, each func(seg Segment, among []Candidate) error) error {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(entries[a], entries[b]) })
	first := uint64(0)
	for nth, seg := range s.segments() {
		end := first + seg.Segment().Count()
		var here []Candidate
		for len(order) > 0 && uint64(entries[order[0]]) < end {
			here = append(here, Candidate{uint64(entries[order[0]]) - first, order[0]})
			order = order[1:]
		}
		if len(here) > 0 {
			if err := each(Segment{seg, first, nth}, here); err != nil {
				return err
			}
		}
		first = end
	}
	return nil
}

// Among calls fn with those of a segment's candidates that are in the list, with their
// locations if these are wanted. What fn gets is used again.
func (l Occurrences) Among(room *Room, all []Candidate, locations bool, fn func(Candidate, Posting)) error {
	room.numbers = l.Iterator(false, false, false, room.numbers)
	has := func(uint64) bool { return true }
	if set, ok := room.numbers.(segment.OptimizablePostingsIterator); ok {
		if only, ok := set.DocNum1Hit(); ok {
			has = func(n uint64) bool { return n == only }
		} else if numbers := set.ActualBitmap(); numbers != nil {
			has = func(n uint64) bool { return numbers.Contains(uint32(n)) }
		}
	}
	read := false // what is between isn't decoded but where there is one of them
	for _, c := range all {
		if !has(c.Number) {
			continue
		}
		if !read {
			read, room.all = true, l.Iterator(true, true, locations, room.all)
		}
		p, err := room.all.Advance(c.Number)
		if err != nil || p == nil {
			return err
		}
		if p.Number() == c.Number {
			fn(c, Posting{p})
		}
	}
	return nil
}

// numbers calls fn with the entries of the segment that are in the list, of which nothing is
// decoded.
func (l Occurrences) numbers(room *Room, fn func(number uint64)) error {
	room.numbers = l.Iterator(false, false, false, room.numbers)
	if set, ok := room.numbers.(segment.OptimizablePostingsIterator); ok {
		if bitmap := set.ActualBitmap(); bitmap != nil {
			var some [256]uint32
			for all := bitmap.ManyIterator(); ; {
				n := all.NextMany(some[:])
				for _, number := range some[:n] {
					fn(uint64(number))
				}
				if n < len(some) {
					return nil
				}
			}
		}
	}
	for {
		p, err := room.numbers.Next()
		if err != nil || p == nil {
			return err
		}
		fn(p.Number())
	}
}

// Lists are the postings lists of one word's alternatives in a segment. They are
// read past bleve's own reader, which makes an id of every posting, and a square root
// of its length.
type Lists struct {
	First, Size uint64 // numbers of its entries
	Lists       []Occurrences
}

type Occurrences struct {
	segment.PostingsList
	Field page.Field
	Term  string
}

// A Posting is an entry that has a term in a field.
type Posting struct{ segment.Posting }

// Length is that of the field in words.
func (p Posting) Length() float64 { return wordsOf(p.Posting) }

// wordsOf is the length of the field that a posting is of. bleve's norm is its inverse square
// root.
func wordsOf(p segment.Posting) float64 {
	if p, ok := p.(*zap.Posting); ok {
		return float64(p.NormUint64())
	}
	return math.Round(1 / (p.Norm() * p.Norm()))
}

// Lists returns where alternatives are, and how many postings there are. Of a snapshot one
// goroutine at a time may ask for them.
func (s *Snapshot) Lists(alternatives []string, fields page.Fields) (all []Lists, total uint64, err error) {
	first := uint64(0)
	for nth, seg := range s.segments() {
		h := Lists{First: first, Size: seg.Segment().Count()}
		first += h.Size
		for _, term := range alternatives {
			for f := range page.NumFields {
				if !fields.Has(f) {
					continue
				}
				dict, err := s.dictionary(nth, seg, f.Name())
				if err != nil {
					return nil, 0, err
				}
				postings, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
				if err != nil {
					return nil, 0, err
				}
				if n := postings.Count(); n > 0 {
					h.Lists = append(h.Lists, Occurrences{postings, f, term})
					total += n
				}
			}
		}
		if len(h.Lists) > 0 {
			all = append(all, h)
		}
	}
	return all, total, nil
}

// Entries calls fn with bleve's numbers of the entries that have one of the words in one of the
// fields, some of them more than once.
func (h Lists) Entries(room *Room, fn func(entry uint32)) error {
	for _, l := range h.Lists {
		if err := l.numbers(room, func(n uint64) { fn(uint32(h.First + n)) }); err != nil {
			return err
		}
	}
	return nil
}

// Each calls fn with the entries from one number of the segment to another that have one of the
// words in one of the fields: bleve's number of it, how often, and how long the field is.
func (h Lists) Each(room *Room, from, to uint64, fn func(entry uint32, f page.Field, n, length float64)) error {
	for _, l := range h.Lists {
		room.all = l.Iterator(true, true, false, room.all)
		p, err := room.all.Advance(from)
		for ; p != nil && err == nil && p.Number() < to; p, err = room.all.Next() {
			fn(uint32(h.First+p.Number()), l.Field, float64(p.Frequency()), wordsOf(p))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
