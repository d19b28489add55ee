package forecast

import (
	"math"
	"slices"
	"time"
)

// A Share is which part of all runs is done by the end of a day.
type Share struct {
	Date       time.Time
	Likelihood float64 // from 0 to 1
}

// curve is the likelihood that all is done, day by day where it rises: one point for each
// hundredth of the runs at most. What never ends isn't on it, so that it may end below 1.
func (in Input) curve(sorted []float64) []Share {
	var all []Share
	for p := 0; p <= 100; p++ {
		end := quantile(sorted, float64(p)/100)
		if math.IsInf(end, 1) {
			break
		}
		day, _ := in.date(end)
		all = append(all, Share{day, share(sorted, math.Ceil(max(end, 0)))})
	}
	return slices.CompactFunc(all, func(a, b Share) bool { return a.Date.Equal(b.Date) })
}
