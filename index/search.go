package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/pending"
	"kist/index/query"
	"kist/index/store"
	"slices"
	"strings"
	"time"

	"kist/index/match"
	"kist/vault"
)

// maxVerified is how many documents are read to check phrases, best first.
const maxVerified = 5000

// Results of one query.
type Results struct {
	Hits    []Hit // best first
	Total   int   // documents that match
	Partial bool  // the query asked for more than is done for one; it may miss documents
	// Corrected says what was looked for instead of words that are nowhere, as
	// the index knows it: without endings.
	Corrected map[string]string
	Freshness Freshness
	Plan      *Plan   // where the query asks for explanations
	WhyNot    *WhyNot // where it asks why a document isn't there
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
	HeadOnly   bool         // the file is too large: only its first 10 MiB are searched
	Why        *Explanation // where the query asks for it
}

// A Span is a half-open byte range of an excerpt.
type Span = match.Span

// Search answers a query from all that was saved before the call, as far as that can
// be had within a tenth of a second: Results.Freshness tells. It returns an error that
// wraps ErrQuery for a query that can't be carried out, ErrClosed, or ctx's.
// For a word that no document has, one that differs by a letter is taken; Results.Corrected
// says so.
func (x *Index) Search(ctx context.Context, q Query) (*Results, error) {
	clauses, cut, err := q.Clauses()
	if err != nil {
		return nil, err
	}
	if clauses == nil {
		clauses = []query.Clause{} // everything is asked for
	}
	return x.answer(ctx, q, clauses, func(s *search) (*Results, error) {
		s.cut = cut
		if q.Explain || q.WhyNot != "" {
			return s.explained(q.WhyNot)
		}
		return s.run()
	})
}

// answer has run look something up in the index as it is once it has caught up, and
// in the files that it lacks.
func (x *Index) answer(ctx context.Context, q Query, clauses []query.Clause, run func(*search) (*Results, error)) (*Results, error) {
	began := time.Now()
	res, degraded, err := x.answerAhead(ctx, q, clauses, run)
	if res != nil || err != nil {
		return res, err
	}
	p := pending.Plan{Began: began, Clauses: clauses}
	if !q.Explain && q.WhyNot == "" {
		p.Shown = q.Most()
	}
	res, over, late, err := x.answerOver(ctx, q, p, run)
	defer func() { over.Close() }()
	if err == nil && (res.Total == 0 && slices.ContainsFunc(clauses, query.Clause.Plain) || res.Corrected != nil) && over.Partial() {
		// Files that were passed over may have what a misspelt word was to be.
		over.Close()
		p.Spelling = func(word string) bool { return res.Total == 0 || res.Corrected[strings.ToLower(word)] != "" }
		res, over, late, err = x.answerOver(ctx, q, p, run)
	}
	if err != nil {
		return nil, err
	}
	res.Freshness.receipt(over, degraded, late)
	return res, nil
}

// answerOver has run look something up in the index and in what a plan makes of the
// files that it lacks, which the caller closes.
func (x *Index) answerOver(ctx context.Context, q Query, p pending.Plan, run func(*search) (*Results, error)) (res *Results, over *pending.Overlay, late string, err error) {
	for tries := 1; ; tries++ {
		over, late = x.direct(ctx, p)
		res, err = x.answerFrom(ctx, q, p.Clauses, over, run)
		if !errors.Is(err, errMoved) {
			return res, over, late, err
		}
		over.Close()
		p.Wholly = tries == maxMoved
	}
}

// answerAhead looks things up while it waits for what was saved before the call. As a
// rule that is nothing, and then the answer is right; else there is none, and what was
// saved has been waited for.
func (x *Index) answerAhead(ctx context.Context, q Query, clauses []query.Clause, run func(*search) (*Results, error)) (res *Results, degraded string, err error) {
	seq, settled := x.settled()
	if !settled || x.served != nil && q.Mode != Text { // a server isn't asked in vain
		return nil, x.catchUp(ctx, nil), nil
	}
	ahead, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		res, err = x.answerFrom(ahead, q, clauses, nil, func(s *search) (*Results, error) {
			s.upToDate = true
			return run(s)
		})
	}()
	degraded = x.catchUp(ctx, func(now vault.Seq) {
		if now != seq {
			cancel() // what is saved has to be indexed, and that goes first
		}
	})
	now, still := x.settled()
	if degraded == "" && still && now == seq {
		<-done
		return res, "", err
	}
	cancel()
	<-done
	return nil, degraded, ctx.Err()
}

func (x *Index) answerFrom(ctx context.Context, q Query, clauses []query.Clause, over *pending.Overlay, run func(*search) (*Results, error)) (res *Results, err error) {
	defer store.GuardSearch(&err)()
	s, err := x.newSearchOver(ctx, q, slices.Clone(clauses), over)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if res, err = run(s); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	s.reset()
	x.scratch.Put(s.scratch)
	return res, nil
}

// A search is the work on one query.
type search struct {
	*scorer
	ctx      context.Context // of this call
	index    *Index
	manifest *manifest.Manifest // under the index's mutex
	limit    int
	all      bool // the query's text is empty
	clauses  []query.Clause
	checks   []check  // what only the files can tell
	showing  []check  // what hits must pass before they are shown
	stops    []string // words to look for in the files
	upToDate bool     // if the index turns out not to be, the result is thrown away
	cut      bool     // something was left out
	skip     func(path string) bool
	matcher  match.Matcher
	mode     Mode
	vectors  *vectors           // nil: search by words alone
	trace    *trace             // nil: nothing is to be explained
	floor    float32            // cosine from which on a document is near
	idfs     map[string]float64 // by term, of those asked for
}

