package bench

import (
	"slices"
	"time"
)

// A Timing says how long N tries of one thing took.
type Timing struct {
	N             int
	P50, P95, P99 time.Duration
}

func timing(took []time.Duration) Timing {
	took = slices.Sorted(slices.Values(took))
	return Timing{len(took), quantile(took, 50), quantile(took, 95), quantile(took, 99)}
}

// quantile is the smallest value that percent of the sorted ones don't exceed; 0 of
// none.
func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

// A pair is one thing measured and its floor, in turns.
type pair struct{ Kist, Floor Timing }

// clock collects the times of one thing.
type clock []time.Duration

// time calls fn and notes how long it took.
func (c *clock) time(fn func() error) error {
	began := time.Now()
	err := fn()
	*c = append(*c, time.Since(began))
	return err
}
