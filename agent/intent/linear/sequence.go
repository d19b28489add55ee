package linear

import "math"

// A Sequence is tokens in order: what each shows, by which keys the tag before it may
// matter, and, to learn from, its tag.
type Sequence struct {
	Features [][]uint32 // of each token, without doubles
	Keys     [][]uint32 // of each token: paired with the tag before it
	Tags     []string
}

// May says which tag may follow another; before the first token stands "".
type May func(before, tag string) bool

// Follows is the feature of a key behind a tag.
func Follows(before string, key uint32) uint32 {
	h := uint32(2166136261)
	for i := range len(before) {
		h = (h ^ uint32(before[i])) * 16777619
	}
	return (h^key)*16777619 ^ key>>7
}

// Tag gives each token the tag that makes the best row of all that may be (Viterbi). It
// returns nil where none may.
func (m *Model) Tag(s Sequence, may May) []string {
	paired := make([]uint32, 0, 8)
	g := NewGrammar(m.Classes, may)
	row := g.Best(len(s.Features), func(i int, scores []float64) {
		m.sum(s.Features[i], scores)
	}, func(i, before int, scores []float64) {
		paired = paired[:0]
		for _, key := range s.Keys[i] {
			paired = append(paired, Follows(g.Name(before), key))
		}
		m.sum(paired, scores)
	})
	if row == nil {
		return nil
	}
	tags := make([]string, len(row))
	for i, k := range row {
		tags[i] = m.Classes[k]
	}
	return tags
}

// A Grammar holds which classes may follow each.
type Grammar struct {
	classes []string
	next    [][]int // those before the first token in the first row
}

// NewGrammar is the grammar of some classes.
func NewGrammar(classes []string, may May) Grammar {
	g := Grammar{classes, make([][]int, len(classes)+1)}
	for b := -1; b < len(classes); b++ {
		for c, tag := range classes {
			if may(g.Name(b), tag) {
				g.next[b+1] = append(g.next[b+1], c)
			}
		}
	}
	return g
}

// Name is that of a class; before the first token, at -1, there is none.
func (g Grammar) Name(c int) string {
	if c < 0 {
		return ""
	}
	return g.classes[c]
}

// Best finds the best row of classes for n tokens; nil: none may be. local adds what a token says of
// each class, moved what it says when a class stands before it (-1 before the first).
func (g Grammar) Best(n int, local func(i int, scores []float64), moved func(i, before int, scores []float64)) []int {
	k := len(g.classes)
	best, back := make([]float64, k), make([][]int, n)
	here, behind, next := make([]float64, k), make([]float64, k), make([]float64, k)
	for i := range n {
		clear(here)
		local(i, here)
		back[i] = make([]int, k)
		for c := range next {
			next[c], back[i][c] = math.Inf(-1), -1
		}
		step := func(b int, so float64) {
			clear(behind)
			moved(i, b, behind)
			for _, c := range g.next[b+1] {
				if v := so + here[c] + behind[c]; v > next[c] {
					next[c], back[i][c] = v, b
				}
			}
		}
		if i == 0 {
			step(-1, 0)
		}
		for b := 0; i > 0 && b < k; b++ {
			if !math.IsInf(best[b], -1) {
				step(b, best[b])
			}
		}
		best, next = next, best
	}
	return traced(best, back)
}

// traced follows the best row from its end.
func traced(best []float64, back [][]int) []int {
	row, last := make([]int, len(back)), -1
	for c := range best {
		if !math.IsInf(best[c], -1) && (last < 0 || best[c] > best[last]) {
			last = c
		}
	}
	if last < 0 && len(back) > 0 {
		return nil
	}
	for i := len(back) - 1; i >= 0; i-- {
		row[i] = last
		last = back[i][last]
	}
	return row
}