func (x *Index) newSearch(ctx context.Context, q Query, clauses []query.Clause) (*search, error) {
	return x.newSearchOver(ctx, q, clauses, nil)
}

// newSearchOver is newSearch in what the index holds with an overlay, which may be nil.
func (x *Index) newSearchOver(ctx context.Context, q Query, clauses []query.Clause, over *pending.Overlay) (*search, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil, ErrClosed
	}
	r, v, err := x.current.look(over)
	if err != nil {
		return nil, err
	}
	old, _ := x.scratch.Get().(*scratch)
	m := x.current.manifest
	s := &search{
		scorer: newScorer(r, over, v, m, old), ctx: ctx, index: x, manifest: m, clauses: clauses,
		limit: q.Most(), all: strings.TrimSpace(q.Text) == "", mode: q.Mode, vectors: x.current.vectors,
		matcher: match.Matcher{Terms: map[string]float64{}},
	}
	return s, nil
}

func (s *search) close() { s.snapshot.Close() }

// run carries out the query. Where that succeeds the memory it took is kept.
func (s *search) run() (*Results, error) {
	if err := s.resolve(); err != nil {
		return nil, err
	}
	accept, err := s.filter()
	if err != nil {
		return nil, err
	}
	groups, err := s.positives()
	if err != nil {
		return nil, err
	}
	res := &Results{}
	var found []ranked
	switch {
	case len(groups) > 0:
		found, res.Corrected, err = s.rank(groups)
		if err == nil && len(found) == 0 && s.rare(groups) {
			found, err = s.scan(accept)
		}
	case len(s.stops) > 0:
		found, err = s.scan(accept)
	case s.listing():
		found, err = s.everything()
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(r ranked) bool {
		return !accept(r.file) || s.skip != nil && s.skip(s.view.Paths[r.file])
	})
	if len(s.checks) > 0 {
		if found, err = s.verify(found); err != nil {
			return nil, err
		}
	}
	if err := s.place(groups, found); err != nil {
		return nil, err
	}
	// Nothing is added to what has to be there for sure, or to what has the one word asked for.
	hard := len(s.checks) > 0 || s.mode == Hybrid && len(groups) == 1 && len(found) > 0 || slices.ContainsFunc(groups, func(g group) bool { return g.required })
	wanted := func(file int32) bool {
		return accept(file) && (s.skip == nil || !s.skip(s.view.Paths[file]))
	}
	if found, err = s.near(found, groups, hard, wanted); err != nil {
		return nil, err
	}
	var called map[int32]bool
	if len(groups) > 0 || len(s.stops) > 0 {
		last, err := hindmost(s)
		if err != nil {
			return nil, err
		}
		putLast(found, last)
	}
	if len(groups) > 0 {
		if called, err = named(s); err != nil {
			return nil, err
		}
	}
	res.Partial = s.cut
	res.Total = len(found) + s.over.Further()
	return s.show(res, s.favourRecent(found, called))
}

// show fills in the hits of the best documents found.
func (s *search) show(res *Results, found []ranked) (*Results, error) {
	// Some more, in case files are gone.
	best := top(found, s.limit+50, s.view.Paths)
	s.matcher.Prepare()
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

// rare reports whether all that is looked for are words which the index may lack in
// some language, and makes them what a scan looks for.
func (s *search) rare(groups []group) bool {
	if slices.ContainsFunc(groups, func(g group) bool { return !g.rare || g.phrase || g.fields != 0 }) {
		return false
	}
	s.stops = nil
	for _, c := range s.clauses {
		if c.Filter == "" && !c.Not {
			s.stops = append(s.stops, c.Text)
		}
	}
	return true
}

// listing reports whether all documents that pass the filters are asked for:
// there is no text, or only what it must not have, or a phrase of stop words
// alone, which the index doesn't know and only the files can tell.
func (s *search) listing() bool {
	filters := len(s.clauses) > 0 && !slices.ContainsFunc(s.clauses, func(c query.Clause) bool { return c.Filter == "" && !c.Not && !c.Phrase })
	return s.all || filters || len(s.checks) > 0
}

// positives returns what to look for; phrases are groups as well, and checks. Words
// that say nothing count only where there are no others.
func (s *search) positives() (groups []group, err error) {
	for _, c := range s.clauses {
		if c.Filter != "" || c.Not {
			continue
		}
		g, err := s.group(c)
		if err != nil {
			return nil, err
		}
		switch {
		case c.Phrase:
			p := match.NewPhrase(c.Text)
			s.matcher.Phrases = append(s.matcher.Phrases, p)
			s.checks = append(s.checks, check{phrase: p, text: c.Text, fields: c.Fields})
			if g.stop {
				continue
			}
		case g.stop && c.Fields != 0:
			s.checks = append(s.checks, check{phrase: match.NewPhrase(c.Text), fields: c.Fields})
			continue
		case g.stop:
			s.stops = append(s.stops, c.Text)
			continue
		}
		if len(g.ways) > 0 {
			groups = append(groups, g)
		}
		if c.Prefix {
			s.matcher.Prefixes = append(s.matcher.Prefixes, g.prefix)
		}
	}
	return groups, nil
}
