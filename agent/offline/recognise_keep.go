package offline

import "strings"

// noting recognises what is to be written down as it is.
func (r *reader) noting(c *clause) meaning {
	if c.question || c.frame == obligation || c.frame == intention || c.negated {
		return meaning{}
	}
	body := c.body
	n, ok := matchAny(body, "note|notes :|-|that|down", "note to self :|-|,?", "<addverb>|take|write|jot|leave|keep|save|record in|down? <det>? quick|short|new|small? <noteword>", "write|jot|scribble|type|put|take this|that|it? down", "write|jot|put down", "make|take <det>? quick? note", "put|write|add|set|have it|this|that? down? in|into|on|to the|my|our|your notes|note|record that|:|,?", "quick|new <noteword> :|-|,?", "a|another quick? <noteword> :", "a|another quick? <noteword> for|on <det> <projectword> :",
		"for the record", "let the record show that?", "record|log that|this|:", "save this|: :?", "save|keep as a? note", "<noteword> :", "for my|the notes :?|,?")
	if !ok || n >= len(body) {
		return meaning{}
	}
	rest := body[n:]
	if class("<addverb>", body[0].norm) && in("the|this|these|those", body[1].norm) && has(body[:n], "<noteword>") {
		return meaning{} // "open the notes"
	}
	if body[0].norm == "take" && body[1].norm == "note" && !in("that|of|:", rest[0].norm) {
		return meaning{}
	}
	m := meaning{intent: addNote, score: 0.93, project: reference{empty: true}}
	if in("to|in|on|for|under", rest[0].norm) {
		at := r.place(c, rest)
		m.project, rest = at.project, at.rest
		if m.project.empty && in("in|on|under", rest[0].norm) {
			return meaning{}
		}
	}
	if k, ok := matchAny(rest, "that|about|saying|of|to|:|-|,|down|says|with|for me", "to self :?", "down that|:?", "saying that", "about the fact that", "that says|reads", "called"); ok && !rest[0].quoted {
		rest = rest[k:]
	}
	m.text = capital(unwrap(c.text(rest)))
	if m.text == "" || len(contentWords(rest)) == 0 {
		return meaning{}
	}
	return m
}

// deciding recognises a decision that was made.
func (r *reader) deciding(c *clause) meaning {
	if c.question {
		return meaning{}
	}
	toks := skipOpeners(c.toks)
	if n, ok := matchAny(toks, "after|following|in|at|despite|with|upon"); ok && n < len(toks) {
		if i, _, ok := find(toks, "i|we have? both|all|now|finally? <decideverb>"); ok && i <= 7 {
			toks = toks[i:] // "after much debate we settled on ..."
		}
	}
	m := meaning{intent: addDecision, score: 0.86, project: reference{empty: true}}
	if n, ok := matchAny(toks, "put on record <det>? decision to|that|:?", "let it be recorded|noted|written down? as a decision that|:|to", "put|write|record|note down? as <det>? decision that|to|:|-|,?", "<addverb>|record|note|log|write|save down? <det>? new|following? decision that|to|:|-|,?", "decision :|-", "decided :", "the|our|my decision is that|to|:", "it is|was? decided|settled|agreed that|to|:|,?", "note that i|we <decideverb> that|to|on?"); ok && n < len(toks) {
		if in("for|by|in|when|long", toks[n].norm) && in("it", toks[0].norm) || class("<addverb>", toks[0].norm) && has(toks[:n], "these|this|those") || !has(toks[:n], "decision|decided|<decideverb>") {
			return meaning{}
		}
		m.score = 0.95
		rest := toks[n:]
		at := placed{reference{empty: true}, rest}
		if in("to|in|for|on", rest[0].norm) {
			at = r.place(c, rest)
		}
		m.project = at.project
		m.text = sentenceOf(c, at.rest)
		return m
	}
	if n, ok := matchAny(toks, "i|we have? <decideverb>", "i|we both|all have? <decideverb>", "IAM going|sticking with", "IAM going to go|be|stick with", "let us settle|agree|decide on", "let us pick|choose|take", "i|we have? made up my|our mind|minds", "let us opt for", "i|we will go|stick|be with", "let us go|stick with", "i|we went with", "i|we made a|the? decision to", "i|we have made a|the? decision to", "i|we came to the conclusion that", "i|we have? come|came to a|the decision|conclusion that|to|:|,?"); ok && n < len(toks) {
		if has(toks[:n], "picked|pick|take") && (in("a|it|over|turns", toks[n].norm) || has(toks[n:], "up|out|off")) || has(toks[:n], "choose|pick|take") && len(mentioned(toks[n:], r.sit.Projects)) > 0 {
			return meaning{}
		}
		rest := toks[n:]
		if k, ok := matchAny(rest, "that|to|on|upon|for|:|,", "it :"); ok && k < len(rest) {
			rest = rest[k:]
		}
		if len(contentWords(rest)) == 0 || has(rest[:1], "nothing|already|together|yet|before|what|later|it|this|with") {
			return meaning{}
		}
		if has(toks[:n], "chosen|chose|picked") && class("<pronoun>", rest[0].norm) {
			return meaning{}
		}
		m.text = sentenceOf(c, rest)
		if has(toks[:n], "<decideverb>") && r.venturing(c).score >= 0.75 && r.sit.Project == nil {
			m.score = 0.7 // the beginning of something rather than a choice within it
		}
		return m
	}
	return meaning{}
}

func sentenceOf(c *clause, toks []token) string {
	toks = trimMarks(toks)
	for len(toks) > 0 && in("to|that|:|-|on", toks[0].norm) && !toks[0].quoted {
		toks = trimMarks(toks[1:])
	}
	return capital(limit(unwrap(c.text(toks)), 900))
}

