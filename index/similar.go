package index

import (
	"context"
	"fmt"
	"kist/index/page"
	"slices"

	"kist/index/alike"
	"kist/index/vector"
	"kist/vault"
)

const (
	// similarTerms is how many of a document's words stand for it where there are no
	// vectors, similarRead how many documents that have some of them are compared.
	similarTerms = 20
	similarRead  = 50

	// What is farther away than these cosines isn't like a document. Measured on 173
	// help pages of Obsidian, where each page has 107 others that are at all on its side:
	// the nearest has 0.67, the fifth 0.44, the tenth 0.33 (medians). By words these are
	// 0.37, 0.22 and 0.17, and of three or six pages at random the nearest has 0.09.
	minSimilar      = 0.3
	minSimilarWords = 0.12
)

// Similar returns the documents most like the one at path, which isn't among them;
// Score is the cosine of their vectors, from 0 to 1. Where there are no vectors it is
// the cosine of their words, weighted by how telling they are (tf-idf). What is farther
// away than a floor isn't shown, so that in a small vault there may be none. limit 0
// means 10. It returns an error that wraps vault.ErrNotFound for a path that isn't
// indexed, ErrClosed, or ctx's.
func (x *Index) Similar(ctx context.Context, path string, limit int) (*Results, error) {
	return x.answer(ctx, Query{Limit: limit}, nil, func(s *search) (*Results, error) {
		x.mu.RLock()
		known := false
		if x.current != nil {
			_, known = x.current.manifest.Files[path]
		}
		x.mu.RUnlock()
		if !known {
			return nil, fmt.Errorf("%w: %s is not in the index", vault.ErrNotFound, path)
		}
		return s.similar(path)
	})
}

func (s *search) similar(path string) (*Results, error) {
	found, err := s.alike(path)
	if err != nil {
		return nil, err
	}
	s.matcher.Terms = nil // an excerpt is to say what a document is about
	return s.show(&Results{Total: len(found)}, found)
}

// alike finds the files like one, in no order.
func (s *search) alike(path string) ([]ranked, error) {
	other := func(file int32) bool { return s.view.Paths[file] != path }
	builtIn := s.vectors
	if s.useServed() {
		if q := s.documentVector(path); q != nil {
			return s.nearest(q, max(fused, s.limit+50), outlying, other), nil
		}
		s.vectors = builtIn // the server hasn't got to it yet
	}
	if q := s.documentVector(path); q != nil {
		return s.nearest(q, max(fused, s.limit+50), minSimilar, other), nil
	}
	terms, err := s.termsOf(path)
	if err != nil {
		return nil, err
	}
	if _, err := s.scoreAll(telling(terms)); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(s.ranking(), func(r ranked) bool { return !other(r.file) })
	found = top(found, similarRead, s.view.Paths)
	return s.compareWords(terms, found)
}

// compareWords gives files found the cosines of their words, and leaves out those
// that have too little in common.
func (s *search) compareWords(with alike.Vector, found []ranked) (alike []ranked, err error) {
	for _, r := range found {
		terms, err := s.termsOf(s.view.Paths[r.file])
		if err != nil {
			continue // it is gone
		}
		if r.score = float32(with.Cosine(terms)); r.score >= minSimilarWords {
			alike = append(alike, r)
		}
	}
	return alike, s.ctx.Err()
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
	return vector.Unit(sum)
}

// termsOf reads a document's terms; what is frequent in it and rare elsewhere weighs
// most.
func (s *search) termsOf(path string) (alike.Vector, error) {
	release, err := s.index.files.HoldPath(s.ctx, path)
	if err != nil {
		return alike.Vector{}, err
	}
	defer release()
	f, err := s.index.files.Reader().Read(path)
	if err != nil {
		return alike.Vector{}, err
	}
	counts := s.index.countTerms(f)
	if s.idfs == nil {
		s.idfs = map[string]float64{}
	}
	for term := range counts {
		if _, ok := s.idfs[term]; ok {
			continue
		}
		c, err := s.count([]string{term}, 0, nil)
		if err != nil {
			return alike.Vector{}, err
		}
		s.idfs[term] = c.idf
	}
	return alike.New(counts, func(term string) float64 { return s.idfs[term] }), nil
}

// countTerms counts the terms of a file, as far as they say what it is about.
func (x *Index) countTerms(f *page.File) map[string]int {
	counts := map[string]int{}
	for i, d := range f.LayOut(x.files.Langs.Of(f.Lang)) {
		d.Analyse()
		d.AddTerms(counts, i == 0)
	}
	return counts
}

// telling are the terms that say most about a document, to look for.
func telling(v alike.Vector) (groups []*group) {
	for _, t := range v.Terms[:min(similarTerms, len(v.Terms))] {
		groups = append(groups, &group{ways: []way{{terms: [][]string{{t}}, words: []string{t}}}})
	}
	return groups
}
