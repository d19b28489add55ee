package store

import (
	"kist/index/page"
	"kist/index/section"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A Pattern is a phrase as one language has it: its terms, with their positions. What stands
// between them, such as stop words, makes gaps.
type Pattern []PatternTerm

type PatternTerm struct {
	Term string
	At   int
}

// Adjacent returns those of some entries in which one of the patterns stands together.
func (s *Snapshot) Adjacent(entries []uint32, patterns []Pattern, fields page.Fields) (kept []uint32, err error) {
	has := make([]bool, len(entries))
	for _, p := range patterns {
		err := s.Candidates(entries, func(seg Segment, among []Candidate) error {
			where := make([][][]int, len(among)) // by candidate and term
			for i := range where {
				where[i] = make([][]int, len(p))
			}
			for i, t := range p {
				if err := s.locationsOf(seg, t.Term, fields, among, func(nth int, f page.Field, at segment.Location) {
					position := int(at.Pos()) - t.At
					if f == page.FieldMeta {
						position += far // from all other words
					}
					where[nth][i] = append(where[nth][i], position)
				}); err != nil {
					return err
				}
			}
			for nth, c := range among {
				has[c.Of] = has[c.Of] || section.Meet(where[nth])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i, e := range entries {
		if has[i] {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// far is a distance of positions that no text has.
const far = 1 << 30

// Beside returns those of some entries in which a term may have beside it what is wanted. Of
// other fields than the body nothing is known.
func (s *Snapshot) Beside(entries []uint32, a Alone, fields page.Fields) (kept []uint32, err error) {
	err = s.Candidates(entries, func(seg Segment, among []Candidate) error {
		may := make([]bool, len(among))
		err := s.locationsOf(seg, a.Term, fields, among, func(nth int, f page.Field, at segment.Location) {
			may[nth] = may[nth] || f != page.FieldBody || section.Beside(at.End()).Meets(a.Beside)
		})
		for nth, ok := range may {
			if ok {
				kept = append(kept, entries[among[nth].Of])
			}
		}
		return err
	})
	return kept, err
}

// locationsOf calls fn with the place of a candidate among the others and each location there
// of a term.
func (s *Snapshot) locationsOf(seg Segment, term string, fields page.Fields, among []Candidate, fn func(nth int, f page.Field, at segment.Location)) error {
	for f := range page.NumFields {
		if !fields.Has(f) {
			continue
		}
		dict, err := s.dictionary(seg.nth, seg.SegmentSnapshot, f)
		if err != nil {
			return err
		}
		list, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
		if err != nil {
			return err
		}
		if list.Count() == 0 {
			continue
		}
		nth := 0
		err = Occurrences{list, f, term}.Among(s.Room, among, func(c Candidate, p Posting) {
			for among[nth] != c {
				nth++
			}
			for _, l := range p.Locations() {
				fn(nth, f, l)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
