package semantic

import (
	"strings"

	"kist/vault/merge"
	"kist/vault/merge/words"
)

// common is what two bodies without a base have in common, and so what they had before as far as anybody can say: two copies of one
// vault, each of which went on by itself. What stands in it was neither added nor taken out, and what only one of them has was
// added in its place. Of two paragraphs or items that are alike it has the words of both, unless most of what they have differs: then
// they are what two wrote under one name. It is the same whichever is ours.
func common(ours, theirs string) string {
	o, s := parse(min(ours, theirs)), parse(max(ours, theirs))
	m := match(o, s)
	text := map[*node]string{o.root: ""}
	contrary := map[*node]bool{}
	same := 0
	for _, n := range o.nodes {
		other := m.to[n]
		if _, in := text[n.parent]; !in || other == nil || m.to[n.parent] != other.parent {
			continue
		}
		shared := n.text
		if shared != other.text {
			if shared = m.shared(n, other); shared == "" {
				continue
			}
		}
		shared = strings.TrimRight(shared, "\n") + "\n" // what ends its line may be a word that differs
		text[n] = shared
		if shared != n.text && shared != other.text {
			contrary[n] = true
		} else if notHeading(n) {
			same++
		}
	}
	var b strings.Builder
	gap, kept := "", map[*node]bool{o.root: true}
	for _, n := range o.nodes {
		if shared, in := text[n]; in && kept[n.parent] && (same >= len(contrary) || !contrary[n]) {
			kept[n] = true
			b.WriteString(gap + shared)
			gap = ""
		}
		gap = max(gap, n.gap)
	}
	b.WriteString(gap)
	return b.String()
}

// shared returns a paragraph or an item with the words alone that two have in common; empty: they are two things.
func (m *matching) shared(n, other *node) string {
	alike := m.similar(n, other)
	switch {
	case n.kind == paragraph && alike >= alikeHere:
		return sharedWords(n.text, other.text)
	case n.kind == item && (alike > alikeThere || n.name == other.name):
		p, q := splitItem(n.text), splitItem(other.text)
		if p.box != q.box {
			p.box = " "
		}
		p.rest = sharedWords(p.rest, q.rest)
		return p.String()
	}
	return ""
}

func sharedWords(x, y string) string {
	a, at := words.Of(x), 0
	var b strings.Builder
	for _, c := range merge.Compare(a, words.Of(y)) {
		b.WriteString(strings.Join(a[at:c.A0], ""))
		at = c.A1
	}
	return b.String() + strings.Join(a[at:], "")
}
