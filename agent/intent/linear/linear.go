// Package linear is a sparse multinomial logistic regression: classes, features that
// are hashes, and a weight for each pair of them that matters. Scores applies a Model, Tag
// reads a Sequence with one, Encode and Decode turn it into a small file and back. How one
// is learned is in agent/train/learn. The package knows nothing of language.
package linear

import (
	"math"
	"slices"
)

// A Model gives each class a score. Features it doesn't know count nothing. It doesn't
// change and may be used by many at once.
type Model struct {
	Classes []string
	scale   float64 // of the largest weight there may be

	features []uint32 // rising
	ends     []uint32 // of each feature's weights in the columns below
	class    []uint8
	weight   []int8
	values   [256]float64 // of each weight, by its bits
	index    []uint32     // how many features lie below each value of their upper bits
}

// Scores adds up the weights of the features for each class and divides by a power of
// their number, so that long texts aren't much surer than short ones.
func (m *Model) Scores(features []uint32) []float64 {
	scores := make([]float64, len(m.Classes))
	m.sum(features, scores)
	unit := Share(len(features))
	for c := range scores {
		scores[c] *= unit
	}
	return scores
}

// sum adds the weights of features to the scores of classes.
func (m *Model) sum(features []uint32, scores []float64) {
	for _, f := range features {
		for at, end := m.row(f); at < end; at++ {
			scores[m.class[at]] += m.values[uint8(m.weight[at])]
		}
	}
}

// upper bits of a feature lead to its neighbours.
const upper = 14

// row finds the weights of a feature.
func (m *Model) row(f uint32) (start, end uint32) {
	b := f >> (32 - upper)
	low, high := m.index[b], m.index[b+1]
	for i, near := range m.features[low:high] { // a handful
		if near < f {
			continue
		}
		if near > f {
			break
		}
		if i += int(low); i > 0 {
			start = m.ends[i-1]
		}
		return start, m.ends[i]
	}
	return 0, 0
}

// Magnitude is the 7 bits of a weight, a share of the largest one. They go by the root:
// most weights are small, and many small ones add up.
func Magnitude(w float64) int { return int(math.Round(127 * math.Sqrt(math.Abs(w)))) }

// A Row is the weights of a feature.
type Row struct {
	Feature uint32
	Class   []uint8
	Weight  []int8 // magnitudes, with a sign
}

// New is a model of rows whose features rise. scale is what the largest weight there may
// be counts.
func New(classes []string, scale float64, rows []Row) *Model {
	m := &Model{Classes: classes, scale: scale}
	for _, r := range rows {
		m.features = append(m.features, r.Feature)
		m.class = append(m.class, r.Class...)
		m.weight = append(m.weight, r.Weight...)
		m.ends = append(m.ends, uint32(len(m.class)))
	}
	return m.finish()
}

// finish makes the tables when all features are there.
func (m *Model) finish() *Model {
	for q := range 128 {
		v := float64(q) / 127
		m.values[uint8(int8(q))], m.values[uint8(int8(-q))] = v*v*m.scale, -v*v*m.scale
	}
	m.index = make([]uint32, 1<<upper+1)
	for _, f := range m.features {
		m.index[f>>(32-upper)+1]++
	}
	for b := range 1 << upper {
		m.index[b+1] += m.index[b]
	}
	return m
}

// Size is the number of features that have weights, and of the weights.
func (m *Model) Size() (features, weights int) { return len(m.features), len(m.weight) }

// Share is what each of n features counts. The exponent was chosen by leaving sets out;
// the root, which is the usual one, learns too slowly from short texts.
func Share(n int) float64 { return math.Pow(float64(max(n, 1)), -0.35) }

// Softmax turns scores into probabilities. A temperature above 1 makes them less sure.
func Softmax(scores []float64, temperature float64) []float64 {
	p := make([]float64, len(scores))
	if len(scores) == 0 {
		return p
	}
	most, sum := slices.Max(scores), 0.0
	for i, s := range scores {
		p[i] = math.Exp((s - most) / temperature)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
