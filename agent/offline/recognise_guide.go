package offline

import "slices"

// guiding recognises the wish for a guided session: to be led through the making
// of a project, an update, an audit, a forecast, or the tasks.
func (r *reader) guiding(c *clause) meaning {
	best := meaning{}
	for _, recognise := range []func(*clause) meaning{r.forming, r.reporting, r.criticising, r.foreseeing, r.goingThrough} {
		if m := recognise(c); m.score > best.score {
			best = m
		}
	}
	return best
}

func mode(name string, score float64, ref reference) meaning {
	return meaning{intent: startMode, about: name, score: score, project: ref}
}

// forming: "help me set up a project", "let's plan a new project", "walk me
// through a new idea". A plain "create a project" is done at once, and no session.
func (r *reader) forming(c *clause) meaning {
	if c.question || c.negated || !c.orders() && c.frame != obligation && c.frame != intention {
		return meaning{}
	}
	toks, body := skipOpeners(c.toks), c.body
	m := mode("project_create", 0.93, reference{empty: true})
	if len(mentioned(body, r.sit.Projects)) > 1 {
		return meaning{} // of what is there already
	}
	if _, ok := matchAny(body, "brainstorm|braindump|brain-dump <det>? new|project", "do|have|start|begin|try a? brain dump|braindump|brain-dump", "brain dump|braindump time?"); ok {
		return m
	}
	led := has(toks, "help|guide|walk|lead|coach|assist|interview|guidance|guided|hand|support") || has(toks, "together") && !in("put|bring|join|throw|merge|combine", firstWord(body)) || containsPhrase(toks, "step by step", "with me", "with you|your", "ask me questions", "from scratch")
	_, shaped := matchAny(body, "plan|scope|shape|outline|design|define|sketch|develop|structure|prepare out?", "think|talk|work|flesh|map|figure|spell it? through|out", "think about")
	if _, walks := matchAny(body, "guide|walk|lead|take|talk|coach me|us through|in|with|into?", "assist|help|support me|us in|with|to?", "interview me about|on?", "ask me? questions about|on|for"); walks || shaped || led {
		i, e, ok := find(body, "a|another|some|my|our|one brand? new|next|fresh? project|idea|plan|venture|undertaking", "a|an|another *? *? project", "new projects|project|idea", "setting|making|creating|starting|planning|building up|out? projects|one")
		if ok && i <= 8 && (led || shaped) && !has(body[e:], "<taskword>") {
			_, own := matchAny(body[i:], "my|our project|plan|idea")
			if !own {
				return m
			}
		}
	}
	if _, ok := matchAny(toks, "i|we need|want|would|could use like? some|your? help|guidance|support with|on|to|for|in?", "help me|us", "can|could you help me|us", "guide|walk|lead|coach me|us", "can|could you guide|walk|lead|coach me|us"); ok && shapesVenture(c, r.sit.Projects) {
		m.score = 0.9
		return m
	}
	return meaning{}
}

// shapesVenture: "help me plan a wedding", where no project has that name yet.
func shapesVenture(c *clause, projects []projectOf) bool {
	i, e, ok := find(c.body, "plan|organise|organize|think|start|launch|prepare|set|planning|organising|organizing|starting|launching through|up?")
	if !ok || i > 5 || e >= len(c.body) {
		return false
	}
	noun, det := headNoun(c.body[e:])
	return det != "" && !in("the|this|that", det) && class("<venturenoun>", noun) && len(mentioned(c.body[e:], projects)) == 0 && len(refer(c, nounPhrase(c.body[e:]), projects).found) == 0
}

func containsPhrase(toks []token, patterns ...string) bool {
	_, _, ok := find(toks, patterns...)
	return ok
}

