// Package alike compares texts by their words.
package alike

import (
	"cmp"
	"math"
	"slices"
)

// A Vector is the terms of a text with their weights (tf-idf).
type Vector struct {
	Terms   []string // those that weigh most first
	weights map[string]float64
	norm    float64
}

// New weighs the terms of a text by how often they are in it and how rare they are elsewhere.
func New(counts map[string]int, idf func(term string) float64) Vector {
	v := Vector{weights: make(map[string]float64, len(counts))}
	for term, n := range counts {
		v.weights[term] = (1 + math.Log(float64(n))) * idf(term)
		v.Terms = append(v.Terms, term)
	}
	slices.SortFunc(v.Terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(v.weights[b], v.weights[a]), cmp.Compare(a, b))
	})
	for _, t := range v.Terms { // always in the same order, so that the sum is the same
		v.norm += v.weights[t] * v.weights[t]
	}
	v.norm = math.Sqrt(v.norm)
	return v
}

// Cosine is how alike two texts' words are, from 0 to 1.
func (v Vector) Cosine(w Vector) (sum float64) {
	if v.norm == 0 || w.norm == 0 {
		return 0
	}
	for _, t := range v.Terms {
		sum += v.weights[t] * w.weights[t]
	}
	return min(1, sum/(v.norm*w.norm))
}
