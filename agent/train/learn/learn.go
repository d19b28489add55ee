// Package learn makes models of package linear from examples: Train for what has one class,
// TrainSequences for tags of tokens. It knows nothing of language.
//
// Training is AdaGrad over shuffled examples with a fixed seed, and the result is the
// average of the weights over the later rounds, so that it neither depends on the last
// examples nor changes from run to run.
package learn

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"kist/agent/intent/linear"
)

// An Example is what one text shows. Features are without doubles.
type Example struct {
	Features []uint32
	Class    string
}

// Options of training. The zero value is of no use.
type Options struct {
	Rounds int     // over all examples
	Rate   float64 // of AdaGrad
	Decay  float64 // L2
	Seen   int     // features of fewer examples are left out
	Keep   int     // weights kept, the largest
	Again  int     // rounds behind the others in which only the weights that are kept learn on
	Drop   float64 // share of features that each example is learned without, others each time
	Times  int     // how often it is learned, in another order each time; the mean counts
}

// Train learns from examples. Classes are in the order in which they're first seen.
func Train(examples []Example, o Options) *linear.Model {
	t := newTrainer(examples, o)
	all := []*trainer{t}
	for range o.Times - 1 {
		all = append(all, newTrainer(examples, o))
	}
	var wait sync.WaitGroup
	for i, each := range all {
		wait.Go(func() { each.rounds(uint64(i)) })
	}
	wait.Wait()
	for _, other := range all[1:] {
		t.include(other)
	}
	if o.Again > 0 {
		t.prune()
	}
	for range o.Again {
		t.round(true)
	}
	return t.model()
}

// rounds are those before any weight is given up.
func (t *trainer) rounds(seed uint64) {
	t.random = rand.New(rand.NewPCG(1, 2+seed))
	for round := range t.options.Rounds {
		t.round(round >= t.options.Rounds/2)
	}
}

// include adds what another trainer has learned of the same examples in an order of its own,
// so that less of the weights is owed to the order.
func (t *trainer) include(other *trainer) {
	for i, s := range other.sums {
		t.sums[i] += s
	}
	t.summed += other.summed
}

// prune leaves the largest weights, as they are on average; those that are left learn to
// do without the others.
func (t *trainer) prune() {
	most, least := t.most(), t.least()
	t.kept = make([]bool, len(t.weights))
	for i, s := range t.sums {
		t.weights[i], t.sums[i] = 0, 0
		if t.kept[i] = linear.Magnitude(s/most) >= least; t.kept[i] {
			t.weights[i] = float32(s / float64(max(t.summed, 1)))
		}
	}
	t.summed = 0
}

// most is the largest sum.
func (t *trainer) most() float64 {
	most := 0.0
	for _, s := range t.sums {
		most = max(most, math.Abs(s))
	}
	if most == 0 {
		return 1
	}
	return most
}

// least is the smallest magnitude of the weights that are kept.
func (t *trainer) least() int {
	most, sizes := t.most(), make([]int, 128)
	for _, s := range t.sums {
		sizes[linear.Magnitude(s/most)]++
	}
	least, kept := 128, 0
	for least > 1 && kept+sizes[least-1] <= t.options.Keep {
		least--
		kept += sizes[least]
	}
	return least
}

// A trainer holds the weights as one table, a row of all classes for each feature.
type trainer struct {
	options  Options
	classes  []string
	features []uint32  // by column
	columns  [][]int32 // of each example
	class    []int     // of each example
	weights  []float32
	squares  []float32 // sums of squared gradients
	sums     []float64 // of weights after each round that counts
	summed   int
	order    []int
	left     []int32 // what some returns
	kept     []bool  // of the weights; nil: all
	random   *rand.Rand
}