// reporting: the speaker has news and wants to bring kist up to date: "let me
// update you on the boat", "there's news about the shop".
func (r *reader) reporting(c *clause) meaning {
	if c.negated {
		return meaning{}
	}
	toks, body := skipOpeners(c.toks), c.body
	patterns := []string{"update|brief|inform you on|about|regarding|with|over?", "bring|get you up to date|speed on|about|with|regarding?", "fill you in on|about|regarding?", "catch you up on|about|with|regarding?",
		"give you <det>? *? update|news|rundown|summary|report on|about|of|from|for|regarding|with?", "tell you what|how is|has|was|happened|changed|went *? *? with|on|at|in|since?", "tell you the|about? news|latest about|of|on|from|with",
		"update <det> plan|details|description|information|info|record|entry|page|status of|for|on", "do|have|make|run <det>? update on|for|about|of", "do|have|make|run <det>? project update on|for|about|of?", "report on|about", "report <det>? some? progress|news|changes on|about|in|with|for?", "share <det>? some? progress|news|update|updates on|about|in|with|for?", "report back on|about", "tell you about the latest|changes|progress|developments on|in|with|at|of"}
	n, ok := matchAny(body, patterns...)
	if ok && (c.orders() || c.frame == obligation || c.frame == intention) && (c.frame != bare || !has(body[:n], "you")) {
		rest := body[n:]
		if n < len(body) && (in("we|i|last|yesterday|then", body[n].norm) || in("since|last", body[n-1].norm)) {
			rest = nil
		}
		if ref, a := r.aim(c, rest); a == aimHere && (r.sit.Project != nil || has(body[n:], "project")) || a == aimWhole || a == aimPart || a == aimAbsent {
			return mode("project_update", 0.92, ref)
		}
	}
	if n, ok := matchAny(body, "bring|get"); ok && c.orders() {
		if i, _, ok := find(body[n:], "up to date|speed"); ok && i > 0 {
			if ref, a := r.aim(c, body[n:n+i]); clearly(ref, a) || a == aimHere && r.sit.Project != nil && !has(body[n:n+i], "me|us") {
				return mode("project_update", 0.85, ref)
			}
		}
	}
	if n, ok := matchAny(toks, "there is|are <det>? *? *? news|update|updates|development|developments|changes|progress about|on|from|regarding|concerning|with|for|at|in", "i|we have|got got? <det>? *? *? news|update|updates|development|developments about|on|from|regarding|concerning|with|for",
		"here is|are <det>? *? *? news|update|latest|updates about|on|from|regarding|for|with", "here is what is|has new|happened|changed|happening with|on|at|in|about", "<det>? lot|lots|much|many|things|something|several thing|things? has|have|is|are changed|happened|moved|different been? with|on|in|at|about|for", "something new|happened with|on|at|about", "time for <det>? update on|about|of",
		"news about|on|from|regarding", "<det>? quick|short|small|brief? update on|about|regarding", "there has|have been <det>? *? *? news|update|changes|development|developments|progress about|on|from|with|at|in"); ok && !c.question && n < len(toks) {
		ref, a := r.aim(c, toks[n:])
		if a == aimWhole || a == aimPart && len(ref.found) == 1 || a == aimHere && r.sit.Project != nil {
			return mode("project_update", 0.88, ref)
		}
	}
	if n, ok := matchAny(toks, "here is|are|comes <det>? *? update|news|updates", "i|we have got? <det>? some? *? update|updates|news for|to? you?", "<det>? lot|lots|much|many|things|something thing|things? has|have happened|changed", "<det>? lot|lots|much|many|things|something thing|things? has|have happened|changed since *? *? *? *? *?", "time for an|another *? update", "update time"); ok && n == len(toks) && !c.question && r.sit.Project != nil {
		return mode("project_update", 0.85, reference{empty: true})
	}
	// "update the shop project", but not "update me".
	if n, ok := match(body, "update"); ok && c.orders() && n < len(body) && !in("me|us|you", body[n].norm) {
		if ref, a := r.aim(c, body[n:]); clearly(ref, a) && (ref.named || a == aimWhole && len(trimPhrase(body[n:])) <= 4) {
			return mode("project_update", 0.85, ref)
		}
	}
	return meaning{}
}

