package offline

// afterComma reads on behind a comma or an "and" where the whole clause made no
// sense: "enough about plants, back to the wedding", "not the boat, the shop".
func (r *reader) afterComma(c *clause) meaning {
	for i, t := range c.toks {
		if i > 14 || !t.quoted && class("<hearsay>", t.norm) && !in("forget|ignore", c.toks[0].norm) {
			break
		}
		if t.quoted || i == 0 || i+1 >= len(c.toks) || !in(",|-|:|so|and|but|then", t.norm) {
			continue
		}
		rest, ok := newClause(c.src, c.toks[i+1:], false)
		if !ok || rest.question || rest.negated {
			continue
		}
		m := r.withTold(c, c.toks[:i]).bid(&rest)
		if m.intent == none && in(",|and|so|:", t.norm) || m.intent == goBack && lastIn(trimPhraseEnd(rest.body), "there") && !has(rest.body, "back") && len(r.told(c, c.toks[:i])) == 1 {
			m = r.goesThere(&rest, r.told(c, c.toks[:i]))
			m.project.exact = true
		}
		if !directive(m.intent) || m.score < 0.75 {
			continue
		}
		if m.intent == switchTo && !m.project.exact && !r.explicit(&rest) && !lastIn(trimMarks(rest.all), "now|next|please|instead") && !r.contrasted(c, i, &rest) || t.norm != "," && m.intent != switchTo {
			continue
		}
		if meantBefore(m) {
			if told := r.told(c, c.toks[:i]); len(told) == 1 {
				m.project = reference{found: told}
			}
		}
		m.clause = c
		return m
	}
	return r.beforeComma(c)
}

// beforeComma: "sailing trip now, the rest can wait".
func (r *reader) beforeComma(c *clause) meaning {
	for i, t := range c.toks {
		if t.norm != "," && t.norm != "-" || t.quoted || i < 2 || i > 10 {
			continue
		}
		head, ok := newClause(c.src, c.toks[:i], false)
		if !ok || c.question || head.question || in("about|as|regarding|concerning|re|on", c.toks[0].norm) || head.negated || has(head.toks, "<hearsay>") {
			break
		}
		if m := r.bid(&head); m.score >= 0.75 && (m.intent == switchTo && (m.project.exact || has(head.toks, "now|please|next|first|back|to")) || m.intent == goBack && i > 2) {
			m.clause = c
			return m
		}
		break
	}
	return meaning{intent: none, clause: c}
}

// contrasted: "not the fair, the club", one project against another.
func (r *reader) contrasted(c *clause, comma int, rest *clause) bool {
	n, ok := matchAny(c.toks, "not", "wrong", "i do not mean", "i did not mean")
	if !ok || n >= comma {
		return false
	}
	left, right := refer(c, c.toks[n:comma], r.sit.Projects), refer(c, rest.toks, r.sit.Projects)
	_, one := right.one()
	return one && len(left.found) > 0
}

// mended reads what a speaker says who corrects themselves: "open payroll, no,
// hang on, the choir tour". What was said last holds: as an order of its own, as
// another project for the order before, or as an order taken back.
func (r *reader) mended(c *clause) (meaning, bool) {
	if len(c.all) > maxCommand {
		return meaning{}, false
	}
	start, end := 0, 0
	for i := 1; i < len(c.all); i++ {
		if c.all[i].quoted || c.all[i-1].word {
			continue
		}
		if n, ok := matchAny(c.all[i:], "<mend> <mend>? <mend>? <mend>?", "or|no|and? rather|sorry|wait|actually", "i mean|meant", "make|scratch|strike that", "no|nope|not <mend>? that", "correction"); ok {
			start, end = i, i+n
			for end < len(c.all) && (!c.all[end].word || class("<mend>", c.all[end].norm)) && !c.all[end].quoted && !in(`"|'`, c.all[end].norm) {
				end++
			}
		}
	}
	if start == 0 {
		return meaning{}, false
	}
	head, ok := newClause(c.src, c.all[:start], false)
	if !ok {
		return meaning{}, false
	}
	before := r.bid(&head)
	moves := before.intent == switchTo || before.intent == status || restructures(before.intent)
	rest, ok := newClause(c.src, c.all[end:], false)
	if !ok {
		if (moves && before.intent != status || takesAway(before.intent)) && has(c.all[start:], "no|wait|stop|scratch|nope|not") {
			return meaning{intent: decline, score: 0.8, clause: c, project: before.project}, true // "delete the boat, no wait"
		}
		return meaning{}, false
	}
	if rest.question || (moves || takesAway(before.intent)) && rest.negated {
		return meaning{intent: decline, score: 0.8, clause: c, project: before.project}, !rest.question
	}
	if has(c.all, "<hearsay>") {
		return meaning{}, false // somebody else's words, perhaps
	}
	for np, more := nextPhrase(rest.toks); moves && len(np) > 0; np, more = nextPhrase(more) {
		if p, ok := refer(c, np, r.sit.Projects).one(); ok {
			before.project, before.two, before.clause = reference{found: []projectOf{p}}, false, c
			return before, true
		}
	}
	if m := r.bid(&rest); directive(m.intent) && m.score >= 0.72 && !meantBefore(m) && !rest.negated {
		m.clause = c
		return m, true
	}
	return meaning{}, false
}

// nextPhrase is what stands before the first mark, without a direction, and what
// stands behind it: "to the choir tour, yes, the choir one".
func nextPhrase(toks []token) (np, more []token) {
	toks = trimMarks(toks)
	for len(toks) > 0 && in("to|on|with|about|for|into", toks[0].norm) {
		toks = toks[1:]
	}
	for i, t := range toks {
		if i > 0 && !t.word && !t.quoted && t.norm != "'" && t.norm != `"` {
			return toks[:i], toks[i+1:]
		}
	}
	return toks, nil
}
