package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"kist/index/vector"
)

// magic begins a stored model; its digit is the version of the format and of the
// training.
const magic = "kistlsa1"

// ErrDamaged: bytes that aren't a model of this version.
var ErrDamaged = errors.New("damaged model")

// A Model makes vectors of texts. It doesn't change and may be used concurrently.
type Model struct {
	dim       int
	terms     string   // all of them, in ascending order, one after the other
	ends      []uint32 // of each in terms
	idf       []float32
	scale     []float32 // by term
	words     []int8    // unit vectors of the terms, in units of scale
	direction []float32 // what all texts have in common
}

func newModel(terms []string, idf []float32, words matrix) *Model {
	m := &Model{dim: words.cols, terms: strings.Join(terms, ""), idf: idf, direction: make([]float32, words.cols)}
	end := 0
	for i, t := range terms {
		end += len(t)
		m.ends = append(m.ends, uint32(end))
		scale := largest(words.row(i)) / 127
		m.scale = append(m.scale, scale)
		for _, x := range words.row(i) {
			if scale > 0 {
				x /= scale
			}
			m.words = append(m.words, int8(math.Round(float64(x))))
		}
	}
	return m
}

func largest(v []float32) (l float32) {
	for _, x := range v {
		l = max(l, x, -x)
	}
	return l
}

// Dim is the number of dimensions of the model's vectors.
func (m *Model) Dim() int { return m.dim }

// Terms is how many terms the model knows.
func (m *Model) Terms() int { return len(m.ends) }

// find returns a term's number, or -1.
func (m *Model) find(term string) int {
	if i, ok := sort.Find(len(m.ends), func(i int) int { return strings.Compare(term, m.term(i)) }); ok {
		return i
	}
	return -1
}

func (m *Model) term(i int) string {
	if i == 0 {
		return m.terms[:m.ends[0]]
	}
	return m.terms[m.ends[i-1]:m.ends[i]]
}

// Text returns the unit vector of a text, given by how often each term occurs in
// it; nil when the model knows none of them.
func (m *Model) Text(counts map[string]int) []float32 {
	terms := make([]string, 0, len(counts))
	for t := range counts {
		terms = append(terms, t)
	}
	slices.Sort(terms) // sums depend on the order
	v := make([]float32, m.dim)
	for _, t := range terms {
		m.Add(v, t, counts[t])
	}
	if !m.Finish(v) {
		return nil
	}
	return v
}

// Add adds a term that occurs count times in a text to the text's sum; Finish
// makes the text's vector of it. Together they are Text, for those who come by
// the terms of many texts one by one.
func (m *Model) Add(sum []float32, term string, count int) {
	if i := m.find(term); i >= 0 && count > 0 {
		m.AddTerm(sum, i, count)
	}
}

// Find returns the number of a term for AddTerm; -1 when the model doesn't know it.
func (m *Model) Find(term string) int { return m.find(term) }

// AddTerm is Add for a term that was found.
func (m *Model) AddTerm(sum []float32, term, count int) {
	factor := damp(float32(count)) * m.idf[term] * m.scale[term]
	word := m.words[term*m.dim : (term+1)*m.dim]
	sum = sum[:len(word)]
	for j, x := range word {
		sum[j] += factor * float32(x)
	}
}

// Finish makes a vector of a sum, and reports false where no known term was added.
func (m *Model) Finish(sum []float32) bool {
	if vector.Unit(sum) == nil {
		return false
	}
	var dot float32
	for i, x := range m.direction {
		dot += x * sum[i]
	}
	addScaled(sum, m.direction, -dot)
	return vector.Unit(sum) != nil
}

// Bytes is the model for storing.
func (m *Model) Bytes() []byte {
	out := []byte(magic)
	for _, n := range []int{m.dim, len(m.ends), len(m.terms)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, e := range m.ends {
		out = binary.LittleEndian.AppendUint32(out, e)
	}
	for _, list := range [][]float32{m.direction, m.idf, m.scale} {
		for _, x := range list {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	for _, x := range m.words {
		out = append(out, byte(x))
	}
	return append(out, m.terms...)
}

// Load returns the model that Bytes stored, or ErrDamaged. It keeps none of data.
// A checksum is the caller's business: numbers are taken as they are.
func Load(data []byte) (*Model, error) {
	rest, ok := strings.CutPrefix(string(data[:min(len(data), len(magic)+12)]), magic)
	if !ok || len(rest) < 12 {
		return nil, fmt.Errorf("%w: of another program or version", ErrDamaged)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint32(data[len(magic)+4*at:])) }
	m := &Model{dim: word(0)}
	terms, text := word(1), word(2)
	if m.dim == 0 || m.dim > maxDim || len(data) != len(magic)+4*(3+3*terms+m.dim)+terms*m.dim+text {
		return nil, fmt.Errorf("%w: of the wrong length", ErrDamaged)
	}
	at := 3
	floats := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = math.Float32frombits(uint32(word(at + i)))
		}
		at += n
		return list
	}
	m.ends = make([]uint32, terms)
	for i := range m.ends {
		m.ends[i] = uint32(word(at + i))
		if i > 0 && m.ends[i] < m.ends[i-1] || int(m.ends[i]) > text {
			return nil, fmt.Errorf("%w: its terms are out of order", ErrDamaged)
		}
	}
	at += terms
	m.direction, m.idf, m.scale = floats(m.dim), floats(terms), floats(terms)
	tail := data[len(magic)+4*at:]
	m.words = make([]int8, terms*m.dim)
	for i, b := range tail[:len(m.words)] {
		m.words[i] = int8(b)
	}
	m.terms = string(tail[len(m.words):])
	return m, nil
}