// criticising: "audit this", "what's wrong with the plan?", "be critical about it".
func (r *reader) criticising(c *clause) meaning {
	if c.negated || !c.orders() && !c.question && !c.mark && c.frame != obligation {
		return meaning{}
	}
	toks, body := trimPhraseEnd(skipOpeners(c.toks)), trimPhraseEnd(c.body)
	if i, e, ok := find(body, "for me|us"); ok && i > 1 && e == len(body) {
		body = body[:i]
	}
	if i, e, ok := find(body, "to? be? audited|critiqued|criticised|scrutinised|stress-tested", "to? be? torn|picked apart"); ok && i > 0 && e == len(body) && (c.frame == wish || c.frame == request || c.frame == obligation) {
		return r.auditOf(c, slices.Concat([]token{{norm: "audit", word: true}}, body[:i]), 1)
	}
	if !c.question {
		if n, ok := matchAny(body, "audit", "critique|criticise|criticize", "stress-test|stresstest", "stress test", "scrutinise|scrutinize", "premortem|pre-mortem", "poke|pick|shoot holes in|into", "pick|tear|take apart", "find|show|spot|look|search|check|point|tell|list me|us|for|out? <det>? *? <flaw> in|of|with|for", "be|get as|more|very|really|brutally|totally? critical|honest|brutal|harsh|merciless|sceptical|skeptical|tough about|of|with|on|regarding", "play|be the? devil's advocate on|for|with|about?",
			"do|run|make|give|perform|start|have|conduct|carry me|us|out? <det>? full|quick|thorough|critical|honest|deep|project|proper|complete|health|sanity|little? audit|critique|premortem|pre-mortem|check-up|checkup of|on|for|about|to?", "do|run|make|give|perform|start|have me|us? <det>? critical|honest|sceptical|project|health|sanity|reality|plan review|look|feedback|assessment|check of|on|for|about|at|to?", "challenge", "give|tell me|us <det>? honest|frank|critical|brutal opinion|view|feedback|assessment|verdict|take of|on|about", "take <det>? hard|critical|honest|sceptical|cold look at", "look critically|hard at", "check|review|look|read critically|thoroughly at?"); ok {
			return r.auditOf(c, body, n)
		}
		if n, ok := matchAny(body, "review|check|assess|evaluate|examine|inspect|test|question|analyse|analyze|judge|rate"); ok && n < len(body) {
			if ref, a := r.aim(c, body[n:]); (a == aimWhole || a == aimHere && ref.named) && has(body[n:], "<planword>") && !has(body[n:], "if|whether") {
				return mode("project_audit", 0.85, ref)
			}
		}
		if i, e, ok := find(body, "apart", "to pieces"); ok && i > 1 && e == len(body) && in("pick|tear|take|pull", body[0].norm) {
			if ref, a := r.aim(c, body[1:i]); clearly(ref, a) {
				return mode("project_audit", 0.9, ref)
			}
		}
		if i, _, ok := find(body, "critically", "with <det> critical|cold|sceptical eye", "for *? <flaw>", "for weak|soft|sore|blind points|spots|parts"); ok && i > 1 {
			if n, ok := matchAny(body, "review|check|assess|look|examine|go|read|inspect at|through|over?"); ok && n < i {
				return r.auditOf(c, body[:i], n)
			}
		}
	}
	return r.doubting(c, toks)
}

// auditOf takes the rest of an order as what is to be audited.
func (r *reader) auditOf(c *clause, body []token, n int) meaning {
	audit := has(body[:n], "audit|critique|premortem|pre-mortem|critical|critically|honest|brutal|harsh|advocate|sceptical|skeptical|stress|stress-test")
	if n >= len(body) {
		if audit && (r.sit.Project != nil || has(body, "audit|premortem|pre-mortem|critique")) && !has(body, "devil's") {
			return mode("project_audit", 0.8, reference{empty: true})
		}
		return meaning{}
	}
	ref, a := r.aim(c, body[n:])
	switch {
	case a == aimWhole, a == aimAbsent, a == aimHere && (ref.named || audit && (r.sit.Project != nil || has(body, "audit"))), a == aimPart && audit:
		return mode("project_audit", 0.92, ref)
	case a == aimPart && has(body[:n], "<flaw>"):
		return mode("project_audit", 0.8, ref)
	}
	return meaning{}
}

