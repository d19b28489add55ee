package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"kist/index/vector"
)

const (
	// vectorDim is the number of dimensions of many small models.
	vectorDim = 384
	// vectorQueries are asked at each size.
	vectorQueries = 30
)

// A vectorSize is a number of vectors and how much of the time of an exact scan in
// plain Go a search in them may take. That is what vek32's exact scan takes, as
// BenchmarkScan of the package vector measures it, and a quarter of it at a million.
type vectorSize struct {
	n    int
	most float64
	what string
}

func vectorSizes(files int) []vectorSize {
	all := []vectorSize{{10_000, 0.40, "vek32's"}, {100_000, 0.49, "vek32's"}}
	if files >= 100_000 { // takes 3 GB
		all = append(all, vectorSize{1_000_000, 0.51 / 4, "a quarter of vek32's"})
	}
	return all
}

func (m *measurement) measureVectors(ctx context.Context) error {
	m.step("vectors")
	if !m.wants("vectors") {
		return nil
	}
	for _, size := range vectorSizes(m.Files) {
		r, err := m.child(ctx, taskVectors, fmt.Sprint(size.n))
		if err != nil {
			return err
		}
		row := many(fmt.Sprintf("vectors-%d", size.n), fmt.Sprintf("nearest of %d vectors of %d, recall@10 %.4f", size.n, vectorDim, r.Recall), r.Scan.Kist, 50).
			besideMany(r.Scan.Floor, 50, "an exact scan of float32 in plain Go")
		m.report.add(row.aim(fmt.Sprintf("recall >= 0.99, <= %s (%.2gx)", size.what, size.most), r.Recall >= 0.99 && row.Ratio <= size.most))
	}
	return nil
}

// vectors compares a set's scan with an exact one, in turns.
func (t task) vectors(ctx context.Context, _ task) (r result, err error) {
	var n int
	if _, err := fmt.Sscan(t.Do[0], &n); err != nil {
		return r, fmt.Errorf("number of vectors: %w", err)
	}
	all := clustered(n, t.Seed)
	name := filepath.Join(t.Floor, "vectors")
	err = vector.Write(name, vectorDim, func(yield func(vector.Document, error) bool) {
		for i, v := range all {
			if !yield(vector.Document{Key: fmt.Sprintf("%08d", i), Passages: []vector.Passage{{Vector: v}}}, ctx.Err()) {
				return
			}
		}
	}, nil)
	if err != nil {
		return r, err
	}
	s, _, err := vector.Open(name, func(key string) int32 { i, _ := strconv.Atoi(key); return int32(i) })
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	random := rand.New(rand.NewPCG(t.Seed, 4))
	var kist, exact clock
	var found []vector.Match
	best := make([]vector.Match, n)
	common := 0
	for i := 0; i < vectorQueries && ctx.Err() == nil; i++ {
		q := slices.Clone(all[random.IntN(n)])
		for j, x := range unitVector(random) {
			q[j] += x / 2
		}
		_ = exact.time(func() error { scanExact(all, q, best); return nil })
		_ = kist.time(func() error { found = s.Scan(q, found[:0]); return nil })
		common += inBoth(firstTen(best), firstTen(found))
	}
	r.Scan, r.Recall = pair{timing(kist), timing(exact)}, float64(common)/(10*vectorQueries)
	return r, ctx.Err()
}

func scanExact(all [][]float32, q []float32, out []vector.Match) {
	for i, v := range all {
		var a, b, c, d float32 // four, so that none waits for another
		for j := 0; j+3 < len(v) && j+3 < len(q); j += 4 {
			a += q[j] * v[j]
			b += q[j+1] * v[j+1]
			c += q[j+2] * v[j+2]
			d += q[j+3] * v[j+3]
		}
		out[i] = vector.Match{Number: int32(i), Score: a + b + c + d}
	}
}

// firstTen returns the numbers of the ten best.
func firstTen(all []vector.Match) (ten []int32) {
	slices.SortFunc(all, func(x, y vector.Match) int { return cmp.Compare(y.Score, x.Score) })
	for _, m := range all[:min(10, len(all))] {
		ten = append(ten, m.Number)
	}
	return ten
}

func inBoth(a, b []int32) (n int) {
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// clustered are vectors that lie around some hundreds of points, as those of texts do.
func clustered(n int, seed uint64) [][]float32 {
	r := rand.New(rand.NewPCG(seed, 9))
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = unitVector(r)
	}
	all := make([][]float32, n)
	for i := range all {
		v, c := unitVector(r), centres[r.IntN(len(centres))]
		for j := range v {
			v[j] += c[j]
		}
		all[i] = scaled(v)
	}
	return all
}

func unitVector(r *rand.Rand) []float32 {
	v := make([]float32, vectorDim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return scaled(v)
}

func scaled(v []float32) []float32 {
	length := 0.0
	for _, x := range v {
		length += float64(x * x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}
