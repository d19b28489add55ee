package rank

import (
	"context"
	"kist/index/page"
	"slices"

	"kist/index/alike"
	"kist/index/vector"

	"kist/index/intake"
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
	MinSimilar      = 0.3
	MinSimilarWords = 0.12
)

// Similar finds the documents most like one that is indexed.
func (s *Search) Similar(ctx context.Context, path string) (*Results, error) {
	found, err := s.alike(ctx, path)
	if err != nil {
		return nil, err
	}
	s.leftOut = leftOut(s)
	if err := putLast(s, found); err != nil {
		return nil, err
	}
	s.matcher.Terms, s.matcher.Words = nil, nil // an excerpt is to say what a document is about
	return s.show(ctx, &Results{Total: len(found)}, found)
}

// alike finds the files like one, in no order.
func (s *Search) alike(ctx context.Context, path string) ([]ranked, error) {
	other := func(file int32) bool { return s.View.Paths[file] != path }
	builtIn := s.Vectors
	if s.useServed() {
		if q := s.DocumentVector(path); q != nil {
			return s.nearest(q, max(fused, s.Limit+50), outlying, other), nil
		}
		s.Vectors = builtIn // the server hasn't got to it yet
	}
	if q := s.DocumentVector(path); q != nil {
		return s.nearest(q, max(fused, s.Limit+50), MinSimilar, other), nil
	}
	terms, err := s.termsOf(ctx, path)
	if err != nil {
		return nil, err
	}
	if _, err := s.scoreAll(ctx, telling(terms)); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(s.ranking(), func(r ranked) bool { return !other(r.file) })
	found = top(found, similarRead, s.View.Paths)
	return s.compareWords(ctx, terms, found)
}

// compareWords gives files found the cosines of their words, and leaves out those
// that have too little in common.
func (s *Search) compareWords(ctx context.Context, with alike.Vector, found []ranked) (alike []ranked, err error) {
	for _, r := range found {
		terms, err := s.termsOf(ctx, s.View.Paths[r.file])
		if err != nil {
			continue // it is gone
		}
		if r.score = float32(with.Cosine(terms)); r.score >= MinSimilarWords {
			alike = append(alike, r)
		}
	}
	return alike, ctx.Err()
}

// DocumentVector is the mean of the vectors of a document's passages; nil when it
// has none.
func (s *Search) DocumentVector(path string) []float32 {
	if s.Vectors == nil {
		return nil
	}
	var sum []float32
	passages, _ := s.Vectors.Set.Passages(path)
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
func (s *Search) termsOf(ctx context.Context, path string) (alike.Vector, error) {
	release, err := s.Desk.Files.HoldPath(ctx, path)
	if err != nil {
		return alike.Vector{}, err
	}
	defer release()
	f, err := s.Desk.Files.Reader().Read(path)
	if err != nil {
		return alike.Vector{}, err
	}
	counts := CountTerms(s.Desk.Files, f)
	if s.idfs == nil {
		s.idfs = map[string]float64{}
	}
	for term := range counts {
		if _, ok := s.idfs[term]; ok {
			continue
		}
		if s.idfs[term], err = s.idfOf(term); err != nil {
			return alike.Vector{}, err
		}
	}
	return alike.New(counts, func(term string) float64 { return s.idfs[term] }), nil
}

// CountTerms counts the terms of a file, as far as they say what it is about.
func CountTerms(files *intake.Files, f *page.File) map[string]int {
	counts := map[string]int{}
	for i, d := range f.LayOut(files.Langs.Of(f.Lang)) {
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
