package bench

import (
	"context"

	"kist/bench/drawn"
)

// withErrors is a way to rank by a query as somebody in a hurry types it.
func withErrors(m Ranker) Ranker {
	return Ranker{m.Name + misspeltName, func(ctx context.Context, c *collection, text string) ([]string, error) {
		return m.rank(ctx, c, drawn.Misspell(plainQuery(text)))
	}}
}

// misspeltName follows on the name of a mode whose queries are misspelt.
const misspeltName = ", misspelt"

// Keeps returns, for each mode that was asked misspelt queries too, what share of its nDCG@10 is
// left.
func (r *QualityReport) Keeps() map[string]float64 {
	shares := map[string]float64{}
	for _, m := range r.Modes {
		for _, o := range r.Modes {
			if o.Mode == m.Mode+misspeltName && m.NDCG10 > 0 {
				shares[m.Mode] = o.NDCG10 / m.NDCG10
			}
		}
	}
	return shares
}
