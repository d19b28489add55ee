// Package graded judges rankings by the grades that people gave to documents.
package graded

import (
	"cmp"
	"math"
	"slices"
)

// Scores of a ranking, each from 0 to 1; of several queries, their means.
type Scores struct {
	NDCG10   float64 `json:"ndcg10"`   // normalised discounted cumulative gain of the first ten, linear gain
	MAP      float64 `json:"map"`      // mean average precision
	Recall20 float64 `json:"recall20"` // of all relevant documents, those among the first twenty
}

// Score judges one ranking by the grades of the relevant documents; what has no
// grade, or 0, is not relevant. A document counts once, where it comes first.
// (Manning, Raghavan, Schütze: Introduction to Information Retrieval, 8.4; Järvelin,
// Kekäläinen 2002 for the gain, with the discount log2(rank+1).)
func Score(ranking []string, grades map[string]int) Scores {
	ideal := Ideal(grades)
	if len(ideal) == 0 {
		return Scores{}
	}
	var s Scores
	var gain, best float64
	for i, g := range ideal[:min(10, len(ideal))] {
		best += float64(g) / math.Log2(float64(i+2))
	}
	found, seen, rank := 0, map[string]bool{}, 0
	for _, doc := range ranking {
		if seen[doc] {
			continue
		}
		seen[doc] = true
		rank++
		if grades[doc] <= 0 {
			continue
		}
		found++
		s.MAP += float64(found) / float64(rank)
		if rank <= 10 {
			gain += float64(grades[doc]) / math.Log2(float64(rank+1))
		}
		if rank <= 20 {
			s.Recall20++
		}
	}
	s.NDCG10 = gain / best
	s.MAP /= float64(len(ideal))
	s.Recall20 /= float64(len(ideal))
	return s
}

// Ideal returns the grades of the relevant documents, best first.
func Ideal(grades map[string]int) (ideal []int) {
	for _, g := range grades {
		if g > 0 {
			ideal = append(ideal, g)
		}
	}
	slices.SortFunc(ideal, func(a, b int) int { return cmp.Compare(b, a) })
	return ideal
}

// Mean is the mean of each score.
func Mean(all []Scores) (m Scores) {
	for _, s := range all {
		m.NDCG10 += s.NDCG10 / float64(len(all))
		m.MAP += s.MAP / float64(len(all))
		m.Recall20 += s.Recall20 / float64(len(all))
	}
	return m
}
