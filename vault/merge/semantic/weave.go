package semantic

import (
	"fmt"
	"slices"
	"strings"

	"kist/vault/merge/arrange"
	"kist/vault/merge/dates"
)

// A weaver makes one tree of three. A thing is what one node is in all versions that have
// it, told by a number.
type weaver struct {
	trees  [versions]*tree
	nodes  [versions][]*node // by thing; nil where a version doesn't have it
	text   []string          // what the thing's own lines become
	alive  []bool
	parent []int           // the thing that it is in; the root is 0
	in     [versions][]int // what a thing is in, in each version
	into   map[int]int     // of a section that a side dissolved: where what was in it went
	kids   map[int][]int   // what is in a thing, in order
	tables map[int]*columnMerge

	conflicts []Conflict
}

// mergeBody merges the text behind the front matter. Without a base everything is added.
// False: no arrangement of it was found.
func mergeBody(base, ours, theirs string) (string, []Conflict, bool) {
	w := &weaver{into: map[int]int{}, kids: map[int][]int{}, tables: map[int]*columnMerge{}}
	for v, text := range []string{base, ours, theirs} {
		w.trees[v] = parse(text)
	}
	w.identify()
	w.live()
	if !w.place() {
		return "", nil, false
	}
	w.mergeTables()
	w.mergeTexts()
	w.arrange()
	out := w.flat(nil, 0)
	w.renumber()
	return w.write(out), w.conflicts, true
}

// identify gives every node its thing.
func (w *weaver) identify() {
	w.thing(w.trees[inBase].root, w.trees[inOurs].root, w.trees[inTheirs].root)
	ours, theirs := match(w.trees[inBase], w.trees[inOurs]), match(w.trees[inBase], w.trees[inTheirs])
	for _, b := range w.trees[inBase].nodes {
		w.thing(b, ours.to[b], theirs.to[b])
	}
	type key struct {
		parent int
		kind   kind
		name   string
	}
	added := map[key][]*node{}
	of := func(n *node) key {
		if n.kind == item || n.kind == paragraph {
			return key{n.parent.id, n.kind, dates.Occurrence(firstLine(n))}
		}
		return key{n.parent.id, n.kind, n.name}
	}
	for _, n := range w.trees[inOurs].nodes {
		if ours.from[n] == nil {
			w.thing(nil, n, nil)
			added[of(n)] = append(added[of(n)], n)
		}
	}
	for _, n := range w.trees[inTheirs].nodes {
		if theirs.from[n] != nil {
			continue
		}
		list := added[of(n)]
		if i := slices.IndexFunc(list, func(o *node) bool { return oneAddition(o, n) }); i >= 0 {
			n.id, w.nodes[inTheirs][list[i].id] = list[i].id, n
			added[of(n)] = slices.Delete(list, i, i+1)
			continue
		}
		w.thing(nil, nil, n)
	}
	w.text, w.alive, w.parent = make([]string, w.len()), make([]bool, w.len()), make([]int, w.len())
}