// doubting: questions after flaws and risks of a whole plan.
func (r *reader) doubting(c *clause, toks []token) meaning {
	n, ok := matchAny(toks, "what is|are wrong|amiss|bad|off|weak|problematic|risky with|about|in", "what are|is the|my|our|its *? weak|weakest|critical|sore|soft|risky|riskiest points|point|spots|spot|parts|part|sides of|in|with", "what could|might|may be wrong|amiss|weak|problematic with|about|in", "what are|is|do the|my|our|its|your you? see? *? *? <flaw> of|in|with|for|about|to", "what could|can|might|may|would|will go wrong with|in|about|at?", "where are|is the|my|our|its *? *? <flaw> of|in|with", "where are|is the|my|our|its weakest|riskiest|weak|risky|critical points|parts|point|part|places of|in|with", "which <flaw> are|do|does|is there|you|have see? in|with|of",
		"are|is there any|some? *? <flaw> in|with|of", "what am|are|did|do|have i|we overlooking|overlook|overlooked|underestimating|misjudging|underestimate in|with|about|on|for?", "do|can you see any|some|the|big? <flaw> in|with|of", "how risky|realistic|feasible|solid|sound|robust|sensible is", "what would|do|does you|a|an critic|sceptic|expert|outsider criticise|criticize|say|change|think about|of|in|with", "how good|bad is|are", "what do you think of|about", "which risks do|does|are we|i|there run|face|have? in|with|of?", "what speaks against")
	if ok {
		loose := in("how", toks[0].norm) && has(toks[:n], "good|bad") || has(toks[:n], "think")
		ref, a := r.aim(c, toks[n:])
		switch {
		case n >= len(toks):
			if r.sit.Project != nil && has(toks[:n], "wrong|overlooking|overlooked|overlook|underestimating|misjudging|underestimate|risks") && !has(toks[:n], "is") {
				return mode("project_audit", 0.85, reference{empty: true})
			}
		case loose && !(a == aimWhole && has(toks[n:], "<planword>") || a == aimHere && ref.named):
		case a == aimWhole, a == aimHere && (ref.named || has(toks[:n], "go|overlooking")), a == aimPart && has(toks[n:], "the|my|our|this"):
			return mode("project_audit", 0.9, ref)
		}
		return meaning{}
	}
	if n, ok := matchAny(toks, "what|which *? <flaw> does|do|has|have|could|might|can"); ok && n < len(toks) {
		if ref, a := r.aim(c, dropTail(toks[n:], "have|face|run|hold|bring|carry|got|still|pose|cause")); clearly(ref, a) || a == aimHere && r.sit.Project != nil {
			return mode("project_audit", 0.88, ref)
		}
	}
	if n, ok := matchAny(toks, "where|how|why might|could|may|can|would|will"); ok && n < len(toks) {
		if i, e, ok := find(toks[n:], "fail|break|collapse", "go wrong", "fall apart"); ok && i > 0 && n+e == len(toks) {
			if ref, a := r.aim(c, toks[n:n+i]); clearly(ref, a) {
				return mode("project_audit", 0.88, ref)
			}
		}
	}
	// "is the plan realistic?"
	if i, e, ok := find(toks, "realistic|feasible|sound|solid|doable|sensible|viable|robust|achievable|consistent|watertight", "any good", "make|makes sense", "a good idea|plan", "too ambitious|optimistic|risky", "have any? <flaw>", "good enough"); ok && i > 1 && e >= len(toks)-2 && (c.question || c.mark) && in("is|does|are|do", toks[0].norm) {
		if ref, a := r.aim(c, toks[1:i]); a == aimWhole && has(toks, "<planword>") || a == aimHere && ref.named {
			return mode("project_audit", 0.85, ref)
		}
	}
	return meaning{}
}

// goingThrough: "let's go through my tasks".
func (r *reader) goingThrough(c *clause) meaning {
	if c.question || c.negated || !c.orders() && c.frame != obligation {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	n, ok := matchAny(body, "go|walk|run|work|step|step|look me|us? through|over|down|across", "take|walk|guide|lead me|us through", "update|review|triage|groom|revise|sort|prune|reassess|re-prioritise|reprioritise|prioritise|prioritize|reprioritize|reorganise|reorganize|declutter through|out|over?", "check in on|with", "clean|clear|tidy|sort|catch up|out|on", "tidy|sort|clean", "do|have|make|start|run <det>? quick? round|review|check-in|update|pass|triage|walkthrough|cleanup of|on|through|over|for|with?", "do|have|make|start|run|time for? <det>? weekly|daily|quick|little|short? <taskword> review|update|check-in|triage|round|cleanup|session|grooming", "time for <det>? weekly|daily|quick? <taskword> review|update|check-in|triage", "bring|get", "give you an update on|about|of", "update you on|about", "tell you how|what")
	if !ok {
		return meaning{}
	}
	rest := body[n:]
	if n > 2 && has(body[:n], "<taskword>") && len(rest) <= 3 {
		return mode("task_update", 0.9, reference{empty: true})
	}
	k, ok := matchAny(rest, "<det>|all|everything|what|each|every? one? of? my|our|the|these? open|current|outstanding|remaining|pending|overdue|whole|entire|active|unfinished? to|task|do|my? tasks|todos|to-dos|backlog|todo|dos|checklist|errands|reminders list|lists?", "<det>|all|through? of? my|our|the? open|current|outstanding|remaining|whole|entire? <taskword> list|lists|board", "<det> list|lists|checklist of? tasks|todos|things?", "<det> to do list", "<det>? open items|points", "everything|all|anything that|which? is|are? still? open|left|due|undone|unfinished", "what is|still still? open|left|to|undone do?")
	if !ok {
		return meaning{}
	}
	if in("bring|get", body[0].norm) && !has(rest[k:], "date") {
		return meaning{}
	}
	m := mode("task_update", 0.93, reference{empty: true})
	tail := rest[k:]
	if len(tail) == 0 {
		return m
	}
	if in("of|for|in|on|from", tail[0].norm) && len(tail) > 1 {
		if ref, a := r.aim(c, tail[1:]); a != aimless {
			m.project = ref
			return m
		}
		return m
	}
	if len(tail) <= 6 && !has(tail, "<verb>") || in("one|together|by|and|so|with|before|today|this|up|tonight|once", tail[0].norm) {
		return m
	}
	return meaning{}
}
