package offline

// undoing recognises the wish to take back what the conversation changed last.
func (r *reader) undoing(c *clause) meaning {
	if !c.orders() && c.frame != obligation {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	m := meaning{intent: undoLast, score: 0.93}
	if n, ok := matchAny(body, "take|roll|put|turn|change it|that|this|them|everything back", "take|roll|pull back", "ctrl|control|cmd - z", "ctrl|control|cmd z", "ctrl-z|cmd-z|ctrlz|control-z", "scratch that|this", "make it|that undone", "un-do|undo-it"); ok {
		if last := trimPhrase(body[n:]); lastChange(last) {
			return m
		}
	}
	if n, ok := matchAny(body, "undo", "revert|rollback|reverse|unmake|undelete|unarchive"); ok && lastChange(body[n:]) && (n < len(body) || in("undo|rollback|revert", body[0].norm)) {
		return m
	}
	if n, ok := matchAny(body, "cancel|drop|remove|delete"); ok && n < len(body) && has(body[n:], "change|changes|edit") && lastChange(body[n:]) {
		return m
	}
	if _, e, ok := find(body, "to|into how|what|as|the way it|things was|were", "back the way it|things was|were"); ok && lastChange(body[e:]) && has(body[:1], "put|set|change|restore|turn|bring|get|revert") {
		return m
	}
	return meaning{}
}

// lastChange: nothing, or words for the last change and no others. "The zip" or
// "the screws" are something else.
func lastChange(toks []token) bool {
	toks = trimMarks(toks)
	for _, t := range toks {
		if t.quoted {
			return false
		}
		if t.word && !class("<undoword>", t.norm) && !isFiller(t) {
			return false
		}
	}
	return true
}

// droppingTask recognises that a task is to be gone, undone: "delete the task
// X", "take X off my list", "the task X is no longer needed".
func (r *reader) droppingTask(c *clause) meaning {
	if c.question || !c.orders() && c.frame != obligation && c.frame != bare {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	m := meaning{intent: deleteTask, score: 0.9}
	n, ok := matchAny(body, "<deleteverb>", "cancel|forget|strike|clear", "get rid of", "throw away|out", "take", "wipe out", "cross out")
	if !ok {
		return r.needless(c)
	}
	rest := body[n:]
	if i, e, ok := find(rest, "from|off|of|out my|the|our|this|that *? *? list|lists|tasks|todos|backlog|board|to-dos", "from|off <det> to do list", "off of? my|the|our list|plate"); ok && i > 0 && len(trimPhrase(rest[e:])) <= 3 {
		if has(body[:n], "cross") {
			return meaning{}
		}
		m.title = r.titleOf(c, rest[:i])
	} else if in("take|clear", body[0].norm) {
		return meaning{}
	}
	if k, ok := matchAny(rest, "<det>? other|old|open|last|whole? <taskword> called|named|:|to|about|of|for|with|that|titled|which? says|is?"); m.title == "" && ok && k <= len(rest) {
		if k == len(rest) || has(rest[:k], "<taskword>") && in("force|manager|management|app|bar|list", rest[k].norm) {
			return meaning{}
		}
		m.title = r.titleOf(c, rest[k:])
	}
	if m.title == "" && len(rest) > 1 && class("<taskword>", rest[len(rest)-1].norm) && !in("my|the|all|these|those|a|this|that", rest[len(rest)-2].norm) {
		m.title = r.titleOf(c, rest)
	}
	if m.title == "" && len(rest) > 2 && in(`"|'`, rest[0].norm) && in("delete|remove|erase|drop", body[0].norm) && len(mentioned(bareWords(rest), r.sit.Projects)) == 0 && !has(rest, "<noteword>|<projectword>") {
		m.title, m.score = quotedText(c, rest), 0.75
	}
	if m.title == "" {
		return meaning{}
	}
	return m
}

func bareWords(toks []token) []token {
	out := make([]token, len(toks))
	for i, t := range toks {
		t.quoted = false
		out[i] = t
	}
	return out
}

// needless: "the task order cable is no longer needed", "I don't need the task
// order cable any more".
func (r *reader) needless(c *clause) meaning {
	toks := skipOpeners(c.toks)
	m := meaning{intent: deleteTask, score: 0.85}
	if n, ok := matchAny(toks, "<det>? <taskword> called|named|:|to|about?"); ok {
		if i, _, ok := find(toks[n:], "is|are no longer|more needed|necessary|relevant", "is|are not needed|necessary|relevant *? more|anymore", "is|are obsolete|superfluous|pointless", "can be deleted|removed|dropped|cancelled", "can go", "is off the table"); ok && i > 0 {
			m.title = r.titleOf(c, toks[n:n+i])
		}
	}
	if i, e, ok := find(toks, "<taskword> is|are no longer|more needed|necessary|relevant", "<taskword> is|are not needed|necessary|relevant", "<taskword> is|are obsolete|superfluous|pointless"); ok && m.title == "" && i > 1 && i <= 8 && in("the|my|this|that", toks[0].norm) && has(toks[e:], "remove|delete|drop|scrap|cancel") && has(toks[e:], "it|that") {
		m.title = r.titleOf(c, toks[1:i])
	}
	if n, ok := matchAny(toks, "i|we do not need|want <det> <taskword> called|named|:|to|about?"); ok {
		if i, _, ok := find(toks[n:], "any more|longer", "anymore", "now"); ok && i > 0 {
			m.title = r.titleOf(c, toks[n:n+i])
		}
	}
	if i, e, ok := find(toks, "<taskword> can|should|may|must now? be deleted|removed|dropped|cancelled|canceled|scrapped"); ok && m.title == "" && i > 1 && i <= 8 && e == len(trimPhraseEnd(toks)) && class("<det>", toks[0].norm) {
		m.title = r.titleOf(c, toks[1:i])
	}
	if n, ok := matchAny(toks, "i|we do not need|want", "i|we no longer need|want"); ok && m.title == "" && n < len(toks) && in("the|my|our|that", toks[n].norm) {
		end := toks[n:]
		if i, e, ok := find(end, "any more|longer", "anymore", "now"); ok && n+e == len(toks) {
			end = end[:i]
		}
		if len(end) > 2 && lastIn(end, "<taskword>") {
			m.title = r.titleOf(c, end) // "I don't need the gravel task any more"
		}
	}
	if m.title == "" {
		return meaning{}
	}
	return m
}
