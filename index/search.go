package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/index/pending"
	"kist/index/query"
	"kist/index/rank"
	"kist/index/store"
	"kist/vault"
)

// Search answers a query from all that was saved before the call, as far as that can
// be had within a tenth of a second: Results.Freshness tells. It returns an error that
// wraps ErrQuery for a query that can't be carried out, ErrClosed, or ctx's.
// For a word that no document has, one that differs by a letter is taken; Results.Corrected
// says so.
func (x *Index) Search(ctx context.Context, q Query) (*rank.Results, error) {
	clauses, cut, err := q.Clauses()
	if err != nil {
		return nil, err
	}
	if clauses == nil {
		clauses = []query.Clause{} // everything is asked for
	}
	return x.answer(ctx, q, clauses, func(ctx context.Context, s *rank.Search) (*rank.Results, error) {
		s.Cut = cut
		if q.Explain || q.WhyNot != "" {
			return s.Explained(ctx, q.WhyNot)
		}
		return s.Run(ctx)
	})
}

// A lookup is what a search is made for.
type lookup = func(context.Context, *rank.Search) (*rank.Results, error)

// answer has run look something up in the index as it is once it has caught up, and
// in the files that it lacks.
func (x *Index) answer(ctx context.Context, q Query, clauses []query.Clause, run lookup) (*rank.Results, error) {
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
	receipt(&res.Freshness, over, degraded, late)
	return res, nil
}

// answerOver has run look something up in the index and in what a plan makes of the
// files that it lacks, which the caller closes.
func (x *Index) answerOver(ctx context.Context, q Query, p pending.Plan, run lookup) (res *rank.Results, over *pending.Overlay, late string, err error) {
	over, late = x.direct(ctx, p)
	res, err = x.answerFrom(ctx, q, p.Clauses, over, run)
	return res, over, late, err
}

// answerAhead looks things up while it waits for what was saved before the call. As a
// rule that is nothing, and then the answer is right; else there is none, and what was
// saved has been waited for.
func (x *Index) answerAhead(ctx context.Context, q Query, clauses []query.Clause, run lookup) (res *rank.Results, degraded string, err error) {
	seq, settled := x.settled()
	if !settled || x.remote.Server != nil && q.Mode != Text { // a server isn't asked in vain
		return nil, x.catchUp(ctx, nil), nil
	}
	ahead, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		res, err = x.answerFrom(ahead, q, clauses, nil, func(ctx context.Context, s *rank.Search) (*rank.Results, error) {
			s.UpToDate = true
			return run(ctx, s)
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

func (x *Index) answerFrom(ctx context.Context, q Query, clauses []query.Clause, over *pending.Overlay, run lookup) (res *rank.Results, err error) {
	defer store.GuardSearch(&err)()
	s, err := x.newSearchOver(q, slices.Clone(clauses), over)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if res, err = run(ctx, s); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	s.Keep()
	res.Freshness = x.Freshness()
	return res, nil
}

// newSearch is for who looks things up in what the index holds alone.
func (x *Index) newSearch(q Query, clauses []query.Clause) (*rank.Search, error) {
	return x.newSearchOver(q, clauses, nil)
}

// newSearchOver is newSearch in what the index holds with an overlay, which may be nil.
func (x *Index) newSearchOver(q Query, clauses []query.Clause, over *pending.Overlay) (*rank.Search, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	g := x.current
	if g == nil {
		return nil, ErrClosed
	}
	var laid *store.Over
	if over != nil {
		laid = over.Over()
	}
	r, v, err := g.store.Look(laid)
	if err != nil {
		return nil, err
	}
	h := rank.Holding{Snapshot: r, View: v, Over: over, Manifest: g.manifest}
	if g.vectors != nil {
		h.Learned = &g.vectors.Meaning
	}
	if x.remote.Server != nil {
		h.Server = x.remote.Server
		if g.served != nil && g.served.ready {
			h.Served = &g.served.Meaning
		}
	}
	return rank.New(x.searches, h, q, clauses), nil
}

// Similar returns the documents most like the one at path, which isn't among them;
// Score is the cosine of their vectors, from 0 to 1. Where there are no vectors it is
// the cosine of their words, weighted by how telling they are (tf-idf). What is farther
// away than a floor isn't shown, so that in a small vault there may be none. limit 0
// means 10. It returns an error that wraps vault.ErrNotFound for a path that isn't
// indexed, ErrClosed, or ctx's.
func (x *Index) Similar(ctx context.Context, path string, limit int) (*rank.Results, error) {
	return x.answer(ctx, Query{Limit: limit}, nil, func(ctx context.Context, s *rank.Search) (*rank.Results, error) {
		x.mu.RLock()
		known := false
		if x.current != nil {
			_, known = x.current.manifest.Files[path]
		}
		x.mu.RUnlock()
		if !known {
			return nil, &vault.NotFoundError{Kind: "file in the index", Ref: path}
		}
		return s.Similar(ctx, path)
	})
}
