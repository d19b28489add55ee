package index

import (
	"context"

	"kist/index/quiet"
)

// Query is the vector of a text, if it is wanted and can be had in a moment; else the server is
// asked whether it is back.
func (r *served) Query(ctx context.Context, text string, wanted bool) []float32 {
	if r.private != nil && quiet.In(ctx) {
		return nil
	}
	if !wanted {
		r.wake(text)
		return nil
	}
	q, answered := r.queries.vector(ctx, text)
	switch {
	case answered:
		r.heard()
	case q != nil: // it was known, and so the server not asked
		r.wake(text)
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
