package semantic

import (
	"strings"

	"kist/vault/merge"
)

// Pool is [Merge] without a base for two versions that surely were made from one text, which nobody has. A paragraph that one of them
// has more of is that one; one that is written in two ways contradicts itself, where Merge would put both.
func Pool(ours, theirs []byte, o Options) Result {
	a, b := bodyOf(ours), bodyOf(theirs)
	if len(ours)+len(theirs) > maxText || !strings.HasSuffix(strings.ToLower(o.Path), ".md") {
		return Merge(nil, ours, theirs, o)
	}
	x, y := parse(string(ours[a:])), parse(string(theirs[b:]))
	m := match(x, y)
	var conflicts []Conflict
	for _, n := range y.nodes {
		p := m.from[n]
		if p == nil || n.kind != paragraph && n.kind != verbatim || p.kind != n.kind || p.text == n.text || m.similar(p, n) < alikeHere {
			continue
		}
		switch adds, takes := only(p.text, n.text); {
		case !takes:
			p.text = n.text
		case !adds:
			n.text = p.text
		default:
			conflicts = append(conflicts, Conflict{Where: "paragraph " + short(p.text), Ours: p.text, Theirs: n.text})
		}
	}
	if len(conflicts) > 0 {
		return Result{Text: ours, Conflicts: conflicts}
	}
	return Merge(nil, append(ours[:a:a], x.String()...), append(theirs[:b:b], y.String()...), o)
}

// bodyOf returns where the body of a text with whole lines begins; of any other that is at its end.
func bodyOf(text []byte) int {
	if _, body, ok := splitFront(string(text)); ok && !strings.Contains(body, "\r") && strings.HasSuffix(body, "\n") {
		return len(text) - len(body)
	}
	return len(text)
}

// only reports whether what leads from one text to another adds lines, and whether it takes some out.
func only(a, b string) (adds, takes bool) {
	for _, c := range merge.Compare(splitLines(a), splitLines(b)) {
		adds, takes = adds || c.B1 > c.B0, takes || c.A1 > c.A0
	}
	return adds, takes
}
