package offline

// contrasting recognises one project set against another: "the shed, not the
// party", "not this, the shed", "you opened the attic but I asked for the shed",
// "parser -> portal". Both sides must be nothing but names.
func (r *reader) contrasting(c *clause) meaning {
	toks := skipOpeners(c.all)
	if c.question || c.mark || len(toks) < 3 || len(toks) > 20 {
		return meaning{}
	}
	if m := r.exchanging(c, toks); m.score > 0 {
		return m
	}
	if m := r.outranking(c, toks); m.score > 0 {
		return m
	}
	for i := 1; i+1 < len(toks); i++ {
		if toks[i].quoted {
			continue
		}
		if k, ok := arrow(toks[i:]); ok && i+k < len(toks) {
			return r.against(c, toks[:i], toks[i+k:], true)
		}
		if n, ok := matchAny(toks[i:], "not", ", not", ", but not", "but not", "instead of", "rather than"); ok && i+n < len(toks) {
			if m := r.against(c, toks[i+n:], toks[:i], false); m.score > 0 {
				return m
			}
		}
		if n, ok := matchAny(toks[i:], "but|,|- i|we asked|called for", "but|,|- i|we said|meant|mean|wanted|want|need|requested|chose"); ok && i+n < len(toks) {
			if ref, _, ok := r.target(c, toks[i+n:]); ok && r.sure(toks[i+n:], ref) && has(toks[:i], "you|not|this|that|it|wrong") {
				return meaning{intent: switchTo, score: 0.75, project: ref}
			}
		}
		if n, ok := match(toks, "not|wrong"); ok && n < i && in(",|but|-", toks[i].norm) {
			if m := r.against(c, toks[n:i], toks[i+1:], true); m.score > 0 {
				return m
			}
		}
	}
	return meaning{}
}

func arrow(toks []token) (int, bool) {
	return matchAny(toks, "- >", "= >", ">", "→", "- - >")
}

// against: the wanted project, if the other side names one too, or the one at hand.
func (r *reader) against(c *clause, other, wanted []token, absent bool) meaning {
	if n, ok := matchAny(wanted, "i|we meant|mean|said|wanted|want|need", "i|we asked for", "<attend>|<goverb> to|on|about|with?", "but"); ok && n < len(wanted) {
		wanted = wanted[n:]
	}
	left := refer(c, other, r.sit.Projects)
	_, one := left.one()
	pronoun := len(trimMarks(other)) <= 2 && has(other[:1], "this|that|it|these")
	if !one && !pronoun {
		return meaning{}
	}
	right, _, ok := r.target(c, wanted)
	if !ok || len(right.found) > 1 || len(right.found) == 0 && !absent || len(trimPhrase(wanted)) > 6 {
		return meaning{}
	}
	if one && len(right.found) == 1 && left.found[0].Slug == right.found[0].Slug {
		return meaning{}
	}
	return meaning{intent: switchTo, score: 0.76, project: right}
}

// goesThere: "the boat has waited, I want to get to it now": a wish to go where
// the words before were about.
func (r *reader) goesThere(c *clause, told []projectOf) meaning {
	if len(told) != 1 || c.question || c.negated || !(c.plain() || c.frame == hoped) || len(c.body) < 2 || c.body[0].quoted || !class("<attend>", c.body[0].norm) {
		return meaning{}
	}
	if c.frame == bare && !in("open|switch|go|discuss|load|resume|continue|take|bring|head", c.body[0].norm) || r.sit.Project != nil && r.sit.Project.Slug == told[0].Slug {
		return meaning{}
	}
	for i, t := range trimPhraseEnd(c.body[1:]) {
		switch {
		case in("it|that|there|this", t.norm) && closing(c.body[i+2:]):
			return meaning{intent: switchTo, score: 0.75, clause: c, project: reference{found: told}}
		case !class("<light>", t.norm) && !isFiller(t) || t.quoted:
			return meaning{}
		}
	}
	return meaning{}
}
