package semantic

import (
	"slices"
	"sort"
	"strings"

	"kist/vault/merge"
	"kist/vault/merge/words"
)

// How alike two nodes must be, of 1, to be taken for one that was changed. A node that
// went to another section as well must be more alike.
const (
	alikeHere  = 0.5
	alikeThere = 0.75
)

// How many pairs of nodes are compared by their words, at most: at one place, and in a document. What is left is matched by name alone.
const (
	maxCompared   = 200_000
	maxAltogether = 1_000_000
)

// A matching says which node of a side is which of the base's, and the other way round.
type matching struct {
	to, from map[*node]*node
	bags     map[*node]map[string]int
	sizes    map[*node]int
	compared int
}

// match finds what became of the base's nodes: sections by their headings, below each other, then what is in them, and what is left anywhere.
func match(base, side *tree) *matching {
	m := &matching{to: map[*node]*node{}, from: map[*node]*node{}, bags: map[*node]map[string]int{}, sizes: map[*node]int{}}
	m.join(base.root, side.root)
	m.headings(base.root, side.root)
	m.anywhere(base, side, func(n *node) bool { return n.kind == heading })
	for _, s := range side.nodes {
		if b := m.from[s]; b != nil && s.kind == heading {
			m.headings(b, s)
		}
	}
	m.content(base.root, side.root)
	for _, s := range side.nodes {
		if b := m.from[s]; b != nil && s.kind == heading {
			m.content(b, s)
		}
	}
	for _, s := range append(side.nodes, side.root) {
		if b := m.from[s]; b != nil && !listed(s) {
			m.named(m.unpaired(own(b), significant), m.unpaired(own(s), significant))
		}
	}
	m.anywhere(base, side, func(n *node) bool { return n.kind == item || n.kind == table || n.kind == row })
	m.short(base, side)
	m.anywhere(base, side, func(n *node) bool { return n.kind == paragraph || n.kind == verbatim })
	// Only now, so that nothing is taken for what was written in the place of something that moved away.
	for _, s := range append(side.nodes, side.root) {
		if b := m.from[s]; b != nil {
			m.between(b, s, m.anew)
		}
	}
	return m
}

func (m *matching) join(b, s *node) { m.to[b], m.from[s] = s, b }

// unpaired returns the nodes of a list that have no partner yet and are wanted.
func (m *matching) unpaired(list []*node, want func(*node) bool) []*node {
	return slices.DeleteFunc(slices.Clone(list), func(n *node) bool {
		return m.to[n] != nil || m.from[n] != nil || !want(n)
	})
}

// headings matches the sections directly below two that belong together, and so on down.
func (m *matching) headings(b, s *node) {
	isHeading := func(n *node) bool { return n.kind == heading }
	m.named(m.unpaired(b.children, isHeading), m.unpaired(s.children, isHeading))
	x, y := m.unpaired(b.children, isHeading), m.unpaired(s.children, isHeading)
	m.greedy(x, y, func(b, s *node) float64 {
		return m.renamed(b, s)
	}, alikeHere)
	m.between(b, s, func(x, y []*node) {
		if alone(x, y) && isHeading(x[0]) && m.related(x[0], y[0]) {
			m.join(x[0], y[0])
		}
	})
	for _, child := range s.children {
		if p := m.from[child]; p != nil && isHeading(child) && p.parent == b {
			m.headings(p, child)
		}
	}
}

// renamed returns how likely one section is the other with another heading: words of the heading
// say more than what is below it.
func (m *matching) renamed(b, s *node) float64 {
	named, below := m.similar(b, s), m.overlap(b, s)
	if named >= alikeHere {
		return 1 + named + below
	}
	return below - float64(abs(b.level-s.level))/10
}

