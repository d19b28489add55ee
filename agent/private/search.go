package private

import (
	"context"
	"slices"

	"kist/index"
	"kist/index/rank"
	"kist/vault"
)

// A Searcher finds text; *index.Index is one.
type Searcher interface {
	Search(ctx context.Context, q index.Query) (*rank.Results, error)
	Wait(ctx context.Context, seq vault.Seq) error
}

// Search is a Searcher that finds nothing private.
type Search struct {
	Searcher
	Sight *Sight
}

// moreHits are asked for beside those that are wanted, for those that are left out.
const moreHits = 50

// Search returns what is found, without what knows words of all documents: corrections,
// plans, how many more there are.
func (s Search) Search(ctx context.Context, q index.Query) (*rank.Results, error) {
	want := q.Limit
	if want == 0 {
		want = 10
	}
	q.Limit = min(1000, want+moreHits)
	found, err := s.Searcher.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	out := *found
	out.Hits = slices.DeleteFunc(slices.Clone(found.Hits), func(h rank.Hit) bool { return s.Sight.Hides(h.Path) })
	if len(out.Hits) < len(found.Hits) || found.Total > len(found.Hits) {
		out.Total = len(out.Hits)
	}
	out.Hits = out.Hits[:min(len(out.Hits), want)]
	out.Corrected, out.WhyNot, out.Plan = nil, nil, nil
	return &out, nil
}
