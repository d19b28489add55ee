package offline

// forgetting recognises that something kist keeps in memory is to go from it.
func (r *reader) forgetting(c *clause) meaning {
	body := trimPhraseEnd(c.body)
	m := meaning{intent: forgetMemory, score: 0.9, project: reference{empty: true}}
	if containsPhrase(body, "about|that|of staying|going|switching|moving|opening|returning|<attending>") {
		return meaning{} // what was said about where to go is nothing that was kept
	}
	if c.negated && c.frame != obligation && !c.question {
		// "don't remember that I smoke": what is told, not what is asked.
		if n, ok := matchAny(body, "remember|keep|store|memorise|memorize that|about?"); ok && n < len(body) && imperativeNot(c.toks) && !in("to|in|on", body[n].norm) && n+1 < len(body) {
			if _, ok := matchAny(body, "remember"); ok && (has(body[:n], "that|about") || has(body[n:], "any more|anymore|longer") || in("my|our", body[n].norm)) {
				m.text = r.memoryText(c, body[n:])
			}
		}
		return m.ifText()
	}
	if n, ok := match(c.toks, "that"); ok && !c.negated && !c.question {
		if i, e, ok := find(c.toks[n:], "is something|a|one thing? you|that should|can|may|could|must|you forget|should|can|may|could|must forget?"); ok && i > 1 && n+e == len(trimPhraseEnd(c.toks)) && lastIn(trimPhraseEnd(c.toks), "forget") {
			m.text = r.memoryText(c, c.toks[n:n+i])
			return m.ifText()
		}
	}
	if c.negated || !c.orders() {
		return meaning{}
	}
	if n, ok := matchAny(c.toks, "what i|we told|said to? you? about|that|of", "that|the thing|fact|bit i told|said you? about", "what you know|remember|noted about"); ok {
		if i, e, ok := find(c.toks[n:], "is|was|are|were not true|right|correct|so|relevant", "is|was|are|were no longer *", "is|was|are|were wrong|false|outdated|nonsense|obsolete|untrue"); ok && i > 0 && has(c.toks[n+e:], "forget|delete|remove|erase|drop|scrap") {
			m.text = r.memoryText(c, c.toks[n:n+i])
			return m.ifText()
		}
	}
	if n, ok := matchAny(body, "forget about? what|everything|all|anything that? i|we|you have? told|said|mentioned|know|knew|remember|learned|learnt|stored|wrote|have to? you|me? about|of|on|that?", "stop remembering|keeping that|about?", "forget everything|all|anything about|on|of", "forget about? <det>? *? <memoryword>|fact|facts|thing|things|stuff|bit|part|detail|details|business about|of|that|with|on?", "forget that", "forget about? my|our"); ok && n < len(body) {
		rest := body[n:]
		if !rest[0].word && rest[0].norm == "," {
			return meaning{} // "forget that, the shop now"
		}
		if in("my|our", body[n-1].norm) {
			rest = body[n-1:]
			if len(contentWords(rest)) == 0 || has(rest, "<taskword>") || has(rest, "list") {
				return meaning{}
			}
			m.score = 0.75
		}
		if _, a := r.aim(c, rest); a == aimHere && !has(body[:n], "told|said|know|memory|memories|remember") {
			return meaning{}
		}
		m.text = r.memoryText(c, rest)
		return m.ifText()
	}
	if n, ok := matchAny(body, "<deleteverb>|clear|forget <det>? *? <memoryword>|fact about|of|that|with|on|where|which?", "get rid of <det>? *? <memoryword>|fact about|of|that|with|on|where|which?"); ok && n < len(body) {
		m.text = r.memoryText(c, body[n:])
		return m.ifText()
	}
	if n, ok := matchAny(body, "<deleteverb>|clear what|everything|anything|all that? you know|remember|remembered|stored|learned|have|saved about|on|of"); ok && n < len(body) {
		m.text = r.memoryText(c, body[n:])
		return m.ifText()
	}
	if n, ok := matchAny(body, "<deleteverb>|clear|strike from|off|out your|the|my? memory|memories"); ok && n < len(body) {
		m.text = r.memoryText(c, body[n:])
		return m.ifText()
	}
	if n, ok := matchAny(body, "<deleteverb>|strike|take|clear"); ok && n < len(body) {
		if i, _, ok := find(body[n:], "from|off|out|of your|the|my? memory|memories"); ok && i > 0 {
			m.text = r.memoryText(c, dropTail(body[n:n+i], "out|of|from"))
			return m.ifText()
		}
	}
	return meaning{}
}

// ifText drops the bid where nothing says what it is about.
func (m meaning) ifText() meaning {
	if m.text == "" {
		return meaning{}
	}
	return m
}

// memoryText is what a memory is about, in the user's words.
func (r *reader) memoryText(c *clause, toks []token) string {
	toks = trimMarks(toks)
	for len(toks) > 1 && !toks[0].quoted && in("that|about|of|the|fact|is|was|,|:|with", toks[0].norm) {
		toks = trimMarks(toks[1:])
	}
	for _, tail := range []string{"any more", "any longer", "anymore", "please"} {
		if i, e, ok := find(toks, tail); ok && e == len(toks) {
			toks = toks[:i]
		}
	}
	if len(contentWords(toks)) == 0 || len(contentWords(toks)) == 1 && class("<pronoun>", contentWords(toks)[0]) {
		return ""
	}
	return limit(unwrap(spell(c.src, toks)), 300)
}

// relocating recognises that a memory belongs to another project.
func (r *reader) relocating(c *clause) meaning {
	if c.question || c.negated || !c.orders() && c.frame != obligation {
		return meaning{}
	}
	const what = "<det>? *? <memoryword>|fact|facts about|of|on|that|with|where?"
	toks := skipOpeners(c.toks)
	body := c.body
	n, ok := matchAny(body, "move|transfer|shift|put|file|reassign|assign|relocate|attach|bring|send "+what, "move|transfer|shift|put|file|reassign|assign|relocate|attach what|everything i|you told|said|know|remember you|me? about?")
	if !ok {
		// "the fact about the crane belongs to the boat project"
		n, ok = matchAny(toks, what, "what i told|said you? about?")
		if !ok || !has(toks[:n], "<memoryword>|fact|facts|told|said") {
			return meaning{}
		}
		i, e, found := find(toks[n:], "belongs|belong|goes|go should|really? to|in|into|under|with|of", "should|must|can go|be|move to|in|into|under|with", "is part? for|about|of")
		if !found {
			return meaning{}
		}
		return r.memoryTo(c, toks[n:n+i], toks[n+e:])
	}
	rest := body[n:]
	for i := range rest {
		if !rest[i].quoted && in("to|into|under|in|over", rest[i].norm) && i+1 < len(rest) {
			e := i + 1
			if k, ok := matchAny(rest[e:], "to", "in", "into"); ok {
				e += k
			}
			if m := r.memoryTo(c, rest[:i], rest[e:]); m.score > 0 {
				return m
			}
		}
	}
	return meaning{}
}

func (r *reader) memoryTo(c *clause, about, place []token) meaning {
	if k, ok := matchAny(place, "where it belongs :"); ok {
		place = place[k:]
	}
	ref, a := r.aim(c, place)
	if a == aimless || a == aimHere && r.sit.Project == nil {
		return meaning{}
	}
	return meaning{intent: moveMemory, score: 0.95, project: ref, text: r.memoryText(c, about)}
}
