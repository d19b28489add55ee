package index

import (
	"math"
	"strings"

	"kist/index/quiet"
	"kist/index/vector"
)

// servedWeight is what nearness by a server's vectors counts beside words: they know
// the language, not the vault alone, and so have half the say.
const servedWeight = 0.5

// outlying stands for a least cosine that depends on the query. What is far for one
// model is near for another, whose cosines are all between 0.6 and 0.9, say; so what
// counts as near is what is nearer than most.
const outlying = -2

// useServed has the search use a server's vectors, if those of its generation are
// complete.
func (s *search) useServed() bool {
	x := s.index
	if x.served == nil {
		return false
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	g := x.current
	if g == nil || g.manifest != s.manifest || g.served == nil || !g.served.ready {
		return false
	}
	s.vectors = g.served
	return true
}

// servedQuery is the vector that a server makes of the query's text; nil where there
// is none in time, and then the search goes on with the built-in vectors.
func (s *search) servedQuery() []float32 {
	var words []string
	for _, c := range s.clauses {
		if c.Filter == "" && !c.Not && !c.Prefix {
			words = append(words, c.Text)
		}
	}
	builtIn, r, text := s.vectors, s.index.served, strings.Join(words, " ")
	switch {
	case text == "" || r == nil || r.private != nil && quiet.In(s.ctx):
		return nil
	case !s.useServed():
		r.wake(text)
		return nil
	}
	q, answered := r.queries.vector(s.ctx, text)
	switch {
	case answered:
		r.heard()
	case q != nil: // it was known, and so the server not asked
		r.wake(text)
	}
	if len(q) != s.vectors.set.Dim() {
		s.vectors = builtIn
		return nil
	}
	return q
}

// wake finds out whether a server is back that documents wait for.
func (r *served) wake(text string) {
	r.mu.Lock()
	failing := r.problem != ""
	r.mu.Unlock()
	if failing {
		r.queries.wake(text, r.heard)
	}
}

// heard has documents embedded at once if that had to be put off.
func (r *served) heard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem != "" {
		signal(r.again)
	}
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
