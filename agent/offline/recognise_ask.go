package offline

import "strings"

// listing recognises the wish to see projects, tasks or memories.
func (r *reader) listing(c *clause) meaning {
	body := withoutTag(trimPhraseEnd(c.body))
	toks := withoutTag(trimPhraseEnd(skipOpeners(c.toks)))
	if c.negated || c.frame == obligation && !c.question || c.frame == intention && !c.question {
		return meaning{}
	}
	verb, shown := matchAny(body, "show|list|display|give|print|see|view|get|read me|us?", "tell me about?", "what is|are", "what", "which", "go through|over", "list|show me? out|off?", "have|take a look at", "do i|we have", "are there", "how many", "is there", "name", "remind me|us which|what|of", "tell|show me|us which|what")
	rest := body
	if shown {
		rest = body[verb:]
	}
	if m := r.listOf(c, body, rest, shown); m.score > 0 {
		return m
	}
	if n, ok := matchAny(toks, "show|list|tell|give|see me|us? what|everything|all that? i|we am|are|have working|got|going on? on? at|right|the|just|at|this|now|moment|currently? the|now? moment?", "what all|else? am i working on at|right|just|now|currently? the|now? moment?"); ok && n == len(toks) && has(toks, "working|going") {
		return meaning{intent: listProjects, score: 0.85}
	}
	if m := r.residual(c, toks, shown); m.score > 0 {
		return m
	}
	if _, ok := matchAny(toks, "what do|should|must|can i|we have|need|got? to? do|work|tackle|focus|finish|get", "what is|was left|due|open|overdue|pending|outstanding|urgent|late|still|on|to", "what am i supposed to do", "what needs doing", "what have i|we to|got|still", "anything due|overdue|left|urgent|open", "is anything due|overdue|left|urgent|open",
		"what should i|we do|tackle|work *? next|today|now|first", "what do i|we have on|to|due|for", "what needs to be done", "what remains", "what is coming up", "what is|comes next|first|up on|for my|the|our? *? list|agenda|plate|today", "which|what ones are open|left|due|overdue"); ok && !containsPhrase(toks, "do|done about|against <det>|*") && !ofOneDeed(toks) {
		return r.taskQuestion(c, toks)
	}
	return meaning{}
}

// residual recognises a question or an order that holds nothing but words about
// tasks or memories: whatever its build, there is nothing else it could be about.
func (r *reader) residual(c *clause, toks []token, shown bool) meaning {
	listed := len(toks) > 0 && len(toks) <= 7 && in("tasks|todos|to-dos|reminders", toks[0].norm) && !has(toks, "<aux>")
	if !c.question && !shown && !c.mark && !listed {
		return meaning{}
	}
	var rest []token
	for _, t := range toks {
		if telltale(t) && !class("<abouttasks>", t.norm) && !class("<aboutmemory>", t.norm) {
			rest = append(rest, t)
		}
	}
	if len(rest) > 0 {
		if ref := refer(c, rest, r.sit.Projects); len(ref.found) == 0 {
			return meaning{}
		}
	}
	_, _, due := find(toks, "to do", "due", "overdue", "needs doing", "needs to be done")
	switch {
	case has(toks, "you|your|memory|memories") && has(toks, "remember|remembered|memory|memories|know|told|learned|learnt|facts|stored|kept|saved") && len(rest) == 0 && (has(toks, "me|myself|memory|memories|facts") || lastIn(toks, "remember|remembered|know")):
		return meaning{intent: listMemories, score: 0.9}
	case (due || has(toks, "tasks|todos|to-dos|agenda|plate|outstanding")) && !has(toks, "why|how|who|where|did|<projectword>"):
		return r.taskQuestion(c, toks)
	}
	return meaning{}
}

