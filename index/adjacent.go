package index

import (
	"kist/index/page"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"kist/index/section"
	"kist/index/sift"
)

// A pattern is a phrase as one language has it: its terms, with their positions. What stands
// between them, such as stop words, makes gaps.
type pattern []patternTerm

type patternTerm struct {
	term string
	at   int
}

// patterns are those of a phrase; none where the index can't tell in some language whether its
// words stand together: they are fewer than two there, or not written apart.
func patterns(s *search, text string) (all []pattern) {
	if slices.ContainsFunc([]rune(text), sift.Unspaced) {
		return nil
	}
	for _, lang := range s.view.Languages {
		var p pattern
		for _, t := range s.index.langs.Of(lang.name).Analyze([]byte(text)) {
			p = append(p, patternTerm{string(t.Term), t.Position})
		}
		switch {
		case len(p) < 2:
			return nil
		case !slices.ContainsFunc(all, func(o pattern) bool { return slices.Equal(o, p) }):
			all = append(all, p)
		}
	}
	return all
}

// adjacent returns those of some entries in which one of the patterns stands together.
func (s *snapshot) adjacent(entries []uint32, patterns []pattern, fields page.Fields) (kept []uint32, err error) {
	has := make([]bool, len(entries))
	for _, p := range patterns {
		err := s.candidates(entries, func(_ uint64, seg *scorch.SegmentSnapshot, among []candidate) error {
			where := make([][][]int, len(among)) // by candidate and term
			for i := range where {
				where[i] = make([][]int, len(p))
			}
			for i, t := range p {
				if err := positionsOf(seg, t.term, fields, among, func(nth, position int) {
					where[nth][i] = append(where[nth][i], position-t.at)
				}); err != nil {
					return err
				}
			}
			for nth, c := range among {
				has[c.of] = has[c.of] || section.Meet(where[nth])
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
func positionsOf(seg *scorch.SegmentSnapshot, term string, fields page.Fields, among []candidate, fn func(nth, position int)) error {
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
		err = occurrences{list, f, term}.among(among, func(c candidate, p segment.Posting) {
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
