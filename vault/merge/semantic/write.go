package semantic

import (
	"strconv"
	"strings"
)

// write returns the text of things in the order given. Between two that a version has
// side by side the blank lines are as there.
func (w *weaver) write(out []int) string {
	var b strings.Builder
	g := w.newSpacing()
	b.WriteString(either(w.trees[inBase].lead, w.trees[inOurs].lead, w.trees[inTheirs].lead))
	for i, id := range out {
		b.WriteString(w.text[id])
		if i+1 < len(out) {
			b.WriteString(g.between(id, out[i+1]))
		}
	}
	if len(out) > 0 {
		b.WriteString(either(g.ending(inBase), g.ending(inOurs), g.ending(inTheirs)))
	}
	return b.String()
}

// spacing knows what stands behind each thing in each version.
type spacing struct {
	w    *weaver
	next [versions][]int // -1: nothing
	prev [versions][]int
}

func (w *weaver) newSpacing() *spacing {
	g := &spacing{w: w}
	for v := range versions {
		g.next[v], g.prev[v] = make([]int, w.len()), make([]int, w.len())
		for i := range g.next[v] {
			g.next[v][i], g.prev[v][i] = -1, -1
		}
		nodes := w.trees[v].nodes
		for i := 1; i < len(nodes); i++ {
			g.next[v][nodes[i-1].id], g.prev[v][nodes[i].id] = nodes[i].id, nodes[i-1].id
		}
	}
	return g
}

// ending returns the blank lines at the end of a version.
func (g *spacing) ending(v int) string {
	nodes := g.w.trees[v].nodes
	if len(nodes) == 0 {
		return ""
	}
	return nodes[len(nodes)-1].gap
}

// between returns the blank lines between two things.
func (g *spacing) between(x, y int) string {
	var gap [versions]string
	var there [versions]bool
	for v := range versions {
		if there[v] = g.next[v][x] == y; there[v] {
			gap[v] = g.w.nodes[v][x].gap
		}
	}
	b, o, t := gap[inBase], gap[inOurs], gap[inTheirs]
	switch {
	case there[inOurs] && there[inTheirs] && there[inBase]:
		return either(b, o, t)
	case there[inOurs] && there[inTheirs]:
		return longer(o, t)
	case there[inOurs]:
		return o
	case there[inTheirs]:
		return t
	case there[inBase]:
		return b
	}
	return g.fresh(x, y)
}

// fresh returns the blank lines between two things that no version has side by side: few in
// a list or table, and else as many as either has.
func (g *spacing) fresh(x, y int) string {
	a, b := g.w.any(x), g.w.any(y)
	if b.kind == row {
		return ""
	}
	inList := a.kind == item && b.kind == item
	behind, before := g.around(x, true, inList), g.around(y, false, inList)
	if inList {
		return shorter(behind, before)
	}
	gap := ""
	for _, s := range append(behind, before...) {
		gap = longer(gap, s)
	}
	if gap == "" && a.kind != heading && b.kind != heading && b.kind != item {
		gap = "\n" // else it would go on with what stands before it
	}
	return gap
}

// around returns the blank lines behind a thing, or before it, in the versions of both sides;
// in a list those to other items alone.
func (g *spacing) around(id int, behind, inList bool) (list []string) {
	for v := inOurs; v <= inTheirs; v++ {
		from, to := g.prev[v][id], id
		if behind {
			from, to = id, g.next[v][id]
		}
		if !g.w.has(v, id) || from < 0 || to < 0 || inList && (g.w.any(from).kind != item || g.w.any(to).kind != item) {
			continue
		}
		list = append(list, g.w.nodes[v][from].gap)
	}
	return list
}

// longer returns the one of two stretches of blank lines that has more of them, whichever comes first.
func longer(a, b string) string {
	switch d := strings.Count(b, "\n") - strings.Count(a, "\n"); {
	case d > 0:
		return b
	case d < 0:
		return a
	}
	return max(a, b)
}

// shorter returns the fewest blank lines of two sets, each of which stands for its most.
func shorter(a, b []string) string {
	most := func(list []string) (gap string) {
		for _, s := range list {
			gap = longer(gap, s)
		}
		return gap
	}
	x, y := most(a), most(b)
	if len(a) == 0 || len(b) > 0 && longer(y, x) == x {
		return y
	}
	return x
}

// renumber gives the items of numbered lists their numbers where both sides changed the list
// and all versions count from item to item.
func (w *weaver) renumber() {
	for id, kids := range w.kids {
		if w.same(id, inOurs) || w.same(id, inTheirs) {
			continue
		}
		for len(kids) > 0 {
			n := 0
			for n < len(kids) && w.number(kids[n]) >= 0 {
				n++
			}
			if n > 1 {
				w.count(kids[:n])
			}
			kids = kids[max(n, 1):]
		}
	}
}

// same reports whether a thing holds the same in a version as in the result.
func (w *weaver) same(id, v int) bool {
	n := w.nodes[v][id]
	if n == nil || len(n.children) != len(w.kids[id]) {
		return false
	}
	for i, c := range n.children {
		if c.id != w.kids[id][i] {
			return false
		}
	}
	return true
}

// number returns an item's number, -1 if it has none.
func (w *weaver) number(id int) int {
	if w.any(id).kind != item {
		return -1
	}
	return itemNumber(w.text[id])
}

func itemNumber(text string) int {
	bullet := splitItem(text).bullet
	if len(bullet) < 2 {
		return -1
	}
	n, err := strconv.Atoi(bullet[:len(bullet)-1])
	if err != nil {
		return -1
	}
	return n
}

// count numbers items from the least number on.
func (w *weaver) count(list []int) {
	first := -1
	for _, id := range list {
		for v := range versions {
			n := w.nodes[v][id]
			if n == nil {
				continue
			}
			k := itemNumber(n.text)
			if i := childIndex(n); i > 0 {
				if before := itemNumber(n.parent.children[i-1].text); before >= 0 && before+1 != k {
					return // not counted there
				}
			}
			if k >= 0 && (first < 0 || k < first) {
				first = k
			}
		}
	}
	for i, id := range list {
		p := splitItem(w.text[id])
		p.bullet = strconv.Itoa(first+i) + p.bullet[len(p.bullet)-1:]
		w.text[id] = p.String()
	}
}
