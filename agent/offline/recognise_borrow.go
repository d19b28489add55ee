package offline

import "strings"

// borrowing recognises the use of one project's matter for another: "use the
// colours of my app project for the logo", "make the sign the same blue as in the
// shop", "compare the shop with the boat".
func (r *reader) borrowing(c *clause) meaning {
	if c.question || c.negated || !c.plain() || len(c.body) < 4 || c.body[0].quoted {
		return meaning{}
	}
	if n, ok := matchAny(c.body, "compare|contrast|weigh", "<det> comparison between|of"); ok {
		return r.comparing(c, c.body[n:])
	}
	n, ok := matchAny(c.body, "<borrowverb> in|over|out|across?")
	if ok && n < len(c.body) && !has(c.body[n:], "<taskword>|<memoryword>") {
		return r.lent(c, c.body[n:], "of", "from", "in", "as in|for|with", "like in|for|with", "i|we have|used|made|wrote|had in|for|with", "that|which i|we have|used|made|wrote|had|chose in|for|with", "belonging to", "out of")
	}
	if n, ok := matchAny(c.body, "make|do|write|paint|set|build|design|keep|style|format|handle"); ok && has(c.body, "same|like|as") {
		return r.lent(c, c.body[n:], "as in|for|with", "like in|for|with", "as i|we did|do|have|had|used|made it? in|for|with", "like i|we did|do|have|had|used|made it? in|for|with", "as the|my|our", "like the|my|our one|ones? in|for|from|of")
	}
	return meaning{}
}

// lent reads the matter before, and the project behind, one of some joints.
func (r *reader) lent(c *clause, rest []token, joints ...string) meaning {
	for i := 1; i < len(rest)-1 && i <= 16; i++ {
		n, ok := matchAny(rest[i:], joints...)
		if !ok || i+n >= len(rest) || isFiller(rest[i]) {
			continue
		}
		source := rest[i+n:]
		if j, _, ok := find(source, "for|in|to|on|here|as|when|too|also"); ok && j > 0 {
			source = source[:j]
		}
		if in("the|my|our", rest[i+n-1].norm) {
			source = rest[i+n-1 : i+n+len(source)]
		}
		ref := refer(c, source, r.sit.Projects)
		if p, ok := ref.one(); !ok || !ref.exact && !ref.named && !r.allOnlyOf(contentWords(source), p) {
			continue
		}
		if w := strings.Fields(topic(rest[:i])); len(w) > 0 && len(withoutGeneric(w)) == 0 {
			continue // "bring up the matter of the boat" goes there
		}
		if topic(rest[:i]) == "" { // "do it like in the boat"
			p := ref.found[0]
			if !in("it|this|that", rest[0].norm) {
				continue
			}
			return meaning{intent: ask, score: 0.8, project: ref, text: p.Name, name: p.Name, about: "borrow"}
		}
		return meaning{intent: ask, score: 0.8, project: ref, text: topic(rest[:i]), name: span(c, rest[:i]), about: "borrow"}
	}
	return meaning{}
}

// comparing names two projects of which neither is where to go.
func (r *reader) comparing(c *clause, toks []token) meaning {
	for i := range toks {
		if i == 0 || i+1 >= len(toks) || toks[i].quoted || !in("and|with|to|against", toks[i].norm) {
			continue
		}
		a, okA := refer(c, toks[:i], r.sit.Projects).one()
		b, okB := refer(c, toks[i+1:], r.sit.Projects).one()
		if okA && okB && a.Slug != b.Slug {
			return meaning{intent: ask, score: 0.8, project: reference{found: []projectOf{a, b}}, text: topic(toks), name: span(c, toks), about: "compare"}
		}
	}
	return meaning{}
}