func newTrainer(examples []Example, o Options) *trainer {
	t := &trainer{options: o, random: rand.New(rand.NewPCG(1, 2))}
	seen := map[uint32]int{}
	for _, e := range examples {
		for _, f := range e.Features {
			seen[f]++
		}
	}
	column, number := map[uint32]int32{}, map[string]int{}
	for i, e := range examples {
		if _, ok := number[e.Class]; !ok {
			number[e.Class] = len(t.classes)
			t.classes = append(t.classes, e.Class)
		}
		var columns []int32
		for _, f := range e.Features {
			if seen[f] < o.Seen {
				continue
			}
			c, ok := column[f]
			if !ok {
				c = int32(len(t.features))
				column[f] = c
				t.features = append(t.features, f)
			}
			columns = append(columns, c)
		}
		t.columns = append(t.columns, columns)
		t.class = append(t.class, number[e.Class])
		t.order = append(t.order, i)
	}
	size := len(t.features) * len(t.classes)
	t.weights, t.squares, t.sums = make([]float32, size), make([]float32, size), make([]float64, size)
	return t
}

// negligible gradients are left out, which makes later rounds much faster.
const negligible = 1e-3

// round goes once over all examples.
func (t *trainer) round(counts bool) {
	t.random.Shuffle(len(t.order), func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
	n := len(t.classes)
	scores, sums := make([]float64, n), make([]float32, n)
	var wrong []int
	for _, i := range t.order {
		columns := t.some(t.columns[i], t.random.Uint32())
		unit := linear.Share(len(columns))
		clear(sums)
		for _, c := range columns {
			for k, w := range t.weights[int(c)*n:][:len(sums)] {
				sums[k] += w
			}
		}
		for k, s := range sums {
			scores[k] = float64(s) * unit
		}
		errs := linear.Softmax(scores, 1)
		errs[t.class[i]]--
		wrong = wrong[:0]
		for k, e := range errs {
			if math.Abs(e) > negligible {
				wrong = append(wrong, k)
			}
		}
		t.step(columns, wrong, errs, unit)
	}
	if counts {
		for i, w := range t.weights {
			t.sums[i] += float64(w)
		}
		t.summed++
	}
}

// some leaves out a share of columns, the same ones for the same salt.
func (t *trainer) some(columns []int32, salt uint32) []int32 {
	if t.options.Drop == 0 {
		return columns
	}
	t.left = t.left[:0]
	least := uint32(t.options.Drop * (1 << 16))
	for _, c := range columns {
		if h := (uint32(c) ^ salt) * 2654435761; (h^h>>15)*2246822519>>16 >= least {
			t.left = append(t.left, c)
		}
	}
	return t.left
}

// step moves the weights of one example's features against its errors.
func (t *trainer) step(columns []int32, wrong []int, errs []float64, unit float64) {
	n := len(t.classes)
	for _, c := range columns {
		weights, squares := t.weights[int(c)*n:int(c)*n+n], t.squares[int(c)*n:int(c)*n+n]
		for _, k := range wrong {
			if t.kept != nil && !t.kept[int(c)*n+k] {
				continue
			}
			g := errs[k]*unit + t.options.Decay*float64(weights[k])
			squares[k] += float32(g * g)
			weights[k] -= float32(t.options.Rate * g / (math.Sqrt(float64(squares[k])) + 0.1))
		}
	}
}

// model rounds the averaged weights to 8 bits and keeps the largest.
func (t *trainer) model() *linear.Model {
	n := len(t.classes)
	most, least := t.most(), t.least()
	var rows []linear.Row
	for _, i := range t.rising() {
		r := linear.Row{Feature: t.features[i]}
		for k, s := range t.sums[i*n : i*n+n] {
			if q := linear.Magnitude(s / most); q >= least {
				if s < 0 {
					q = -q
				}
				r.Class, r.Weight = append(r.Class, uint8(k)), append(r.Weight, int8(q))
			}
		}
		if len(r.Class) > 0 {
			rows = append(rows, r)
		}
	}
	return linear.New(t.classes, most/float64(max(t.summed, 1)), rows)
}

// rising are the columns by their features.
func (t *trainer) rising() []int {
	columns := make([]int, len(t.features))
	for i := range columns {
		columns[i] = i
	}
	slices.SortFunc(columns, func(a, b int) int { return cmp.Compare(t.features[a], t.features[b]) })
	return columns
}
