package offline

import "slices"

// updating recognises a new date or priority for a task that is there.
func (r *reader) updating(c *clause) meaning {
	if n, ok := matchAny(c.toks, "can|could|would|should"); ok {
		if i, e, ok := find(c.toks[n:], "please? be moved|postponed|pushed|delayed|rescheduled|shifted|brought|put"); ok && i > 0 && i <= 8 {
			if t := r.changed(c, slices.Concat(c.toks[n:n+i], trimPhraseEnd(c.toks[n+e:])), "move"); t.title != "" {
				return meaning{intent: updateTask, score: 0.85, title: t.title, change: t}
			}
		}
	}
	if c.question && c.frame == bare || c.frame == obligation && !c.negated {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	m := meaning{intent: updateTask, score: 0.85}
	if n, ok := matchAny(body, "move|push|postpone|reschedule|delay|shift|bring|extend|defer|put back|off|out?", "set|change|update|make <det>? due date|deadline|priority of|for|on", "set|change|update <det>? deadline|priority|due of|for|on", "postpone|defer|delay"); ok && n < len(body) {
		if t := r.changed(c, body[n:], body[0].norm); t.title != "" {
			m.title, m.change = t.title, todo{due: t.due, priority: t.priority}
			return m
		}
	}
	if n, ok := matchAny(body, "postpone|reschedule|defer|delay", "push back"); ok && n < len(body) {
		if i, _, found := find(body[n:], "until|till|to|for"); found && i > 0 {
			if m.title = r.titleOf(c, body[n:n+i]); m.title != "" {
				m.score = 0.7 // to a day that isn't clear: asked for
				return m
			}
		}
	}
	if n, ok := matchAny(body, "make|set|give|mark|prioritise|prioritize|change|update"); ok && n < len(body) {
		if level, s, e, ok := findPriority(body[n:]); ok && s > 0 {
			title := r.titleOf(c, dropTail(body[n:][:s], "as|to|is|a|have|has|be|priority|with"))
			if e+n == len(body) && title != "" {
				m.title, m.change = title, todo{priority: level}
				return m
			}
		}
	}
	if n, ok := matchAny(body, "lower|raise|drop|reduce|increase|bump <det>? priority of|for|on", "lower|raise|drop|reduce|increase|bump up|down <det>? priority of|for|on"); ok && n < len(body) {
		if m.title = r.titleOf(c, body[n:]); m.title != "" {
			m.change.priority = "low"
			if has(body[:1], "raise|increase|bump") && !has(body[:2], "down") {
				m.change.priority = "high"
			}
			return m
		}
	}
	if n, ok := match(body, "give"); ok && c.orders() {
		if i, e, ok := find(body[n:], "a|the|another new? due|deadline date? of|on|for|:"); ok && i > 0 && n+e < len(body) {
			if d, dated := findDate(body[n+e:], r.sit.Now); dated {
				m.title, m.change.due = r.titleOf(c, body[n:n+i]), isoDay(d.day)
				if m.title != "" {
					return m
				}
			}
		}
	}
	return r.dueStated(c, m)
}

// findPriority finds a level of priority also where no word "priority" is.
func findPriority(toks []token) (string, int, int, bool) {
	if level, s, e, ok := priorityOf(toks); ok {
		return level, s, e, true
	}
	if i, e, ok := find(toks, "high|urgent|low|medium|important"); ok && e == len(toks) && i > 0 {
		switch toks[i].norm {
		case "important":
			return "high", i, e, true
		}
		return toks[i].norm, i, e, true
	}
	return "", 0, 0, false
}

// changed reads "<title> to <date or priority>".
func (r *reader) changed(c *clause, toks []token, verb string) todo {
	level, ps, pe, prio := findPriority(toks)
	if d, ok := findDate(toks, r.sit.Now); ok && d.start > 0 && d.end == len(toks) {
		head := dropTail(toks[:d.start], "to|until|till|for|by|on|back|forward|out|up|off|date|due|from")
		return todo{title: r.titleOf(c, head), due: isoDay(d.day)}
	}
	if prio && ps > 0 && pe == len(toks) && in("set|change|update|make", verb) {
		return todo{title: r.titleOf(c, dropTail(toks[:ps], "to|as|is|at")), priority: level}
	}
	return todo{}
}

// dueStated: "the cable is due on Friday", "the deadline for the quote is 5 December".
func (r *reader) dueStated(c *clause, m meaning) meaning {
	toks := trimPhraseEnd(c.toks)
	for i, t := range toks {
		if _, ok := matchAny(toks[i:], ", not", ", change|update|correct|move|fix|adjust|please it|that|this|change|update"); ok && i > 3 && !t.quoted {
			toks = trimPhraseEnd(toks[:i]) // "... is the 14th now, not the 9th, change it"
			break
		}
	}
	if c.frame != bare || c.question {
		return meaning{}
	}
	d, ok := findDate(toks, r.sit.Now)
	if !ok || d.end != len(toks) || d.start == 0 {
		return meaning{}
	}
	head := toks[:d.start]
	if n, ok := matchAny(head, "<det>? new due? date|deadline for|of"); ok && n < len(head) {
		m.title, m.score, m.change.due = r.titleOf(c, dropTail(head[n:], "is|on|by")), 0.8, isoDay(d.day)
		if m.title != "" {
			return m // "new date for the call: Friday"
		}
	}
	if n, ok := matchAny(head, "<det>? deadline|due for|of", "<det>? due date for|of"); ok && n < len(head) && (lastIn(dropTail(head, "now|on|by"), "is") || lastIn(dropTail(head, "now|on|by"), "be") && has(head, "should|must|needs")) {
		m.title = r.titleOf(c, dropTail(head[n:], "is|now|on|by|be|should|must|needs|to"))
	} else if i, _, ok := find(toks, "has|have|needs|need to be done|finished|ready", "must|should be done|finished|ready", "can wait until|till"); ok && i > 1 && i < d.start && in("the|my|our", toks[0].norm) {
		m.title = r.titleOf(c, toks[:i])
	} else if i, _, ok := find(toks, "is|are now|not? due"); ok && i > 0 && i < d.start {
		m.title = r.titleOf(c, toks[:i])
	}
	m.change.due = isoDay(d.day)
	if m.title == "" || has(toks[:1], "it|this|that|what|which|when|rent|everything") {
		return meaning{}
	}
	m.score = 0.7
	return m
}

// titleOf spells the title of a task that is referred to.
func (r *reader) titleOf(c *clause, toks []token) string {
	toks = trimMarks(toks)
	if n, ok := matchAny(toks, "<det>? <taskword> called|named|:|to?"); ok && n < len(toks) {
		toks = toks[n:]
	}
	if n := len(toks); n > 1 && class("<taskword>", toks[n-1].norm) && !toks[n-1].quoted {
		toks = toks[:n-1]
	}
	if words := contentWords(toks); len(words) == 0 || len(words) > 12 || len(words) == 1 && (class("<pronoun>", words[0]) || in("us|me|house|forward", words[0])) {
		return ""
	}
	return unwrap(spell(c.src, unquoted(toks)))
}

func dropTail(toks []token, words string) []token {
	for len(toks) > 0 && !toks[len(toks)-1].quoted && (in(words, toks[len(toks)-1].norm) || !toks[len(toks)-1].word && toks[len(toks)-1].norm != `"`) {
		toks = toks[:len(toks)-1]
	}
	return toks
}
