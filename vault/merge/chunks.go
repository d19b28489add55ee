package merge

import (
	"sort"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// A chunk says that a[a0:a1] became b[b0:b1].
type chunk struct{ a0, a1, b0, b1 int }

// A Change says that a[A0:A1] became b[B0:B1].
type Change struct{ A0, A1, B0, B1 int }

// Compare returns the differences between two lists of lines, or of anything else
// written as texts, in order; between two changes there is at least one equal element.
// The cost grows with the size only: what has little in common is one change.
func Compare(a, b []string) []Change {
	chunks := compare(a, b)
	changes := make([]Change, len(chunks))
	for i, c := range chunks {
		changes[i] = Change{c.a0, c.a1, c.b0, c.b1}
	}
	return changes
}

// maxPart is the size, in lines of both texts, up to which a stretch without
// anchors is compared line by line. The search is cut off after a fixed number
// of differences, so that the cost grows with the size only.
const maxPart = 200_000

// splitLines returns the lines of a text with their endings.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// compare returns the differences between two texts in order; between two
// chunks there is at least one equal line.
func compare(a, b []string) []chunk {
	c := comparer{a: a, b: b}
	c.part(0, len(a), 0, len(b))
	return c.chunks
}

type comparer struct {
	a, b   []string
	chunks []chunk
}

// part compares a[a0:a1] with b[b0:b1]: it cuts what is equal off both ends,
// divides the rest at lines that are there once in both (patience diff), and
// has the parts between them compared by the library.
func (c *comparer) part(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && c.a[a0] == c.b[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && c.a[a1-1] == c.b[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	if a0 == a1 || b0 == b1 {
		c.add(chunk{a0, a1, b0, b1})
		return
	}
	for _, m := range c.anchors(a0, a1, b0, b1) {
		c.gap(a0, m.a, b0, m.b)
		a0, b0 = m.a+1, m.b+1
	}
	c.gap(a0, a1, b0, b1)
}

// gap compares a stretch without anchors.
func (c *comparer) gap(a0, a1, b0, b1 int) {
	if a0 == a1 || b0 == b1 || a1-a0+b1-b0 > maxPart {
		c.add(chunk{a0, a1, b0, b1})
		return
	}
	for _, d := range lcs.DiffLines(c.a[a0:a1], c.b[b0:b1]) {
		c.add(chunk{a0 + d.Start, a0 + d.End, b0 + d.ReplStart, b0 + d.ReplEnd})
	}
}

// add appends a chunk, joining it with the one before where they touch.
func (c *comparer) add(next chunk) {
	if next.a0 == next.a1 && next.b0 == next.b1 {
		return
	}
	if n := len(c.chunks); n > 0 && c.chunks[n-1].a1 == next.a0 && c.chunks[n-1].b1 == next.b0 {
		c.chunks[n-1].a1, c.chunks[n-1].b1 = next.a1, next.b1
		return
	}
	c.chunks = append(c.chunks, next)
}

// A match is a pair of equal lines.
type match struct{ a, b int }

// anchors returns the longest series of lines that are there exactly once in
// both stretches and in the same order.
func (c *comparer) anchors(a0, a1, b0, b1 int) []match {
	type count struct{ inA, inB, a, b int }
	counts := make(map[string]count, a1-a0)
	for i := a0; i < a1; i++ {
		n := counts[c.a[i]]
		n.inA, n.a = n.inA+1, i
		counts[c.a[i]] = n
	}
	for i := b0; i < b1; i++ {
		if n, ok := counts[c.b[i]]; ok {
			n.inB, n.b = n.inB+1, i
			counts[c.b[i]] = n
		}
	}
	var unique []match
	for i := a0; i < a1; i++ {
		if n := counts[c.a[i]]; n.inA == 1 && n.inB == 1 {
			unique = append(unique, match{n.a, n.b})
		}
	}
	numbers := make([]int, len(unique))
	for i, m := range unique {
		numbers[i] = m.b
	}
	var out []match
	for _, i := range Increasing(numbers) {
		out = append(out, unique[i])
	}
	return out
}

// Increasing returns the indices, in order, of the longest subsequence of numbers that increases
// (patience sorting).
func Increasing(numbers []int) []int {
	var piles []int // index of the top card
	before := make([]int, len(numbers))
	for i, n := range numbers {
		p := sort.Search(len(piles), func(p int) bool { return numbers[piles[p]] >= n })
		before[i] = -1
		if p > 0 {
			before[i] = piles[p-1]
		}
		if p == len(piles) {
			piles = append(piles, i)
		} else {
			piles[p] = i
		}
	}
	if len(piles) == 0 {
		return nil
	}
	out := make([]int, len(piles))
	for p, i := len(piles)-1, piles[len(piles)-1]; p >= 0; p, i = p-1, before[i] {
		out[p] = i
	}
	return out
}
