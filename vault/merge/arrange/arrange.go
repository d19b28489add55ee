/*
Package arrange makes one order of the three that some things have in a base and two versions made from it.
*/
package arrange

import (
	"slices"

	"kist/vault/merge"
)

// The three versions of anything, as indices.
const (
	inBase = iota
	inOurs
	inTheirs
	versions
)

// An Order is the order that some things, by number, have in each version. A
// thing is in a version at most once.
type Order struct {
	Seq    [versions][]int
	Before func(a, b int) bool // which of two comes first that both sides put at one place; same for both sides

	pos   [versions]map[int]int
	moved [versions]map[int]bool
	next  map[int][]int // what stands behind a thing and isn't fixed
}

// start stands for the place before the first thing.
const start = -1

// Arrange returns one order of all that is alive: what neither side moved stays in
// the base's order, and all else stands behind what it follows in the version that
// moved or added it. What both moved, or added, to different places stands at the one
// that comes first in the base.
func (a *Order) Arrange(alive func(int) bool) (out []int) {
	a.next = map[int][]int{}
	var all []int
	for v, list := range a.Seq {
		a.Seq[v] = nil
		for _, id := range list {
			if alive(id) {
				a.Seq[v] = append(a.Seq[v], id)
			}
		}
		a.pos[v] = map[int]int{}
		for i, id := range a.Seq[v] {
			if !a.known(id, v) {
				all = append(all, id)
			}
			a.pos[v][id] = i
		}
	}
	for v := inOurs; v <= inTheirs; v++ {
		a.moved[v] = a.displaced(v)
	}
	fixed := []int{start}
	for _, id := range all {
		if a.has(inBase, id) && !a.moved[inOurs][id] && !a.moved[inTheirs][id] {
			fixed = append(fixed, id)
			continue
		}
		p := a.previous(a.owner(id), id)
		a.next[p] = append(a.next[p], id)
	}
	done := map[int]bool{}
	for _, id := range fixed {
		out = a.emit(out, id, done)
	}
	// What both sides moved behind each other has no place yet.
	rest := slices.DeleteFunc(all, func(id int) bool { return done[id] })
	slices.SortStableFunc(rest, a.compare)
	for _, id := range rest {
		out = a.emit(out, id, done)
	}
	return out
}

// compare is Before as a comparison.
func (a *Order) compare(x, y int) int {
	switch {
	case a.Before(x, y):
		return -1
	case a.Before(y, x):
		return 1
	}
	return 0
}

// known reports whether a version before v has the thing.
func (a *Order) known(id, v int) bool {
	for w := range v {
		if a.has(w, id) {
			return true
		}
	}
	return false
}

func (a *Order) has(v, id int) bool {
	_, ok := a.pos[v][id]
	return ok
}

// displaced returns what a side moved against the base: the fewest things without
// which the rest stands in the same order in both.
func (a *Order) displaced(v int) map[int]bool {
	var common []int
	for _, id := range a.Seq[v] {
		if a.has(inBase, id) {
			common = append(common, id)
		}
	}
	moved := map[int]bool{}
	for _, id := range common {
		moved[id] = true
	}
	at := make([]int, len(common))
	for i, id := range common {
		at[i] = a.pos[inBase][id]
	}
	for _, i := range merge.Increasing(at) {
		delete(moved, common[i])
	}
	return moved
}

// owner returns the side that says where a thing stands which isn't fixed.
func (a *Order) owner(id int) int {
	says := func(v int) bool { return a.has(v, id) && (!a.has(inBase, id) || a.moved[v][id]) }
	switch {
	case !says(inTheirs):
		return inOurs
	case !says(inOurs):
		return inTheirs
	}
	ours, theirs := a.previous(inOurs, id), a.previous(inTheirs, id)
	if c := a.place(ours) - a.place(theirs); c < 0 || c == 0 && (ours == theirs || a.Before(ours, theirs)) {
		return inOurs
	}
	return inTheirs
}

// place returns where a thing stands in the base, behind all where it doesn't.
func (a *Order) place(id int) int {
	if id == start {
		return -1
	}
	if i, ok := a.pos[inBase][id]; ok {
		return i
	}
	return len(a.Seq[inBase])
}

// previous returns what stands before a thing in a version, without what the other side put
// elsewhere.
func (a *Order) previous(v, id int) int {
	for i := a.pos[v][id] - 1; i >= 0; i-- {
		if before := a.Seq[v][i]; !a.moved[inOurs+inTheirs-v][before] || a.moved[v][before] {
			return before
		}
	}
	return start
}

// emit appends a thing and what follows it.
func (a *Order) emit(out []int, id int, done map[int]bool) []int {
	stack := []int{id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done[id] {
			continue
		}
		done[id] = true
		if id != start {
			out = append(out, id)
		}
		behind := slices.Clone(a.next[id])
		slices.SortStableFunc(behind, func(x, y int) int { return a.compare(y, x) }) // the last one pushed comes first
		stack = append(stack, behind...)
	}
	return out
}