// remembering recognises a fact that kist is told to keep.
func (r *reader) remembering(c *clause) meaning {
	if c.question && c.frame != request || c.negated {
		return meaning{}
	}
	body := c.body
	n, ok := matchAny(body, "do? remember|memorise|memorize that|this|:|,", "remember : ", "keep|bear in mind that|:|,?", "keep that? in mind :|,?", "do not forget that|:", "never forget that", "for future reference :|,?", "fyi :|,?", "for your information :|,?", "just so you know :|,?", "so you know :|,?", "you should|must|ought to? know that|:?", "know that",
		"i want you to know that", "<addverb>|save|store to|in <det>? memory that|:|,?", "make a mental note that|of|:?", "what you should|must|need|have|can to? remember|know is|: that?", "keep|hold|put it in your|the|my? memory|mind that|:|,?", "<addverb> <det>? new? memory that|:|of|,?", "note for later :|,?", "learn that")
	if i, e, ok := find(c.toks, ", please|so? do? please? remember|memorise|memorize|note that|this|it", ", please|so? keep|bear that|this|it in mind"); ok && i > 2 && e == len(trimPhraseEnd(c.toks)) && !c.question && has(c.toks[:i], "<aux>|i|my") {
		m := meaning{intent: remember, score: 0.94, text: capital(unwrap(c.text(c.toks[:i]))), scope: "project"}
		if aboutUser(c.toks) {
			m.scope = "user"
		}
		return m // "I live in Bern, keep that in mind"
	}
	if !ok {
		if n, ok = match(body, "remember"); !ok || !factual(body[n:]) {
			return meaning{}
		}
	}
	if n >= len(body) || len(contentWords(body[n:])) == 0 {
		return meaning{}
	}
	rest := trimMarks(body[n:])
	if len(rest) > 0 && rest[0].norm == "that" && len(rest) > 3 {
		rest = rest[1:]
	}
	m := meaning{intent: remember, score: 0.93, text: capital(unwrap(c.text(rest))), scope: "project"}
	if aboutUser(rest) {
		m.scope = "user"
	}
	return m
}

// factual: "remember the electrician is Bo" tells something; "remember the
// milk", "remember when we" don't.
func factual(toks []token) bool {
	if len(toks) < 3 || in("to|when|how|what|who|where|why|if|me|us|last|yesterday", toks[0].norm) {
		return false
	}
	return has(toks[1:], "is|are|was|has|have|costs|likes|prefers|wants|needs|lives|works|closes|opens|means|takes|must|can|will|comes|hates")
}

// aboutUser: facts about the speaker hold everywhere.
func aboutUser(toks []token) bool {
	return len(toks) > 0 && in("i|my|me", toks[0].norm)
}

// preferring recognises what the speaker says about themselves.
func (r *reader) preferring(c *clause) meaning {
	toks := skipOpeners(c.toks)
	if c.question || c.frame != bare && c.frame != intention || has(toks, "but|if|when") && len(toks) > 14 {
		return meaning{}
	}
	m := meaning{intent: remember, scope: "user", text: capital(c.text(toks))}
	n, ok := 0, false
	switch {
	case matches(toks, "i prefer", &n):
		ok, m.score = len(toks) > n && !in("to|not|that|it|this", toks[n].norm) || len(toks) > n+1 && in("to|not", toks[n].norm), 0.85
	case matches(toks, "my *? birthday|anniversary is on|in", &n):
		ok, m.score = len(toks) > n, 0.82
	case matches(toks, "my favourite|favorite|preferred *? *? *? is|are", &n), matches(toks, "my *? *? name|birthday|address|number|size is", &n), matches(toks, "my name|birthday|email|address|phone|number|job|timezone|pronouns|wife|husband|partner|son|daughter|dog|cat|boss|mother|father|sister|brother *? *? *? is|are", &n), matches(toks, "call me", &n):
		ok, m.score = len(toks) > n && !(strings.HasSuffix(toks[n].norm, "ing") && !isCapital(c.src, toks[n])) && (!in("back|later|when|tomorrow|if|on|at|not|a|the|in|done|coming|late|ill|sick|here|angry|happy", toks[n].norm)), 0.82
	case matches(toks, "i am allergic|vegetarian|vegan|left-handed|colour-blind|color-blind|dyslexic|deaf|lactose|gluten|diabetic|coeliac|intolerant|afraid|bad|good", &n):
		ok, m.score = !in("bad|good|afraid", toks[n-1].norm) || len(toks) > n && in("at|of", toks[n].norm) && !in("bad|good", toks[n-1].norm), 0.82
	case matches(toks, "i always|never|usually|only", &n):
		ok, m.score = len(toks) > n+1 && !in("said|thought|knew|meant|wanted|had|got|did|was|have|will|would|could|can|saw|told|finished|forget|understood|asked", toks[n].norm), 0.75
	case matches(toks, "i like|love|hate|dislike|loathe|enjoy", &n), matches(toks, "i can not stand", &n), matches(toks, "i do not like|eat|drink|work|want|smoke|drive", &n):
		rest := toks[n:]
		ok = len(rest) > 0 && !in("it|that|this|the|how|what|your|these|those|them|you|to|any|a|anything|one|where", rest[0].norm) && !in("want", toks[n-1].norm)
		m.score = 0.72
		if len(rest) > 1 && rest[0].norm == "to" && !in("think|see|know|hear|believe|add|switch|talk", rest[1].norm) && !in("want", toks[n-1].norm) {
			ok = true
		}
	}
	if !ok {
		return meaning{}
	}
	return m
}

func matches(toks []token, pattern string, n *int) bool {
	k, ok := match(toks, pattern)
	if ok {
		*n = k
	}
	return ok
}
