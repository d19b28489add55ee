package offline

// measuring recognises questions after how much of a project is written down.
func (r *reader) measuring(c *clause) meaning {
	if c.negated {
		return meaning{}
	}
	toks, body := trimPhraseEnd(skipOpeners(c.toks)), trimPhraseEnd(c.body)
	m := meaning{intent: completeness, score: 0.92}
	if n, ok := matchAny(body, "show|check|give|measure|tell|rate|what me|us|is? the|my|its|our? completeness|coverage of|for|in|on?", "do|run|make <det>? completeness check|report|score of|for|in|on?", "completeness check|report|score? of|for|in|on?"); ok {
		if ref, a := r.aim(c, body[n:]); a != aimless {
			m.project = ref
			return m
		}
	}
	if n, ok := matchAny(body, "check|test|examine|assess|review|measure"); ok && !c.question {
		if i, e, ok := find(body[n:], "for completeness|coverage|gaps"); ok && i > 0 && n+e == len(body) && lastIn(body, "completeness|coverage") {
			if ref, a := r.aim(c, body[n:n+i]); a != aimless {
				m.project = ref
				return m
			}
		}
	}
	if n, ok := matchAny(c.toks, "check|see|tell|say me|us? whether|if", "is|are"); ok && n < len(toks) && (c.question || c.mark || c.orders()) {
		if i, e, ok := find(c.toks[n:], "is? complete|incomplete|comprehensive|thorough"); ok && i > 0 && (n+e >= len(trimPhraseEnd(c.toks)) || c.toks[n+e].norm == ",") {
			if ref, a := r.aim(c, c.toks[n:n+i]); clearly(ref, a) {
				m.project = ref
				return m // "is the plan complete?"
			}
		}
	}
	told := false
	if n, ok := matchAny(body, "show|tell me|us", "let me|us know", "say|check"); ok && n < len(body) && class("<wh>", body[n].norm) {
		toks, told = body[n:], true
	}
	if !c.question && !c.mark && !told {
		return meaning{}
	}
	if n, ok := matchAny(toks, "how complete|detailed|comprehensive|thorough|well-documented|full is|are|does", "how complete|detailed|comprehensive", "how well is|are|did|have", "what is the|our completeness|coverage of|for?", "how much of|about"); ok {
		return r.measured(c, m, toks, n)
	}
	if n, ok := match(toks, "which|what parts|sections|dimensions|areas|aspects|fields|bits|pieces|information|info|details"); ok {
		if found := r.unwritten(c, m, toks, n); found.score > 0 {
			return found
		}
	}
	gap, gapped := matchAny(toks, "what is|are|else|have we|i|is|still? still? missing|lacking|undefined|unspecified|undescribed|undocumented|incomplete|unclear|unanswered|empty|blank from|in|about|of|on|for|with?", "what have|did not? i|we not|forgotten? to? covered|said|described|written|mentioned|told|filled|addressed|defined|cover|describe|specify|mention|explain you|in|out|down|yet? about|of|on|for?", "is|are there? anything|something|much|information|parts? still? missing|lacking|incomplete|left from|in|about|of|on|for|with|out?",
		"what else? do|would you still need|want|have to? know|hear about|on|of|for?", "what else do|would|should you|i|we need|want|have|tell to? know|hear|tell|say|add|describe|specify|cover you? about|on|of|for|to?", "what do|should i|we still? need|have to? tell|say|describe|specify|add|write|explain|define|fill you|down|in|to? about|on|of|for?", "which|what parts|sections|dimensions|areas|aspects|fields|bits|pieces|information|info|details of *? *? *? are|is|do|have|did still? missing|empty|thin|incomplete|blank|weak|lacking|unclear|open|we|i|not", "which|what parts|sections|dimensions|areas|aspects|fields|bits|pieces|information|info|details is|are|do|have still? missing|empty|thin|incomplete|blank|weak|lacking|unclear|we|i in|from|about|of?", "what does <det>? *? *? lack|miss")
	if !gapped {
		return meaning{}
	}
	rest := toks[gap:]
	if found := mentioned(toks, r.sit.Projects); len(found) == 1 && len(trimPhrase(rest)) <= 4 {
		m.project = reference{found: found}
		if _, a := r.aim(c, rest); a == aimless && len(rest) > 0 && !has(toks[:gap], "of") {
			return meaning{}
		}
		return m
	}
	ref, a := r.aim(c, rest)
	switch {
	case a == aimWhole, a == aimAbsent, a == aimPart:
	case a == aimHere && ref.named:
	case a == aimHere && r.sit.Project != nil && !has(toks[:gap], "lack|miss"):
	case a == aimHere && has(toks[:gap], "sections|dimensions|parts") && len(rest) == 0:
	case has(toks[:gap], "lack|miss") && has(toks[:gap], "<planword>"):
		ref = reference{empty: true}
	default:
		return meaning{}
	}
	m.project = ref
	return m
}

