package semantic

import (
	"cmp"
	"slices"
	"strings"

	"kist/vault/merge/arrange"
)

// mergePatterns keeps what both sides added, and takes out what one of them did: of two lines at one place none contradicts
// the other, and one that is lost makes public what it kept away. Of patterns the last one that fits counts, so that what was added with an
// exception ("!...") stands before what was added without.
func mergePatterns(t triple) string {
	var b strings.Builder
	for _, r := range regions(splitLines(t[inBase]), splitLines(t[inOurs]), splitLines(t[inTheirs]), true) {
		list := r.merged()
		if r.contested() {
			list = r.union()
		}
		b.WriteString(strings.Join(list, ""))
	}
	return b.String()
}

// union returns the lines that both sides have and those that one of them added, each side's in its order.
func (r region) union() (out []string) {
	type line struct {
		text string
		n    int // such lines before it
	}
	var a arrange.Order
	var lines []line
	number, except := map[line]int{}, map[int]bool{} // what a side added that also added an exception
	for v, list := range [][]string{r.base, r.ours, r.theirs} {
		seen := map[string]int{}
		excepts := slices.ContainsFunc(list, func(l string) bool { return strings.HasPrefix(l, "!") && !slices.Contains(r.base, l) })
		for _, text := range list {
			key := line{text, seen[text]}
			seen[text]++
			id, ok := number[key]
			if !ok {
				id = len(lines)
				number[key], lines = id, append(lines, key)
			}
			except[id] = excepts && (!ok || except[id])
			a.Seq[v] = append(a.Seq[v], id)
		}
	}
	base, ours, theirs := slices.Clone(a.Seq[inBase]), slices.Clone(a.Seq[inOurs]), slices.Clone(a.Seq[inTheirs])
	a.Before = func(x, y int) bool {
		if except[x] != except[y] {
			return except[x]
		}
		return cmp.Or(strings.Compare(lines[x].text, lines[y].text), lines[y].n-lines[x].n) < 0
	}
	stays := func(id int) bool {
		return !slices.Contains(base, id) || slices.Contains(ours, id) && slices.Contains(theirs, id)
	}
	for _, id := range a.Arrange(stays) {
		out = append(out, lines[id].text)
	}
	return out
}
