package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// GrowthFiles is the smallest of the three sizes of a growth if nothing else is said.
const GrowthFiles = 1000

// grows says how one figure may grow with the number of files: with an exponent, or
// hardly at all.
type grows struct {
	row, what string
	exponent  float64 // at most; 0: flat
}

// flat is how much more than at the smallest size something that doesn't grow may
// cost at another; that it costs less there is no fault.
const flat = 1.5

func growing() []grows {
	return []grows{
		{"cold", "cold index", 1.05},
		{"save-rename", "save by rename, to searchable (p50)", 0},
		{"search-rare", "search by a rare word (p50)", 0},
		{"operation", "one durable operation (p50)", 0},
	}
}

// Growth measures at the number of files of opts, at 4 times and at 16 times as
// many, and returns a report with a row for each cost and the reports of the sizes.
func Growth(ctx context.Context, opts Options) (*Report, error) {
	if opts.Dir != "" {
		return nil, fmt.Errorf("%w: a folder has one size; growth needs a corpus", ErrOptions)
	}
	if opts.Files == 0 {
		opts.Files = GrowthFiles
	}
	opts.Only = []string{"cold", "warm", "save", "search", "operation", "memory"}
	all := &Report{}
	for _, times := range []int{1, 4, 16} {
		o := opts
		o.Files *= times
		if o.Progress != nil {
			o.Progress = func(phase string, done, total int) {
				opts.Progress(fmt.Sprintf("%d files: %s", o.Files, phase), done, total)
			}
		}
		r, err := Run(ctx, o)
		if err != nil {
			return nil, err
		}
		all.Machine = r.Machine
		all.Sizes = append(all.Sizes, *r)
	}
	for _, g := range growing() {
		all.add(g.judge(all.Sizes))
	}
	for _, name := range []string{"warm", "peak", "rest"} { // the targets say nothing of these
		row := all.Sizes[0].Row(name)
		g := grows{row: name, what: row.What}
		if r := g.judge(all.Sizes); r.Missing == "" {
			all.add(once("growth-"+name, row.What, Exponent, r.Value))
		}
	}
	return all, nil
}

// judge compares a figure at all sizes.
func (g grows) judge(sizes []Report) Row {
	var files, values []float64
	for _, s := range sizes {
		row := s.Row(g.row)
		if row.Missing != "" {
			return once("growth-"+g.row, g.what, Exponent, 0).missing(row.Missing)
		}
		v := row.Value
		if row.Measured != nil {
			v = row.Measured.P50
		}
		files, values = append(files, float64(s.Corpus.Files)), append(values, v)
	}
	r := once("growth-"+g.row, g.what, Exponent, exponent(files, values))
	if g.exponent > 0 {
		return r.aim(fmt.Sprintf("<= %g", g.exponent), r.Value <= g.exponent)
	}
	r.Ratio = slices.Max(values) / values[0]
	return r.aim(fmt.Sprintf("flat within %gx", flat), r.Ratio <= flat)
}

// exponent is the slope of the straight line that fits best on logarithmic scales:
// y grows as x to that power.
func exponent(xs, ys []float64) float64 {
	var mx, my, sxy, sxx float64
	n := float64(len(xs))
	for i := range xs {
		mx += math.Log(xs[i]) / n
		my += math.Log(ys[i]) / n
	}
	for i := range xs {
		dx := math.Log(xs[i]) - mx
		sxy += dx * (math.Log(ys[i]) - my)
		sxx += dx * dx
	}
	return sxy / sxx
}