// related reports whether two sections have something alike directly in them, or both nothing.
func (m *matching) related(b, s *node) bool {
	if len(b.children)+len(s.children) == 0 {
		return true
	}
	if !m.affords(len(b.children) * len(s.children)) {
		return false
	}
	for _, x := range b.children {
		for _, y := range s.children {
			if x.kind == y.kind && m.similar(x, y) >= alikeHere {
				return true
			}
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// named matches nodes with the same kind and name; of several, those with the same things
// in them, and then one after the other.
func (m *matching) named(x, y []*node) {
	type key struct {
		kind kind
		name string
	}
	groups := map[key][]*node{}
	for _, n := range x {
		groups[key{n.kind, n.name}] = append(groups[key{n.kind, n.name}], n)
	}
	var order []key
	other := map[key][]*node{}
	for _, n := range y {
		k := key{n.kind, n.name}
		if len(groups[k]) == 0 {
			continue
		}
		if len(other[k]) == 0 {
			order = append(order, k)
		}
		other[k] = append(other[k], n)
	}
	for _, k := range order {
		b, s := groups[k], other[k]
		if len(b) == len(s) || len(b)*len(s) > maxCompared {
			for i := range min(len(b), len(s)) {
				m.join(b[i], s[i])
			}
			continue
		}
		m.greedy(b, s, func(b, s *node) float64 { return 1 + m.overlap(b, s) }, 1)
	}
}

// content matches what is directly in two sections, items or tables, and what is inside of
// that. First what is the same in the same order, then what has the same name, and what is
// alike.
func (m *matching) content(b, s *node) {
	x := m.unpaired(b.children, notHeading)
	y := m.unpaired(s.children, notHeading)
	i, j := 0, 0
	pairUp := func(toI int) {
		for ; i < toI; i, j = i+1, j+1 {
			m.join(x[i], y[j])
		}
	}
	for _, c := range merge.Compare(wholes(x), wholes(y)) {
		pairUp(c.A0)
		i, j = c.A1, c.B1
	}
	pairUp(len(x))
	m.named(m.unpaired(x, significant), m.unpaired(y, significant))
	m.greedy(m.unpaired(x, notHeading), m.unpaired(y, notHeading), m.reworded, alikeHere)
	m.inside(b, s)
}

// inside goes on with what is in the items and tables of two nodes.
func (m *matching) inside(b, s *node) {
	for _, child := range s.children {
		if p := m.from[child]; p != nil && notHeading(child) && p.parent == b {
			m.content(p, child)
		}
	}
}

// significant reports whether a node's name says which one it is.
func significant(n *node) bool { return strings.Trim(n.name, "-*_=|: ") != "" }

// telling reports whether a name is long enough to be looked for in other sections.
func telling(n *node) bool {
	return n.kind == heading || len(strings.Fields(n.name)) > 1 || len(n.name) >= 8
}

// wholes returns each node with all that is in it, so that what has the same text and other
// things below is not the same.
func wholes(list []*node) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = string(rune('0'+n.kind)) + n.with(func(c *node) string { return c.text })
	}
	return out
}

// anywhere matches what no partner was found for in its own place with what has the same
// name elsewhere, or nearly the same words.
func (m *matching) anywhere(base, side *tree, want func(*node) bool) {
	which := func(n *node) bool { return want(n) && significant(n) && telling(n) }
	m.named(m.unpaired(base.nodes, which), m.unpaired(side.nodes, which))
	score := m.similar
	if len(base.nodes) > 0 && want(&node{kind: heading}) {
		score = func(b, s *node) float64 { return min(m.overlap(b, s), 1) * m.weight(b) }
	}
	m.greedy(m.unpaired(base.nodes, which), m.unpaired(side.nodes, which), score, alikeThere)
	for _, s := range side.nodes {
		if b := m.from[s]; b != nil && want(s) && notHeading(s) {
			m.content(b, s)
		}
	}
}

// short matches items whose names are too short for anywhere, such as "Milk", where as many of one name have come
// to other places as are gone from theirs.
func (m *matching) short(base, side *tree) {
	which := func(n *node) bool { return n.kind == item && significant(n) && !telling(n) }
	gone, come := m.unpaired(base.nodes, which), m.unpaired(side.nodes, which)
	count := map[string]int{}
	for _, n := range gone {
		count[n.name]++
	}
	for _, n := range come {
		count[n.name]--
	}
	uneven := func(n *node) bool { return count[n.name] != 0 }
	m.named(slices.DeleteFunc(gone, uneven), slices.DeleteFunc(come, uneven))
	for _, s := range come {
		if b := m.from[s]; b != nil {
			m.content(b, s)
		}
	}
}

// goesOn reports whether one of two items begins with all words of the other, as "Milk, 2 litres" with those of "Milk".
func goesOn(x, y *node) bool {
	a, b := bareWords(x.name), bareWords(y.name)
	n := min(len(a), len(b))
	return n > 0 && slices.Equal(a[:n], b[:n])
}

// reworded is similar for two at one place. An item that goes on as the other begins is that one sooner than any that has its words
// among others: "Milk (2 l)" is "Milk" sooner than "Oat milk", which is that only in its place.
func (m *matching) reworded(b, s *node) float64 {
	score := m.similar(b, s)
	switch {
	case b.kind != item || s.kind != item || score < alikeHere || score == 1:
	case goesOn(b, s):
		return (9 + score) / 10
	case m.single(b) || m.single(s):
		return 0 // but see between
	}
	return score
}

// single reports whether a node's name is one word.
func (m *matching) single(n *node) bool {
	_, size := m.bag(n)
	return size == 1
}

// weight is 1 for a section with enough in it to be known again by that, else 0.
func (m *matching) weight(n *node) float64 {
	if len(n.children) < 2 {
		return 0
	}
	return 1
}

// greedy joins the pairs with the highest scores first, down to least.
func (m *matching) greedy(x, y []*node, score func(b, s *node) float64, least float64) {
	if !m.affords(len(x) * len(y)) {
		return
	}
	type pair struct {
		score float64
		i, j  int
	}
	var pairs []pair
	for i, b := range x {
		for j, s := range y {
			if b.kind != s.kind {
				continue
			}
			if v := score(b, s); v >= least {
				pairs = append(pairs, pair{v, i, j})
			}
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool {
		return pairs[i].score > pairs[j].score || pairs[i].score == pairs[j].score && abs(pairs[i].i-pairs[i].j) < abs(pairs[j].i-pairs[j].j)
	})
	for _, p := range pairs {
		if m.to[x[p.i]] == nil && m.from[y[p.j]] == nil {
			m.join(x[p.i], y[p.j])
		}
	}
}

// affords reports whether so many pairs may still be compared, and counts them.
func (m *matching) affords(pairs int) bool {
	if pairs > maxCompared || m.compared+pairs > maxAltogether {
		return false
	}
	m.compared += pairs
	return true
}

// anew joins what stands alone between the same neighbours on both sides: a paragraph that was written anew. Of items
// the first is the one that was there, where it has its words, and what follows was added.
func (m *matching) anew(x, y []*node) {
	switch b, s := x[0], y[0]; {
	case b.kind == item && s.kind == item && b.level == s.level && m.similar(b, s) >= alikeHere:
		m.join(b, s)
		m.content(b, s)
	case !alone(x, y):
		if i := slices.IndexFunc(y, func(s *node) bool { return s.kind == paragraph && goesOn(b, s) }); len(x) == 1 && b.kind == paragraph && i >= 0 {
			m.join(b, y[i]) // beside something new
		}
	case b.kind == table:
		m.join(b, s)
		m.content(b, s)
	case b.kind == paragraph || b.kind == verbatim || b.kind == item && goesOn(b, s):
		m.join(b, s)
	}
}

// alone reports whether there is one node on both sides, and of one kind and level.
func alone(x, y []*node) bool {
	return len(x) == 1 && len(y) == 1 && x[0].kind == y[0].kind && x[0].level == y[0].level
}

// between tells what stands without a partner in two gaps between the same neighbours on both sides, neither of them empty.
func (m *matching) between(b, s *node, tell func(x, y []*node)) {
	gap := func(list []*node, at int, partner map[*node]*node) (free []*node, next int) {
		for ; at < len(list) && partner[list[at]] == nil; at++ {
			free = append(free, list[at])
		}
		return free, at
	}
	for i, j := 0, 0; ; {
		x, nextB := gap(b.children, i, m.to)
		y, nextS := gap(s.children, j, m.from)
		if len(x) > 0 && len(y) > 0 {
			tell(x, y)
		}
		if nextB == len(b.children) || nextS == len(s.children) {
			return
		}
		// Go on behind the next neighbour of the base's that stands here in order.
		partner := m.to[b.children[nextB]]
		k := slices.Index(s.children[j:], partner)
		if k < 0 {
			i = nextB + 1
			continue
		}
		i, j = nextB+1, j+k+1
	}
}

// bag returns a node's words, counted.
func (m *matching) bag(n *node) (map[string]int, int) {
	if bag, ok := m.bags[n]; ok {
		return bag, m.sizes[n]
	}
	bag, size := map[string]int{}, 0
	name := n.name
	if n.kind == row {
		name = strings.ToLower(strings.Join(cells(n.text), " "))
	}
	for _, w := range words.Of(name) {
		if !blank(w) {
			bag[w]++
			size++
		}
	}
	m.bags[n], m.sizes[n] = bag, size
	return bag, size
}

// similar returns how many words two nodes share, from 0 to 1. Items that begin with the same
// line are as alike as they can be.
func (m *matching) similar(b, s *node) float64 {
	if b.kind == item && s.kind == item && firstLine(b) == firstLine(s) {
		return 1
	}
	x, n := m.bag(b)
	y, k := m.bag(s)
	if n+k == 0 || 2*min(n, k) < (n+k)/3 {
		return 0
	}
	both := 0
	for w, c := range x {
		both += min(c, y[w])
	}
	return 2 * float64(both) / float64(n+k)
}

func firstLine(n *node) string {
	line, _, _ := strings.Cut(n.text, "\n")
	return itemName(line)
}

// gist returns the names of a node and of what is in it.
func gist(n *node) string {
	return n.name + "\n" + n.with(func(c *node) string { return c.name + "\n" })
}

// overlap returns how much of what is directly in them two nodes share, from 0 to 1.
func (m *matching) overlap(b, s *node) float64 {
	if len(b.children)+len(s.children) == 0 {
		return 0
	}
	have := map[string]int{}
	for _, c := range b.children {
		have[gist(c)]++
	}
	both := 0
	for _, c := range s.children {
		if key := gist(c); have[key] > 0 {
			have[key]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(b.children)+len(s.children))
}
