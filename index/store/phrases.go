package store

import (
	"kist/index/page"
	"kist/index/section"
	"slices"
	"sort"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A Pattern is a phrase as one language has it: its terms, with their positions. What stands
// between them, such as stop words, makes gaps.
type Pattern []PatternTerm

type PatternTerm struct {
	Term   string
	At     int
	Beside section.Beside // what is wanted there
	Form   section.Form
}

// Adjacent returns those of some entries in which a pattern stands together, whose terms are where
// the lists say.
func (s *Snapshot) Adjacent(entries []uint32, p Pattern, lists map[string][]Lists) (kept []uint32, err error) {
	p = slices.Clone(p)
	// What wants something beside it leaves fewer to look at.
	sort.SliceStable(p, func(i, j int) bool { return p[i].Beside > p[j].Beside })
	err = s.Candidates(entries, func(seg Segment, among []Candidate) error {
		var begins [][]int // where the pattern may begin, by candidate
		for i, t := range p {
			here := make([][]int, len(among))
			if err := s.locationsOf(seg, lists[t.Term], among, func(nth int, f page.Field, at segment.Location) {
				begin := int(at.Pos()) - t.At
				if f == page.FieldMeta {
					begin += far // from all other words
				}
				if !section.FormAt(at.Start()).Meets(t.Form) || !section.BesideAt(at.End()).Meets(t.Beside) {
					return
				}
				if i > 0 {
					if _, ok := slices.BinarySearch(begins[nth], begin); !ok {
						return
					}
				}
				here[nth] = append(here[nth], begin)
			}); err != nil {
				return err
			}
			left := among[:0]
			begins = begins[:0]
			for nth, b := range here {
				if len(b) > 0 {
					slices.Sort(b)
					left, begins = append(left, among[nth]), append(begins, b)
				}
			}
			if among = left; len(among) == 0 {
				break
			}
		}
		for _, c := range among {
			kept = append(kept, entries[c.Of])
		}
		return nil
	})
	return kept, err
}

// far is a distance of positions that no text has.
const far = 1 << 30

// locationsOf calls fn with the place of a candidate among the others and each location there
// that one of the lists has.
func (s *Snapshot) locationsOf(seg Segment, lists []Lists, among []Candidate, fn func(nth int, f page.Field, at segment.Location)) error {
	for _, h := range lists {
		if h.First != seg.First {
			continue
		}
		for _, l := range h.Lists {
			nth := 0
			err := l.Among(s.Room, among, true, func(c Candidate, p Posting) {
				for among[nth] != c {
					nth++
				}
				for _, at := range p.Locations() {
					fn(nth, l.Field, at)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