// listOf reads what is to be listed after the verb.
func (r *reader) listOf(c *clause, body, rest []token, shown bool) meaning {
	n, ok := matchAny(rest, "a|an|the? list|overview|summary|rundown? of? the|my|our|all|any|this|that|every|each? of? the|my|our|all|any? current|open|active|existing|other|new|pending|overdue|due|outstanding|urgent|remaining|unfinished|completed|archived|whole|full|latest?")
	if !ok {
		n = 0
	}
	if n >= len(rest) {
		return meaning{}
	}
	shown = shown || n > 1 && has(rest[:n], "list|overview|summary|rundown") && !c.question
	noun := rest[n]
	tail := rest[n+1:]
	short := len(body) <= 4
	if noun.quoted || !shown && !(short && len(tail) == 0 && !c.question) && !(in("open|my|all|any|overdue|pending|due", firstWord(rest)) && len(tail) == 0) {
		return meaning{}
	}
	plural := n > 0 && in("every|each", firstWord(rest)) && in("task|todo|project|reminder|memory", noun.norm) || in("projects|tasks|todos|to-dos|reminders|memories|todo|to-do|errands", noun.norm) || noun.norm == "list" || noun.norm == "to" && len(tail) > 0 && in("do|dos", tail[0].norm)
	if !plural {
		return meaning{}
	}
	if len(tail) > 0 && tail[0].norm == "list" {
		tail = tail[1:]
	}
	switch {
	case noun.norm == "projects" || noun.norm == "project":
		_, mine := matchAny(tail, "do|are|have|did|am i|we|there", "i|we have|had|got|am|are", "there are")
		if len(tail) > 5 && !(mine && len(tail) <= 9) || has(tail, "about|call|cost|decide|decided|need|needs") {
			return meaning{}
		}
		return meaning{intent: listProjects, score: 0.92}
	case noun.norm == "memories" || noun.norm == "memory":
		return meaning{intent: listMemories, score: 0.92}
	case noun.norm == "list" && !has(rest[:n], "my|the|todo|to-do") && !has(tail, "do"):
		return meaning{}
	}
	if len(tail) > 9 {
		return meaning{}
	}
	return r.taskQuestion(c, body)
}

// taskQuestion reads which tasks are meant: of a project, of all, due soon.
func (r *reader) taskQuestion(c *clause, toks []token) meaning {
	m := meaning{intent: listTasks, score: 0.9, project: reference{empty: true}}
	switch {
	case has(toks, "overdue|late"):
		m.scope = "overdue"
	case has(toks, "today|tonight"):
		m.scope = "today"
	case has(toks, "tomorrow"):
		m.scope = "tomorrow"
	case has(toks, "week"):
		m.scope = "week"
	}
	for i := len(toks) - 1; i > 0; i-- {
		if in("in|for|of|on|with|from", toks[i].norm) && !toks[i].quoted && i+1 < len(toks) {
			if ref := refer(c, toks[i+1:], r.sit.Projects); len(ref.found) > 0 || ref.named && len(contentWords(toks[i+1:])) > 0 {
				m.project = ref
				break
			}
		}
	}
	if m.project.empty {
		if found := mentioned(toks, r.sit.Projects); len(found) == 1 {
			m.project = reference{found: found}
		}
	}
	if has(toks, "all|every|everywhere|everything") {
		m.about = "everywhere"
	}
	return m
}

