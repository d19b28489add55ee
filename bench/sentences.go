package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"kist/bench/drawn"
	"kist/index"
	"kist/index/rank"
)

// SentenceReport is what [Sentences] returns.
type SentenceReport struct {
	Documents int        `json:"documents"`
	Sentences int        `json:"sentences"`
	Modes     []Recalled `json:"modes"`
	Over      Interval   `json:"over"` // the last mode's reciprocal rank over the first one's
}

// A Recalled mode found the documents that sentences were taken from.
type Recalled struct {
	Mode  string  `json:"mode"`
	MRR   float64 `json:"mrr"`   // mean reciprocal rank, 0 beyond the tenth place
	In10  float64 `json:"in_10"` // share of documents among the first ten
	ranks []float64
}

// An Interval is a mean, and where it lies in 95 of 100 samples drawn anew from what it is of.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Sentences takes sentences out of documents of a copied folder and measures how well searches for
// them find the documents, by words alone and with vectors. progress may be nil.
func Sentences(ctx context.Context, dir string, n int, seed uint64, progress Progress) (_ *SentenceReport, err error) {
	tmp, err := makeTemp(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	work := filepath.Join(tmp, "vault")
	if err := copyNotes(ctx, dir, work); err != nil {
		return nil, err
	}
	taken, err := drawn.TakeSentences(ctx, work, n, seed)
	if err != nil {
		return nil, err
	}
	if len(taken) == 0 {
		return nil, fmt.Errorf("%w: no sentence of %s can be asked for", ErrOptions, dir)
	}
	s, err := openSession(ctx, work)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := errors.Join(s.index.Wait(ctx, 0), s.waitVectors(ctx)); err != nil {
		return nil, err
	}
	report := &SentenceReport{Documents: s.index.Status().Documents, Sentences: len(taken)}
	for _, m := range []struct {
		name string
		mode index.Mode
	}{{"text only", index.Text}, {"hybrid", index.Hybrid}} {
		r, err := s.recall(ctx, m.name, m.mode, taken, progress)
		if err != nil {
			return nil, err
		}
		report.Modes = append(report.Modes, r)
	}
	report.Over = interval(report.Modes[1].ranks, report.Modes[0].ranks, seed)
	return report, nil
}

func (s *session) recall(ctx context.Context, name string, mode index.Mode, taken []drawn.Sentence, progress Progress) (Recalled, error) {
	r := Recalled{Mode: name}
	for i, t := range taken {
		progress.report(name, i, len(taken))
		res, err := s.index.Search(ctx, index.Query{Text: plainQuery(t.Text), Mode: mode, Limit: 10})
		if err != nil {
			return r, fmt.Errorf("search %q: %w", t.Text, err)
		}
		place := 0.0
		if at := slices.IndexFunc(res.Hits, func(h rank.Hit) bool { return h.Path == t.Path }); at >= 0 {
			place = 1 / float64(at+1)
			r.In10 += 1 / float64(len(taken))
		}
		r.ranks = append(r.ranks, place)
		r.MRR += place / float64(len(taken))
	}
	progress.report(name, len(taken), len(taken))
	return r, nil
}

// samples is how many are drawn for an interval.
const samples = 2000

// interval is that of the mean of a's values less b's, pairwise, by the bootstrap (Efron 1979).
func interval(a, b []float64, seed uint64) (out Interval) {
	r := rand.New(rand.NewPCG(seed, 7))
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
		out.Mean += differences[i] / float64(len(a))
	}
	means := make([]float64, samples)
	for i := range means {
		for range a {
			means[i] += differences[r.IntN(len(a))] / float64(len(a))
		}
	}
	slices.Sort(means)
	out.Low, out.High = means[samples*25/1000], means[samples*975/1000]
	return out
}
