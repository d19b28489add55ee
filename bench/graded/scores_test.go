package graded

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestScore compares with values worked out by hand.
func TestScore(t *testing.T) {
	many := map[string]int{} // 25 relevant documents, d1 to d25
	for i := 1; i <= 25; i++ {
		many[fmt.Sprintf("d%d", i)] = 1
	}
	tests := []struct {
		name, ranking string
		grades        map[string]int
		want          Scores
	}{
		{"perfect", "a b c", map[string]int{"a": 3, "b": 2, "c": 1}, Scores{1, 1, 1}},
		{"nothing found", "", map[string]int{"a": 1}, Scores{}},
		{"nothing relevant", "a b", map[string]int{"a": 0}, Scores{}},
		// gain 1/log2(3) = 0.63093, ideal 1; precision 1/2 at the only hit
		{"second", "x a", map[string]int{"a": 1}, Scores{0.63093, 0.5, 1}},
		// gain 1/1 + 3/log2(4) = 2.5; ideal 3/1 + 2/log2(3) + 1/log2(4) = 3 + 1.26186 + 0.5 = 4.76186
		// precision (1/1 + 2/3) / 3; two of three found
		{"grades in the wrong order", "c x a", map[string]int{"a": 3, "b": 2, "c": 1}, Scores{2.5 / 4.76186, 0.55556, 0.66667}},
		// rank 11 counts for precision and recall, not for the first ten
		{"eleventh", "1 2 3 4 5 6 7 8 9 10 a", map[string]int{"a": 1}, Scores{0, 1. / 11, 1}},
		{"twenty-first", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 a", map[string]int{"a": 1}, Scores{0, 1. / 21, 0}},
		{"a double doesn't count twice", "a a b", map[string]int{"a": 1, "b": 1}, Scores{1, 1, 1}},
		// more relevant ones than places: the ideal has ten too; 10/25 found, all at precision 1
		{"ten of twenty-five", "d1 d2 d3 d4 d5 d6 d7 d8 d9 d10", many, Scores{1, 0.4, 0.4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Score(strings.Fields(tt.ranking), tt.grades)
			if !near(got.NDCG10, tt.want.NDCG10) || !near(got.MAP, tt.want.MAP) || !near(got.Recall20, tt.want.Recall20) {
				t.Errorf("got %.5f, want %.5f", got, tt.want)
			}
		})
	}
}

func TestMean(t *testing.T) {
	got := Mean([]Scores{{1, 0.5, 0}, {0, 0.5, 1}})
	if !near(got.NDCG10, 0.5) || !near(got.MAP, 0.5) || !near(got.Recall20, 0.5) {
		t.Errorf("got %v", got)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-4 }
