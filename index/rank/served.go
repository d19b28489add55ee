package rank

import (
	"context"
	"math"
	"strings"

	"kist/index/vector"
)

// servedWeight is what nearness by a server's vectors counts beside words: they know
// the language, not the vault alone, and so have half the say.
const servedWeight = 0.5

// outlying stands for a least cosine that depends on the query. What is far for one
// model is near for another, whose cosines are all between 0.6 and 0.9, say; so what
// counts as near is what is nearer than most.
const outlying = -2

// useServed has the search use a server's vectors, if there are all.
func (s *Search) useServed() bool {
	if s.Served != nil {
		s.Vectors = s.Served
	}
	return s.Served != nil
}

// servedQuery is the vector that a server makes of the query's text; nil where there
// is none in time, and then the search goes on with the built-in vectors.
func (s *Search) servedQuery(ctx context.Context) []float32 {
	var words []string
	for _, c := range s.clauses {
		if c.Filter == "" && !c.Not && !c.Prefix {
			words = append(words, c.Text)
		}
	}
	builtIn, text := s.Vectors, strings.Join(words, " ")
	if text == "" || s.Server == nil {
		return nil
	}
	q := s.Server.Query(ctx, text, s.useServed())
	if s.Served == nil || len(q) != s.Vectors.Set.Dim() {
		s.Vectors = builtIn
		return nil
	}
	return q
}

// spread is the cosine from which a document is nearer than most: the mean and two
// standard deviations, or one among few, of which none can be far off.
func spread(all []vector.Match) float32 {
	var sum, squares float64
	for _, m := range all {
		sum += float64(m.Score)
		squares += float64(m.Score) * float64(m.Score)
	}
	n := float64(len(all))
	if n == 0 {
		return 0
	}
	mean, width := sum/n, 2.0
	if n < 50 {
		width = 1
	}
	return float32(mean + width*math.Sqrt(max(0, squares/n-mean*mean)) - 1e-6)
}
