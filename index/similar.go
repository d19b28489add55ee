package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kist/vault"
)

// similarTerms is how many of a document's words stand for it where there are no
// vectors.
const similarTerms = 20

// Similar returns the documents most like the one at path, which isn't among them;
// Score is the cosine of their vectors, from 0 to 1. Where there are no vectors it goes
// by the words that tell most about the document, and scores are those of a search.
// limit 0 means 10. It returns an error that wraps vault.ErrNotFound for a path that
// isn't indexed, ErrClosed, or ctx's.
func (x *Index) Similar(ctx context.Context, path string, limit int) (*Results, error) {
	return x.answer(ctx, Query{Limit: limit}, nil, func(s *search) (*Results, error) {
		x.mu.RLock()
		known := false
		if x.current != nil {
			_, known = x.current.manifest.files[path]
		}
		x.mu.RUnlock()
		if !known {
			return nil, fmt.Errorf("%w: %s is not in the index", vault.ErrNotFound, path)
		}
		return s.similar(path)
	})
}

func (s *search) similar(path string) (*Results, error) {
	other := func(file int32) bool { return s.view.paths[file] != path }
	var found []ranked
	builtIn := s.vectors
	q := []float32(nil)
	if s.useServed() {
		q = s.documentVector(path)
	}
	if q == nil {
		s.vectors = builtIn // the server hasn't got to it yet
		q = s.documentVector(path)
	}
	if q != nil {
		found = s.nearest(q, max(fused, s.limit+50), 0, other)
	} else {
		groups, err := s.tellingTerms(path)
		if err != nil {
			return nil, err
		}
		if err := s.scoreAll(groups); err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(s.ranking(), func(r ranked) bool { return !other(r.file) })
		s.matcher.terms = nil // an excerpt is to say what a document is about
	}
	return s.show(&Results{Total: len(found)}, found)
}

// documentVector is the mean of the vectors of a document's passages; nil when it
// has none.
func (s *search) documentVector(path string) []float32 {
	if s.vectors == nil {
		return nil
	}
	var sum []float32
	passages, _ := s.vectors.set.Passages(path)
	for _, p := range passages {
		if sum == nil {
			sum = make([]float32, len(p.Vector))
		}
		for i, x := range p.Vector {
			sum[i] += x
		}
	}
	return unit(sum)
}

// tellingTerms are the words of a document's file that are frequent in it and rare
// elsewhere.
func (s *search) tellingTerms(path string) ([]group, error) {
	f, err := s.index.readFile(path)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for i, d := range f.entries(s.index.langs.of(f.lang)) {
		for _, field := range d.Fields {
			field.Analyze()
		}
		addTerms(counts, d, i == 0)
	}
	type telling struct {
		term   string
		weight float64
	}
	var all []telling
	for term, n := range counts {
		found, idf, err := s.lookup([]string{term}, 0)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			s.tf[e] = 0
		}
		all = append(all, telling{term, float64(n) * idf})
	}
	slices.SortFunc(all, func(a, b telling) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
	})
	var groups []group
	for _, t := range all[:min(similarTerms, len(all))] {
		groups = append(groups, group{ways: []way{{terms: [][]string{{t.term}}, words: []string{t.term}}}})
	}
	return groups, nil
}