// unwritten: "which parts of this project have not been filled in yet?".
func (r *reader) unwritten(c *clause, m meaning, toks []token, n int) meaning {
	i, e, ok := find(toks[n:], "are|is|have|has|were not still|yet? been? <written>", "are|is|remain|remains still? not? yet? undescribed|unwritten|unfilled|empty|missing|undefined")
	if !ok || len(contentWords(toks[n+e:])) > 0 && !has(toks[n+e:n+e+1], "in|out|down|yet|so|up") {
		return meaning{}
	}
	ref, a := r.aim(c, dropLead(toks[n:n+i], "of|in|from|about"))
	if i > 0 && !(a == aimWhole || a == aimAbsent || a == aimPart || a == aimHere && ref.named) || i == 0 && r.sit.Project == nil {
		return meaning{}
	}
	m.project = ref
	return m
}

// measured: "how complete is the plan?", "how much of it is written down?".
func (r *reader) measured(c *clause, m meaning, toks []token, n int) meaning {
	rest := toks[n:]
	direct := has(toks[:n], "complete|detailed|comprehensive|thorough|completeness|coverage|well-documented|full")
	i, e, ok := find(rest, "is|are|have|has|did|do we|i? already|still|been? <written>", "<written>", "do|did you|we|i? know|have", "is|are|have|has there|missing|left|open|complete")
	if !direct && (!ok || i == 0) {
		return meaning{}
	}
	subject := rest
	if ok {
		subject = rest[:i]
		if len(trimPhrase(rest[e:])) > 3 {
			return meaning{}
		}
	}
	ref, a := r.aim(c, dropTail(subject, "is|are|we|i|so|by|now|far|already|have|description|documentation|write-up"))
	switch {
	case a == aimWhole, a == aimAbsent, a == aimPart, a == aimHere && (ref.named || r.sit.Project != nil && (direct || ok)):
		m.project = ref
		return m
	}
	return meaning{}
}

// drafting recognises questions after drafts, and the wish to be rid of one.
func (r *reader) drafting(c *clause) meaning {
	toks, body := trimPhraseEnd(skipOpeners(c.toks)), trimPhraseEnd(c.body)
	if m := r.abandoning(c, body); m.score > 0 {
		return m
	}
	if c.negated {
		return meaning{}
	}
	if (c.question || c.mark) && (has(toks, "drafts") || containsPhrase(toks, "a|any|some *? draft")) && !has(toks, "why|how|who") {
		rest := 0
		for _, t := range toks {
			if telltale(t) && !class("<draftword>", t.norm) {
				rest++
			}
		}
		if rest == 0 {
			return meaning{intent: listDrafts, score: 0.9}
		}
	}
	const kind = "unfinished|open|half-finished|incomplete|old|saved|pending|current|existing|project|started|half-done|begun|other|latest|abandoned"
	if n, ok := matchAny(body, "show|list|display|see|view|give|tell|print me|us|about? all|any|my|our|the|of? my|our|the? "+kind+"? "+kind+"? drafts", "show|list|display|see|view|give me|us? all|any|my|our|the? unfinished|half-finished|half-done|half-planned|incomplete projects|plans|ideas", "list|overview of? all? my|the|our? drafts"); ok && c.orders() && fewAfter(body[n:]) {
		return meaning{intent: listDrafts, score: 0.93}
	}
	if n, ok := matchAny(toks, "<aux>|what|which|how|any many? i|we|there|you|of? any|some|have|my|the|more? "+kind+"? "+kind+"? drafts", "do|did i|we have|leave|left got? any|a|some|more? "+kind+"? drafts|draft", "my|all|any|the|unfinished|open my|open|unfinished|the? drafts", "drafts", "what|which unfinished|half-finished|incomplete projects|plans|ideas", "do i|we have any|some? unfinished|half-finished|incomplete projects|plans|drafts|ideas"); ok {
		asked := c.question || c.mark || c.frame == request || len(toks) == n
		if asked && draftTail(toks[n:]) && !(len(toks) == n && in("the", toks[0].norm)) {
			return meaning{intent: listDrafts, score: 0.93}
		}
	}
	return meaning{}
}

