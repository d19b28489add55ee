package rank

import (
	"cmp"
	"context"
	"kist/index/page"
	"math"
	"slices"
	"sort"

	"kist/index/query"
	"kist/index/vector"
)

// The constants of the fusion, as found best on nine public collections. Learned from
// nothing but the vault, vectors are weak beside words, so they count less; fusing
// ranks instead of scores would give them half the say.
const (
	vectorWeight   = 0.3
	feedbackWeight = 0.5
	feedbackFiles  = 3
	weighedFiles   = 10  // whose length tells how much vectors count
	fused          = 200 // of each list; the rest counts as the last of it

	// minCosine: what is farther away isn't about the same thing. Adding it anyhow
	// helps nobody, by the same measure, and pads every answer.
	minCosine = 0.2

	// enoughFiles: below, vectors learned from the vault alone say too little for
	// showing documents without any of the words; they only help to order.
	enoughFiles = 200
)

// near ranks the documents found by their words anew, and adds ones that are near in
// meaning. found satisfies accept; with phrases nothing is added, since what has
// them was found already.
func (s *Search) near(ctx context.Context, found []ranked, groups []group, phrases bool, accept func(int32) bool) ([]ranked, error) {
	s.trace.byWords(found, groups)
	if s.mode == query.Text || len(groups) == 0 {
		return found, nil
	}
	text := top(found, fused, s.View.Paths)
	enough, least, weight := 0, float32(outlying), float32(servedWeight)
	q := s.servedQuery(ctx)
	if q != nil && s.mode != query.Vector {
		q = s.drawn(vector.Unit(slices.Clone(q)), text)
	}
	if q == nil && s.Vectors != nil {
		enough, least, weight = s.Desk.Enough, minCosine, vectorWeight
		q = s.queryVector(groups, text)
		weight *= certainty(s, text)
	}
	if q == nil {
		return found, nil
	}
	if phrases || len(s.View.Paths) < enough {
		has := make(map[int32]bool, len(found))
		for _, r := range found {
			has[r.file] = true
		}
		accept = func(file int32) bool { return has[file] }
	}
	near := s.nearest(q, fused, least, accept)
	s.trace.byVector(q, text, near, weight, s.floor, s.mode != query.Vector)
	if s.mode == query.Vector {
		return near, nil
	}
	return fuse(found, text, near, weight), nil
}

// certainty is how far the built-in vectors can be trusted where documents are long: 1 where the
// best by words have a vector each, 1 / (1 + ln n) where they have n on average. Of n passages one is
// near by chance the sooner, the more there are, while words tell of long documents as well as of
// short ones. Of what vectors say of themselves (spread of the cosines, share of the words known) and
// of how much of the query the best document has, nothing was better than this in collections and in
// sentences taken out of long documents.
func certainty(s *Search, text []ranked) float32 {
	text = text[:min(weighedFiles, len(text))]
	passages := 0
	for _, r := range text {
		passages += max(1, s.Vectors.Set.Count(s.View.Paths[r.file]))
	}
	return float32(1 / (1 + math.Log(max(1, float64(passages)/float64(max(1, len(text)))))))
}

// queryVector is the vector of a query's words, drawn towards the documents that have
// them; nil where the model knows none of them.
func (s *Search) queryVector(groups []group, text []ranked) []float32 {
	counts := map[string]int{}
	for _, g := range groups {
		if g.prefix != "" {
			continue // stands for words of many meanings
		}
		for _, w := range g.ways {
			for _, alternatives := range w.terms {
				for _, t := range alternatives {
					counts[t]++
				}
			}
		}
	}
	q := s.Vectors.Model.Text(counts)
	if q == nil || s.mode == query.Vector {
		return q
	}
	return s.drawn(q, text)
}

// drawn is a query's vector, which it changes, drawn towards the documents that have the
// query's words: what they say is what is meant, also to a model that knows the language.
func (s *Search) drawn(q []float32, text []ranked) []float32 {
	text = text[:min(feedbackFiles, len(text))]
	for _, r := range text {
		if v := s.vectorOf(r); len(v) == len(q) {
			for i, x := range v {
				q[i] += feedbackWeight * x / float32(len(text))
			}
		}
	}
	return vector.Unit(q)
}

// vectorOf is the vector of a file's best entry; nil when it has none.
func (s *Search) vectorOf(r ranked) []float32 {
	passages, _ := s.Vectors.Set.Passages(s.View.Paths[r.file])
	for _, p := range slices.Backward(passages) {
		if page.Place(p.Ordinal) <= r.at {
			return p.Vector
		}
	}
	return nil
}

// nearest returns the n files nearest to q that are accepted and not farther than a
// cosine or, for outlying, than most, best first.
func (s *Search) nearest(q []float32, n int, least float32, accept func(int32) bool) []ranked {
	pooled, _ := s.Desk.matches.Get().(*[]vector.Match)
	if pooled == nil {
		pooled = new([]vector.Match)
	}
	defer s.Desk.matches.Put(pooled)
	*pooled = s.Vectors.Set.Scan(q, (*pooled)[:0])
	if least == outlying {
		least = spread(*pooled)
	}
	s.floor = least
	var best []vector.Match
	byScore := func(i, j int) bool {
		a, b := best[i], best[j]
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(s.View.Paths[a.Number], s.View.Paths[b.Number])) < 0
	}
	// accept may have to read a file, so only what is near enough is asked for.
	for _, m := range *pooled {
		if m.Score < least || int(m.Number) >= len(s.View.Paths) || !accept(m.Number) {
			continue
		}
		if best = append(best, m); len(best) >= 2*n {
			sort.Slice(best, byScore)
			best = best[:n]
			least = best[n-1].Score
		}
	}
	sort.Slice(best, byScore)
	var out []ranked
	for _, m := range best[:min(n, len(best))] {
		out = append(out, ranked{file: m.Number, at: page.Place(m.Ordinal), score: m.Score})
	}
	return out
}