// oneAddition reports whether what two sides added, and begins alike, is one thing, of which one of them may have more lines.
func oneAddition(o, t *node) bool {
	a, b := splitItem(o.text).rest, splitItem(t.text).rest
	return dates.Occurrence(o.name) == dates.Occurrence(t.name) || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

func (w *weaver) thing(nodes ...*node) {
	id := w.len()
	for v, n := range nodes {
		w.nodes[v] = append(w.nodes[v], n)
		if n != nil {
			n.id = id
		}
	}
}

func (w *weaver) len() int { return len(w.nodes[inBase]) }

func (w *weaver) has(v, id int) bool { return w.nodes[v][id] != nil }

// any returns a version of a thing: ours before theirs before the base's.
func (w *weaver) any(id int) *node {
	for _, v := range []int{inOurs, inTheirs, inBase} {
		if w.has(v, id) {
			return w.nodes[v][id]
		}
	}
	return nil
}

// changed reports whether a side added a thing, put it elsewhere or changed its own lines, its
// number in a list or its indentation aside.
func (w *weaver) changed(v, id int) bool {
	b, n := w.nodes[inBase][id], w.nodes[v][id]
	switch {
	case b == nil || n == nil:
		return n != nil
	case n.parent != nil && n.parent.id != b.parent.id && notHeading(n):
		return true
	case n.text == b.text:
		return false
	}
	if n.kind == item {
		x, y := splitItem(b.text), splitItem(n.text)
		return x.rest != y.rest || x.box != y.box
	}
	return true
}

// live finds out what is in the result: all that both sides have or one added, and what one
// deleted and the other changed.
func (w *weaver) live() {
	for id := range w.alive {
		o, t := w.has(inOurs, id), w.has(inTheirs, id)
		w.alive[id] = o && t || o && w.changed(inOurs, id) || t && w.changed(inTheirs, id)
	}
	for id := range w.alive {
		n := w.nodes[inBase][id]
		if n == nil || n.kind != heading && n.kind != table {
			continue
		}
		switch o, t := w.has(inOurs, id), w.has(inTheirs, id); {
		case o && !t:
			w.deleted(id, inTheirs, inOurs)
		case t && !o:
			w.deleted(id, inOurs, inTheirs)
		}
	}
}

// deleted decides about a section or table that one side doesn't have any more. If the other
// changed something in it, all of it stays; if it was only taken apart, what was added to it
// goes where the rest went.
func (w *weaver) deleted(id, by, other int) {
	b := w.nodes[inBase][id]
	left := 0
	for _, c := range own(b) {
		if n := w.nodes[by][c.id]; n != nil {
			left++
			w.into[id] = n.parent.id
		}
	}
	if left*2 > len(own(b)) {
		return
	}
	delete(w.into, id)
	touched := w.changed(other, id)
	for _, c := range own(w.nodes[other][id]) {
		touched = touched || w.changed(other, c.id)
	}
	if !touched {
		return
	}
	w.alive[id] = true
	for _, c := range own(w.nodes[other][id]) {
		w.alive[c.id] = true
	}
}

// place finds what each thing is in. It is false where that would be itself.
func (w *weaver) place() bool {
	for v := range versions {
		w.in[v] = make([]int, w.len())
		for id := range w.in[v] {
			w.in[v][id] = w.container(v, id)
		}
	}
	w.split(inOurs, inTheirs)
	w.split(inTheirs, inOurs)
	for id := 1; id < w.len(); id++ {
		b, o, t := w.in[inBase][id], w.in[inOurs][id], w.in[inTheirs][id]
		switch {
		case !w.alive[id]:
		case o < 0:
			w.parent[id] = t
		case t < 0:
			w.parent[id] = o
		default:
			w.parent[id] = w.chooseParent(id, b, o, t)
		}
	}
	// What something is in must be there, and not be in it.
	for id := 1; id < w.len(); id++ {
		steps := 0
		for p := id; w.alive[id] && p != 0; p = w.parent[p] {
			if steps++; steps > w.len() {
				return false
			}
			if !w.alive[p] {
				w.alive[p] = true
				w.parent[p] = max(w.in[inOurs][p], w.in[inTheirs][p], w.in[inBase][p])
			}
		}
	}
	return true
}

// chooseParent returns what a thing is in. For an item that both put into different ones that is a
// contradiction, since columns of a board say how far it is; for all else one of the two will do.
func (w *weaver) chooseParent(id, b, o, t int) int {
	switch {
	case o == b:
		return t
	case b < 0 || o == t || t == b:
		return o
	case w.any(id).kind == item:
		w.contest(id, "place of ")
		return o
	}
	ours, theirs := address(w.nodes[inOurs][id].parent), address(w.nodes[inTheirs][id].parent)
	if ours < theirs || ours == theirs && w.has(inBase, o) && (!w.has(inBase, t) || o < t) {
		return o
	}
	return t
}

// address returns the names of a node and of what it is in, each with its place there.
func address(n *node) string {
	text := ""
	for ; n.parent != nil; n = n.parent {
		text += fmt.Sprintf("%s\n%06d\n", n.letters(), childIndex(n))
	}
	return text
}

// split looks at the other versions as if what a side put below a new heading stood there in
// them as well, with what the other side added behind it.
func (w *weaver) split(v, other int) {
	into := map[int]int{}
	for id := 1; id < w.len(); id++ {
		b, to := w.nodes[inBase][id], w.in[v][id]
		if b != nil && to > 0 && w.has(other, id) && w.nodes[inBase][to] == nil && notHeading(b) && w.any(to).kind == heading &&
			w.in[other][id] == w.in[inBase][id] {
			into[id] = to
		}
	}
	last := map[*node]*node{} // child of a node so far
	for _, n := range w.trees[other].nodes {
		before := last[n.parent]
		last[n.parent] = n
		if before != nil && w.nodes[inBase][n.id] == nil && !w.has(v, n.id) && notHeading(n) && into[before.id] > 0 {
			into[n.id] = into[before.id]
		}
	}
	for id, to := range into {
		w.in[other][id] = to
		if w.has(inBase, id) {
			w.in[inBase][id] = to
		}
	}
}

// container returns what a thing is in, in a version, -1 where it isn't there; of what is in
// a section that a side dissolved, where the rest of it went.
func (w *weaver) container(v, id int) int {
	if id == 0 || !w.has(v, id) {
		return -1
	}
	p := w.nodes[v][id].parent.id
	for range w.len() {
		to, ok := w.into[p]
		if !ok || w.alive[p] {
			break
		}
		p = to
	}
	return p
}

// mergeTexts merges the own lines of everything.
func (w *weaver) mergeTexts() {
	for id := 1; id < w.len(); id++ {
		if !w.alive[id] {
			continue
		}
		var t triple
		for v := range versions {
			if w.has(v, id) {
				t[v] = w.nodes[v][id].text
			}
		}
		text, clean := w.mergeText(id, t)
		if !clean && w.any(id).kind == paragraph {
			text, clean = w.mergeSplit(id, t, text)
		}
		w.text[id] = text
		if !clean {
			w.conflicts = append(w.conflicts, Conflict{Where: w.where(id), Base: t[inBase], Ours: t[inOurs], Theirs: t[inTheirs]})
		}
	}
}

func (w *weaver) mergeText(id int, t triple) (string, bool) {
	n := w.any(id)
	in := w.tables[w.parent[id]]
	switch {
	case n.kind == row && in != nil && !in.whole && !in.same && w.stays(id):
		return in.mergeRow(t)
	case t[inOurs] == "":
		return t[inTheirs], true
	case t[inTheirs] == "":
		return t[inOurs], true
	}
	switch n.kind {
	case row:
		if in != nil && w.stays(id) {
			return in.mergeRow(t)
		}
		return mergeWords(t)
	case table:
		return w.tables[id].mergeHead(t)
	case item:
		return mergeItem(t)
	case verbatim:
		return mergeLines(t)
	case heading:
		return mergeHeading(t)
	}
	return mergeProse(t)
}

// mergeSplit merges a paragraph that a side may have made several of: with those that it added
// directly behind it.
func (w *weaver) mergeSplit(id int, t triple, text string) (string, bool) {
	var parts []int
	for v := inOurs; v <= inTheirs; v++ {
		n := w.nodes[v][id]
		gap := n.gap
		for _, next := range n.parent.children[childIndex(n)+1:] {
			if next.kind != paragraph || w.has(inBase, next.id) || w.has(inOurs+inTheirs-v, next.id) {
				break
			}
			t[v] += gap + next.text
			gap = next.gap
			parts = append(parts, next.id)
		}
	}
	whole, clean := mergeProse(t)
	if len(parts) == 0 || !clean {
		return text, false
	}
	for _, part := range parts {
		w.alive[part] = false
	}
	return whole, true
}

// stays reports whether a thing is in the same in all versions.
func (w *weaver) stays(id int) bool {
	for v := range versions {
		if w.has(v, id) && w.nodes[v][id].parent.id != w.parent[id] {
			return false
		}
	}
	return true
}

// mergeHeading merges level and words of a heading.
func mergeHeading(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	var marks, titles triple
	for v, text := range t {
		titles[v] = strings.TrimLeft(text, "#")
		marks[v] = text[:len(text)-len(titles[v])]
	}
	mark, fine := marks.settled()
	if !fine {
		mark = marks[inOurs]
	}
	title, clean := mergeWords(titles)
	return mark + title, clean && fine
}

func (w *weaver) contest(id int, prefix string) {
	c := Conflict{Where: prefix + w.where(id)}
	for v, text := range []*string{&c.Base, &c.Ours, &c.Theirs} {
		if w.has(v, id) {
			*text = w.nodes[v][id].text
		}
	}
	w.conflicts = append(w.conflicts, c)
}

// where names a thing for a person.
func (w *weaver) where(id int) string {
	n := w.any(id)
	switch n.kind {
	case heading:
		return "section " + titleOf(n)
	case item:
		return "item " + short(splitItem(n.text).rest)
	case row:
		return "row " + short(strings.Join(cells(n.text)[:min(1, len(cells(n.text)))], ""))
	}
	what := map[kind]string{table: "table", paragraph: "paragraph", verbatim: "block"}[n.kind]
	for p := n.parent; p != nil; p = p.parent {
		if p.kind == heading {
			return what + " in section " + titleOf(p)
		}
	}
	return fmt.Sprintf("%s %s", what, short(n.text))
}

func titleOf(n *node) string { return short(strings.TrimLeft(strings.Split(n.text, "\n")[0], "# ")) }

// arrange finds the order in each thing.
func (w *weaver) arrange() {
	seqs := map[int]*arrange.Order{}
	for id := range w.len() {
		if w.alive[id] || id == 0 {
			seqs[id] = &arrange.Order{Before: w.precedes(id)}
		}
	}
	for v := range versions {
		for _, n := range w.trees[v].nodes {
			if w.alive[n.id] && w.parent[n.id] == w.in[v][n.id] {
				a := seqs[w.parent[n.id]]
				a.Seq[v] = append(a.Seq[v], n.id)
			}
		}
	}
	for id := range w.len() {
		if seqs[id] == nil {
			continue
		}
		out := seqs[id].Arrange(func(int) bool { return true })
		slices.SortStableFunc(out, func(a, b int) int { return w.section(a) - w.section(b) })
		w.kids[id] = out
	}
}

// section is 1 for what comes behind the text of a section, the sections below it.
func (w *weaver) section(id int) int {
	if w.any(id).kind == heading {
		return 1
	}
	return 0
}

// precedes returns which of two things that both sides put at one place comes first: what
// goes on with a list before what ends it, and else as the letters go, or against them
// where all that was there does; of two of one text what one side alone has.
func (w *weaver) precedes(in int) func(a, b int) bool {
	sign := 1
	if n := w.nodes[inBase][in]; n != nil && descending(n.children) {
		sign = -1
	}
	return func(a, b int) bool {
		x, y := w.any(a), w.any(b)
		if listed(x) != listed(y) {
			return listed(x)
		}
		if c := strings.Compare(w.letters(a), w.letters(b)) * sign; c != 0 {
			return c < 0
		}
		return !w.shared(a) && w.shared(b)
	}
}

// shared reports whether both sides have a thing.
func (w *weaver) shared(id int) bool { return w.has(inOurs, id) && w.has(inTheirs, id) }

// letters returns what a thing is put in order by, the same whichever side is which.
func (w *weaver) letters(id int) string {
	o, t := w.nodes[inOurs][id], w.nodes[inTheirs][id]
	switch {
	case o == nil && t == nil:
		return ""
	case o == nil:
		return t.letters()
	case t == nil:
		return o.letters()
	}
	return min(o.letters(), t.letters())
}

// descending reports whether a list goes against the letters, as one with the newest day first.
func descending(list []*node) bool {
	n := 0
	for i := 1; i < len(list); i++ {
		a, b := list[i-1].name, list[i].name
		if list[i].kind != list[i-1].kind {
			continue
		}
		if n++; a == "" || a[0] < '0' || a[0] > '9' || b >= a {
			return false
		}
	}
	return n > 0
}

// flat returns all that is in a thing, in the order of the text.
func (w *weaver) flat(out []int, id int) []int {
	for _, c := range w.kids[id] {
		out = w.flat(append(out, c), c)
	}
	return out
}