func fewAfter(toks []token) bool {
	return len(trimPhrase(toks)) <= 3 && !has(toks, "folder|email|letter")
}

// draftTail: "... do I have", "... are open", and not "of the letter".
func draftTail(toks []token) bool {
	toks = trimMarks(toks)
	n, _ := matchAny(toks, "do|did|have i|we have|left|got|started|begun|open|lying? lying|open|left|around|going|started? around?", "are|is there|open|left|unfinished|pending|still|lying|waiting|saved|in|around? open|left|around|progress|unfinished|waiting|for? me?", "left|open|around|lying|in|yet|so|at progress|far|around|the? moment?")
	return n == len(toks)
}

// abandoning: "abandon the draft", "I give up on the bakery draft".
func (r *reader) abandoning(c *clause, body []token) meaning {
	if m := r.unwanted(c); m.score > 0 || c.question || c.negated {
		return m
	}
	if n, ok := matchAny(body, "throw|toss|chuck|put|take"); ok && c.orders() && lastIn(body, "away|out") {
		return r.draftNamed(c, body[n:len(body)-1], 0.9)
	}
	if i, e, ok := find(c.toks, "can|may|should|could|must now? be thrown|tossed|chucked|discarded|deleted|dropped|abandoned|binned|scrapped|removed|forgotten away|out?"); ok && i > 1 && e == len(trimPhraseEnd(c.toks)) {
		return r.draftNamed(c, c.toks[:i], 0.85)
	}
	n, ok := matchAny(body, "abandon|abandoning|dropping|discarding|scrapping|giving|<deleteverb>|cancel|forget|quit|chuck|dismiss about?", "give|giving up on?", "i|we give up on?", "i|we have given|abandoned|dropped up? on?", "i|we abandon|drop|discard|quit", "throw|toss away|out|in", "get rid of", "call off", "stop working? with|on?")
	if !ok {
		return meaning{}
	}
	if !c.orders() && c.frame != intention && c.frame != obligation {
		return meaning{}
	}
	return r.draftNamed(c, body[n:], 0.9)
}

// unwanted: "I don't want this draft any more".
func (r *reader) unwanted(c *clause) meaning {
	if c.question {
		return meaning{}
	}
	n, ok := matchAny(c.toks, "i|we do not want|need|like", "let us not go on|continue|keep|pursue|finish with?", "i|we will not go on|continue|finish|pursue with?", "do not keep|save|continue|finish|pursue|go on? with?")
	if !ok || !(has(c.toks[n:], "more|anymore|longer") || !has(c.toks[:n], "want|need|like")) {
		return meaning{}
	}
	return r.draftNamed(c, c.toks[n:], 0.85)
}

// draftNamed reads "the bakery draft", "my draft of the bakery", "that draft".
func (r *reader) draftNamed(c *clause, toks []token, score float64) meaning {
	toks = trimPhraseEnd(trimPhrase(toks))
	i, e, ok := find(toks, "draft|drafts")
	if !ok || i > 5 || toks[i].norm == "drafts" && has(toks, "folder") {
		return meaning{}
	}
	about := toks[:i]
	if e < len(toks) {
		k, of := matchAny(toks[e:], "of|for|about|called|named|on|with|project|plan")
		if !of && !in("any|that|which|now|we|i|i've", toks[e].norm) {
			return meaning{} // "delete the draft folder"
		}
		if of && e+k <= len(toks) && len(contentWords(toks[e+k:])) > 0 {
			about = toks[e+k:]
		}
	}
	noun, _ := headNoun(about)
	if class("<texttype>", noun) || has(about, "beer|email|letter") {
		return meaning{}
	}
	m := meaning{intent: abandonDraft, score: score}
	if len(contentWords(about)) > 0 && !has(about, "whole|current|entire") {
		m.name = spell(c.src, unquoted(about))
	}
	return m
}