// asksStatus recognises the question where a project stands.
func (r *reader) asksStatus(c *clause) meaning {
	toks := trimPhraseEnd(skipOpeners(c.toks))
	body := trimPhraseEnd(c.body)
	if c.negated {
		return meaning{}
	}
	for _, pattern := range []string{
		"<det>? status|state|progress|overview|summary|briefing|recap of|on|for|with|about?", "give|show|tell|get me|us? <det>? quick|short|brief|current? status|state|progress|overview|summary|briefing|recap|update|rundown of|on|for|about|with?",
		"catch me|us up on|with|about?", "brief|update me|us on|about?", "bring me|us up to speed|date on|with|about?", "fill me|us in on|about?", "recap", "summarise|summarize", "status update of|on|for|with|about?", "remind me|us where we are|were|stand|left with|on|in|off?", "<det>? status|progress report|update on|of|for|about", "remind me|us what we|i were|was doing|discussing|working|up on|at|to? with|on|in?", "remind|tell|show me|us where i|we am|are|was|were|left|stopped|got off|to? with|on|in?",
	} {
		if n, ok := match(body, pattern); ok {
			if m := r.standing(c, body[n:], true); m.score > 0 {
				return m
			}
		}
	}
	if n, ok := matchAny(toks, "how does|do"); ok && n+1 < len(toks) && lastIn(toks, "stand|fare") {
		if m := r.standing(c, toks[n:len(toks)-1], true); m.score > 0 {
			return m
		}
	}
	for _, pattern := range []string{
		"what is the|our? current? status|state|progress of|on|for|with|in?", "where are|were|do we|i|things|matters|it stand? with|on|in|at?", "where did we|i leave|stop off? with|on|in?", "where did we leave", "what is next for|on|with|in?", "what are the? our|my? next steps for|on|with|in?", "what comes next for|on|with|in?",
		"how far are|along? we|i with|on|in?", "how far along are|is we|i? with|on|in?", "how far have|did we|i got|come|gotten|get with|on|in?", "how are we doing|getting on|along?", "what were we working on|at", "what was i working on|at", "what have|did i|we done|do|achieve|achieved|manage|managed so far? on|in|with|for", "what is happening|new|up|going with|on|in? with|in?", "what about", "how about", "how are|is we|i|things|it|you? doing|going|getting|coming|faring|progressing on|along? with|on|in", "how is|are", "how are|is things going? with|on|in", "what did we|i do last time on|in|with?", "what have we done so far on|in|with?", "which project am|are i|we in|on|at?", "where am i", "what project is this|am i in|on?", "what are we working on|talking about",
		"what is the next step for|on|with|in?", "how are|is things|matters|everything|it standing|looking|shaping|coming along|up? with|on|in", "what is the state|lie of play|things|affairs|land on|of|with|in", "what is|are the? latest|newest news? on|with|about|from|in", "what are next steps for|on|with|in?",
	} {
		if n, ok := match(toks, pattern); ok {
			if end := trimPhraseEnd(c.all); in("about", toks[1].norm) && (len(end) < len(c.all) && has(c.all[len(end):], "now|instead") || lastIn(toks, "next|first|instead")) {
				continue // "how about the boat now?" wants to go there
			}
			loose := in("how|what", toks[0].norm) && (strings.HasSuffix(pattern, "about") || strings.HasSuffix(pattern, "is|are") || strings.HasPrefix(pattern, "what is happening"))
			about, more := dropProgress(toks[n:])
			if loose && more {
				continue // "how is Emma doing at school"
			}
			if m := r.standing(c, about, !loose); m.score > 0 {
				return m
			}
		}
	}
	return meaning{}
}

// dropProgress cuts "going", "coming along" after the project; more says that
// something else follows.
func dropProgress(toks []token) (about []token, more bool) {
	if i, e, ok := find(toks, "going|doing|coming|looking|progressing|shaping|getting|moving along|on|up|so? far?"); ok {
		return toks[:i], len(contentWords(trimPhrase(toks[e:]))) > 0 && !has(toks[e:], "far|now|today|lately|these|with|on|along|up")
	}
	if i, _, ok := find(toks, "going|doing|coming|looking|progressing|shaping|getting|moving"); ok {
		return toks[:i], i+1 < len(toks) && !has(toks[i+1:], "far|now|today|lately|these|with|on|along|up|so")
	}
	return toks, false
}

// standing reads which project a question of status is about; the active one if
// none is named, where the words leave no doubt.
func (r *reader) standing(c *clause, toks []token, alone bool) meaning {
	toks = trimPhrase(toks)
	ref := refer(c, toks, r.sit.Projects)
	words := contentWords(toks)
	switch {
	case len(words) == 0 || len(words) == 1 && class("<pronoun>", words[0]) || len(words) == 1 && in("we|i|off|things", words[0]):
		if !alone {
			return meaning{}
		}
		return meaning{intent: status, score: 0.85, project: reference{empty: true}}
	case len(ref.found) > 0 && !ref.partial:
		return meaning{intent: status, score: 0.91, project: ref}
	case ref.named && alone:
		return meaning{intent: status, score: 0.7, project: ref}
	}
	return meaning{}
}

