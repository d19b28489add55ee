package index

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

// maxVerified is how many documents are read to check phrases, best first.
const maxVerified = 5000

// Results of one query.
type Results struct {
	Hits    []Hit // best first
	Total   int   // documents that match
	Partial bool  // a phrase had too many candidates to check them all
	// Corrected says what was looked for instead of words that are nowhere, as
	// the index knows it: without endings.
	Corrected map[string]string
	Freshness Freshness
}

// A Hit is the best section of one document.
type Hit struct {
	Path       string
	Line       int    // 1-based, where the excerpt starts in the live file
	Heading    string // heading path, "Plan > Costs"
	Excerpt    string // from the live file: one to three lines of plain text
	Highlights []Span // what matched in the excerpt, in order
	Score      float64
	Project    string
	Title      string
	Type       string
	Tags       []string
}

// A Span is a half-open byte range of an excerpt.
type Span struct{ Start, End int }

// Search answers a query from all that was saved before the call, as far as that can
// be had within a tenth of a second: Results.Freshness tells. It returns an error that
// wraps ErrQuery for a query that can't be carried out, ErrClosed, or ctx's.
// Where no document has any of the words, ones that differ by one letter are
// tried; Results.Corrected says so.
func (x *Index) Search(ctx context.Context, q Query) (res *Results, err error) {
	clauses, err := q.clauses()
	if err != nil {
		return nil, err
	}
	degraded := x.catchUp(ctx)
	// A damaged index file shows as a panic or, being mapped, as a memory fault.
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			err = fmt.Errorf("search: %w: %v; rebuild it", ErrDamaged, p)
		}
	}()
	s, err := x.newSearch(ctx, q, clauses)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if res, err = s.run(); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	res.Freshness.Degraded = degraded
	s.reset()
	x.scratch.Put(s.scratch)
	return res, nil
}

// A search is the work on one query.
type search struct {
	*scorer
	ctx     context.Context // of this call
	index   *Index
	times   func(path string) int64
	limit   int
	all     bool // the query's text is empty
	clauses []clause
	matcher matcher
}

func (x *Index) newSearch(ctx context.Context, q Query, clauses []clause) (*search, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil, ErrClosed
	}
	r, err := x.current.store.reader()
	if err != nil {
		return nil, err
	}
	v, err := x.current.store.tables.view(r)
	if err != nil {
		r.Close()
		return nil, err
	}
	old, _ := x.scratch.Get().(*scratch)
	s := &search{
		scorer: newScorer(r, v, x.current.manifest, old), ctx: ctx, index: x, clauses: clauses,
		limit: q.Limit, all: strings.TrimSpace(q.Text) == "",
		matcher: matcher{analyzer: x.analyzer, terms: map[string]float64{}},
	}
	m := x.current.manifest
	s.times = func(path string) int64 { // newest first needs them all at once
		return m.files[path].mtime
	}
	if s.limit <= 0 {
		s.limit = 10
	}
	s.limit = min(s.limit, maxLimit)
	return s, nil
}

func (s *search) close() { s.snapshot.Close() }

func (s *search) run() (*Results, error) {
	accept, err := s.filter()
	if err != nil {
		return nil, err
	}
	groups, phrases, err := s.positives()
	if err != nil {
		return nil, err
	}
	res := &Results{}
	var found []ranked
	switch {
	case len(groups) > 0:
		found, res.Corrected, err = s.rank(groups)
	case s.listing(phrases):
		found, err = s.everything()
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(r ranked) bool { return !accept(r.file) })
	if len(phrases) > 0 {
		if found, res.Partial, err = s.verify(found, phrases); err != nil {
			return nil, err
		}
	}
	res.Total = len(found)
	// Some more, in case files are gone.
	best := top(found, s.limit+50, s.view.paths)
	for len(res.Hits) < s.limit && len(best) > 0 && s.ctx.Err() == nil {
		n := min(s.limit-len(res.Hits), len(best))
		hits := s.hits(best[:n])
		res.Total -= n - len(hits)
		res.Hits = append(res.Hits, hits...)
		best = best[n:]
	}
	res.Freshness = s.index.Freshness()
	return res, s.ctx.Err()
}

// listing reports whether all documents that pass the filters are asked for:
// there is no text, or only what it must not have, or a phrase of stop words
// alone, which the index doesn't know and only the files can tell.
func (s *search) listing(phrases []phrase) bool {
	filters := len(s.clauses) > 0 && !slices.ContainsFunc(s.clauses, func(c clause) bool { return c.filter == "" && !c.not && !c.phrase })
	return s.all || filters || len(phrases) > 0
}

// positives returns what to look for; phrases are groups as well.
func (s *search) positives() (groups []group, phrases []phrase, err error) {
	for _, c := range s.clauses {
		if c.filter != "" || c.not {
			continue
		}
		g, err := s.index.group(s.snapshot, c)
		if err != nil {
			return nil, nil, err
		}
		g.phrase = c.phrase
		if len(g.terms) > 0 {
			groups = append(groups, g)
		}
		if c.phrase {
			phrases = append(phrases, newPhrase(c.text))
		}
		if c.prefix {
			s.matcher.prefixes = append(s.matcher.prefixes, g.prefix)
		}
	}
	s.matcher.phrases = phrases
	return groups, phrases, nil
}
