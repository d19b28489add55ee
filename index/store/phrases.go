package store

import (
	"kist/index/page"
	"kist/index/section"

	"github.com/blevesearch/bleve/v2/index/scorch"
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
				if err := positionsOf(seg.SegmentSnapshot, t.Term, fields, among, func(nth, position int) {
					where[nth][i] = append(where[nth][i], position-t.At)
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

// positionsOf calls fn with the place of a candidate among the others and each position there
// of a term. Those in the front matter are far from all others.
func positionsOf(seg *scorch.SegmentSnapshot, term string, fields page.Fields, among []Candidate, fn func(nth, position int)) error {
	const far = 1 << 30
	for f := range page.NumFields {
		if !fields.Has(f) {
			continue
		}
		dict, err := seg.Segment().Dictionary(f.Name())
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
		err = Occurrences{list, f, term}.Among(among, func(c Candidate, p Posting) {
			for among[nth] != c {
				nth++
			}
			for _, l := range p.Locations() {
				at := int(l.Pos())
				if f == page.FieldMeta {
					at += far
				}
				fn(nth, at)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