// asking recognises questions that the vault may answer, and orders to look.
func (r *reader) asking(c *clause) meaning {
	body := c.body
	m := meaning{intent: ask, score: 0.55}
	toks := skipOpeners(c.toks)
	if _, ok := matchAny(toks, "what|which|how do|did|have|could you remember|know|learn about me|us", "what have you remembered|learned|learnt", "what do|did you remember|know", "tell me what you know|remember about me|us", "what do you know|remember", "show me what you know|remember about? me|us?", "what did i|we tell you about me|myself"); ok {
		if _, e, ok := find(toks, "about|of"); !ok || e < len(toks) && in("me|us|myself", toks[e].norm) && e+1 >= len(toks) {
			if has(toks, "remember|remembered|know|learned|learnt") && len(toks) <= 9 {
				return meaning{intent: listMemories, score: 0.9}
			}
		}
	}
	if n, ok := matchAny(toks, "you know what|something", "guess what", "do you know what"); ok && n == len(trimMarks(toks)) {
		return meaning{}
	}
	n, order := matchAny(body, "find|search for|in|through? me?", "look up|for", "search", "find me|out", "tell|give|show|read|get me|us everything|all|anything|something|more|what about|on|of?", "look for|up|through|in", "dig up|out", "what do|can you know|tell me about|of", "do you know|remember", "tell me|us what|who|when|where|why|how|which|about|if|whether", "remind me|us what|who|when|where|why|how|which|about",
		"show me|us everything|all|anything|notes|what about|on|for|we?", "is there|are there anything|something|notes|any about|on?", "have i|we", "did i|we", "i wonder", "pull up", "where did i|we", "list everything|all about|on?", "check what|when|who|whether|if|where|my|the|our? notes|vault?", "quote|cite", "any idea")
	if order && !(c.frame == obligation) && !(c.frame == intention) {
		if _, looks := match(body, "find|look|search|check|dig|pull"); looks && !c.question && c.frame != bare && c.frame != request && c.frame != permission && c.frame != suggestion && c.frame != wish {
			return meaning{}
		}
		m.score = 0.7
	} else if !c.question && !c.mark {
		return meaning{}
	} else {
		n = 0
	}
	if _, ok := matchAny(toks, "what did|have|had i|we|they|you decided|decide|agree|agreed|chose|choose|settle|settled|conclude|pick", "which * did i|we decide|choose|chose|pick|agree|settle", "what was|is|were|are <det>? decision|decisions|conclusion", "did|have i|we decide|decided|agree|agreed|choose|settle", "why did i|we decide|choose|chose|pick|agree|settle|go", "what decisions", "how did we decide"); ok {
		m.about, m.score = "decision", 0.85
	} else if has(toks[:min(2, len(toks))], "when") || has(toks, "due|deadline") || has(toks[:min(3, len(toks))], "until") {
		m.about = "when"
	}
	m.project = reference{empty: true}
	if found := mentioned(toks, r.sit.Projects); len(found) == 1 {
		m.project = reference{found: found}
	}
	m.text, m.name = topic(body[n:]), span(c, body[n:])
	if m.text == "" {
		m.text, m.name = topic(toks), span(c, toks)
	}
	return m
}

// topic keeps the words of a question that name its subject.
func topic(toks []token) string {
	var words []string
	for _, t := range toks {
		if telltale(t) && len(words) < 12 {
			words = append(words, strings.TrimSuffix(t.norm, "'s"))
		}
	}
	return strings.Join(words, " ")
}

func telltale(t token) bool { return t.word && (t.quoted || !class("<stop>", t.norm)) }

// span is the topic as the user wrote it, with the small words between.
func span(c *clause, toks []token) string {
	first, last := -1, -1
	for i, t := range toks {
		if telltale(t) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	return limit(spell(c.src, toks[first:last+1]), 80)
}

// withoutTag drops a word or two behind the last comma that name nothing: "all
// told", "by the way", "if you would".
func withoutTag(toks []token) []token {
	for i := len(toks) - 1; i > 1 && i >= len(toks)-5; i-- {
		if toks[i].norm == "," && !toks[i].quoted {
			if t := toks[i+1:]; containsPhrase(t, "by the way", "if you do not mind") || !has(t, "<taskword>|<projectword>|in|for|of|and|or|due|today|tomorrow|overdue|high|urgent|<det>") {
				return toks[:i]
			}
			break
		}
	}
	return toks
}

// ofOneDeed: "what do I have to write on the form?" is no question after tasks: one
// deed is known, and only its object is asked for.
func ofOneDeed(toks []token) bool {
	n, ok := matchAny(toks, "what do|should|must i|we have|need|ought to <verb> on|in|at|into|onto|to|with")
	return ok && n < len(toks) && !class("<abouttasks>", toks[n-2].norm) && toks[n-2].norm != "do"
}
