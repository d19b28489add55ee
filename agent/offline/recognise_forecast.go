package offline

import "slices"

// foreseeing recognises questions after the end of the whole project: "when will
// we be done?", "are we on track?", "forecast the launch". When a single thing
// will be there is a question to look up.
func (r *reader) foreseeing(c *clause) meaning {
	if c.negated {
		return meaning{}
	}
	toks, body := trimPhraseEnd(atThisPace(skipOpeners(c.toks))), trimPhraseEnd(c.body)
	if n, ok := matchAny(toks, "do|can you think|reckon|believe|expect|guess|say|tell that|me|us? if|whether?", "you think|reckon that?", "any idea"); ok && n < len(toks) {
		toks = inverted(toks[n:])
	}
	if !c.question && (c.orders() || c.frame == obligation) {
		if m := r.toForecast(c, body); m.score > 0 {
			return m
		}
	}
	if !c.question && !c.mark {
		return meaning{}
	}
	if m := r.whenDone(c, toks); m.score > 0 {
		return m
	}
	return r.inTime(c, toks)
}

// atThisPace drops the supposition that things go on as they do, which stands behind
// a question about their end.
func atThisPace(toks []token) []token {
	if i, e, ok := find(toks, "at|with this|that|our|my|the? current|present? pace|rate|speed", "if|when|as we|it|this|things|everything go|goes|carry|carries|keep|keeps|continue|continues on|like|going|this|so|well? this|that?", "the way things are? going?"); ok && i > 1 && e == len(toks) {
		return toks[:i]
	}
	return toks
}

// inverted puts the auxiliary before its subject: "do you think we will finish" asks
// "will we finish".
func inverted(toks []token) []token {
	for i := 1; i < len(toks) && i <= 5; i++ {
		if !toks[i].quoted && in("will|can|is|are|could|would|might", toks[i].norm) {
			return slices.Concat(toks[i:i+1], toks[:i], toks[i+1:])
		}
	}
	return toks
}

// toForecast: the order to forecast.
func (r *reader) toForecast(c *clause, body []token) meaning {
	n, ok := matchAny(body, "forecast|simulate|predict|extrapolate|prognosticate", "do|make|run|give|show|get|start|have|create|see me|us? <det>? quick|new|fresh|realistic|project? forecast|simulation|projection|prognosis|prediction|monte of|for|on|about|carlo|when?", "do|run|make|start|have a|the? monte carlo simulation? of|for|on?", "show|give|tell|play me|us|through? the|some|three|a|different? scenarios|best-case|worst-case|best|worst case? scenario? of|for|on?", "estimate|guess|calculate|compute|work|project out? when|how|the end|finish|completion|arrival|launch|long|date|soon", "tell|say|show|give me|us? the? odds|chances|probability|likelihood|eta of|that|for|on?", "forecast")
	if !ok || n < len(body) && class("<aux>", body[n].norm) {
		return meaning{}
	}
	verb := firstWord(body)
	rest := body[n:]
	if in("simulate|predict|extrapolate", verb) || in("estimate|guess|calculate|compute|work|project|tell|say", verb) || has(body[:n], "odds|chances|probability|likelihood") {
		if m := r.endOf(c, rest, in("simulate|predict", verb) || has(body[:n], "finish|end|completion|launch")); m.score > 0 {
			return m
		}
		return meaning{}
	}
	ref, a := r.aim(c, rest)
	switch {
	case n >= len(body) && (has(body, "simulation") || r.sit.Project != nil || has(body, "forecast|monte")):
		return mode("project_forecast", 0.88, reference{empty: true})
	case a == aimHere, a == aimWhole, a == aimPart, a == aimAbsent:
		return mode("project_forecast", 0.92, ref)
	}
	return r.endOf(c, rest, true)
}

// endOf reads what the end is asked of: the launch, the whole, a project.
func (r *reader) endOf(c *clause, toks []token, loose bool) meaning {
	for len(toks) > 0 && !toks[0].quoted && in("when|how|long|of|for|the|until|till|that|soon|date|day|if|whether", toks[0].norm) {
		toks = toks[1:]
	}
	m := mode("project_forecast", 0.88, reference{empty: true})
	if found := mentioned(toks, r.sit.Projects); len(found) == 1 {
		m.project = reference{found: found}
		return m
	}
	if i, _, ok := find(toks, "will|can|could|is|are|would|should|get|gets|be|going|takes|take"); ok && i > 0 {
		if ref, a := r.aim(c, toks[:i]); a == aimWhole || a == aimPart {
			m.project = ref
			return m
		}
	}
	if has(toks, "weather|rain|election|match|game|lottery|future|snow|storm|temperature|sales|price|prices|market|stock|inflation") {
		return meaning{}
	}
	if _, ok := matchAny(toks, "we|i will|are|can|get|be|make|finish|going|would|am", "everything|it|this|all|things will|is|are", "launch|release|end|finish|completion|opening|finishing|deadline|outcome|rest|project|big?", "opening|launch day|night"); ok && (loose || has(toks, "done|finished|finish|ready|complete|through|there|launch")) && len(toks) <= 12 {
		return m
	}
	if loose && len(toks) > 0 && len(trimPhrase(toks)) <= 3 && has(toks, "launch|release|opening|completion|finish|end|delivery|rollout|submission|date|moving|publication|progress") {
		return m
	}
	return meaning{}
}

// whenDone: "when will the boat be ready?", "how long until we're finished?".
func (r *reader) whenDone(c *clause, toks []token) meaning {
	m := mode("project_forecast", 0.9, reference{empty: true})
	n, when := matchAny(toks, "by? what|which date|day|month|week|time do|can|should|could|might i|we|you expect|think|reckon|hope|see", "when do|can|should|could|might|may i|we|you expect|think|reckon|count|hope that|on|for|to|see|have?", "when|by on? earth? will|would|can|could|do|does|are|is|might|should|shall", "by when will|would|can|could|do|are|is|might", "how soon|fast|quickly will|would|can|could|are|do|might", "what|which day|date|month|week|year will|are|can")
	if when {
		rest := toks[n:]
		i, e, ok := find(rest, "<ended>", "be over|there|through", "cross the finish line", "to finish|complete", "go live|public", "move in")
		if !ok || i == 0 {
			return meaning{}
		}
		subject := dropTail(rest[:i], "be|get|to|going|have|finally|expect|expected|all|fully|it|likely|completely|actually|supposed|scheduled|we|i|able|realistically|ever|everything|been|done|you|think|expecting|that|will|is|are")
		if k, ok := matchAny(subject, "do|will? you think|expect|reckon|guess"); ok {
			subject = subject[k:]
		}
		return r.wholeEnds(c, m, subject, rest[e:], rest[:i])
	}
	if n, ok := matchAny(toks, "how long will|would|is|does|do|until|till|before|might|are", "how much longer|time|more will|would|is|does|do|until|till|before|time|might?", "how many days|weeks|months|years until|till|before|will|to|are|is"); ok {
		rest := toks[n:]
		if i, e, ok := find(rest, "going to take|last|need|be", "take|takes|last|need|needs|going", "<ended>", "be over|there|through"); ok {
			subject := dropTail(rest[:i], "be|get|to|going|have|likely|it|we|i|is|are|will|everything|until|till|before|still|all|until|this")
			after := rest[e:]
			if k, ok := matchAny(after, "to|until|till|before|take *? *? *? <ended>", "me|us to <ended>", "me|us|all|in|altogether|total|still|yet|more|on *? *?", "to take|last me|us?"); ok {
				after = after[k:]
			}
			if len(subject) == 0 && !has(rest[:i], "we|i|everything|this|all|it|us") {
				return meaning{}
			}
			if has(rest[:i], "it") && !containsPhrase(rest, "<ended>", "everything", "all") && len(trimPhrase(after)) == 0 {
				return meaning{}
			}
			return r.wholeEnds(c, m, subject, after, rest)
		}
	}
	return meaning{}
}

// wholeEnds: the subject and what follows must be a project or everything.
func (r *reader) wholeEnds(c *clause, m meaning, subject, after, said []token) meaning {
	after = trimPhraseEnd(after)
	for len(after) > 0 && (!after[0].word || in("with|on|in|all|by|of|at|the|everything|if|do|think|you|go|given|like|to|for|here", after[0].norm)) {
		if in("if|given|like", after[0].norm) {
			after = nil
			break
		}
		after = after[1:]
	}
	if len(contentWords(subject)) > 0 && !in("you", contentWords(subject)[0]) {
		ref, a := r.aim(c, subject)
		if a == aimless || len(after) > 0 && !has(after, "this|it|now|time|then|rate|pace") && len(trimPhrase(after)) > 0 {
			return meaning{}
		}
		if a == aimHere && !ref.named && !(r.sit.Project != nil && !has(said, "it")) && !has(subject, "everything|all|whole") {
			return meaning{}
		}
		m.project = ref
		return m
	}
	if len(trimPhrase(after)) == 0 {
		if has(said, "it") && len(contentWords(subject)) == 0 && !has(said, "we|i|all|everything") {
			return meaning{} // some thing that was talked about
		}
		return m
	}
	ref, a := r.aim(c, after)
	if a == aimless || a == aimAbsent {
		return meaning{}
	}
	m.project = ref
	return m
}

// inTime: "are we on track?", "will we make it by June?", "what are the odds?".
func (r *reader) inTime(c *clause, toks []token) meaning {
	m := mode("project_forecast", 0.88, reference{empty: true})
	if n, ok := matchAny(toks, "are|is|am we|i|this|everything|it|things still|all? on|in|behind|ahead track|schedule|time|course|of|target of? schedule|time? with|for|on|in?", "are we|i running? late|behind schedule? with|on|for?", "will|can|are|do we|i|they going|ever? to? make|hit|meet|keep|reach|finish the|our|that|this|it|in|on|by *?", "will|can|is everything|all|it|this|we|i going|to? be? done|finished|ready|complete|through|over in|on|by|before", "are|is we|i|everything|it|this going|likely|set to be? done|finished|ready|complete|through|over|finish in|on|by|before", "what are|is the|our odds|chances|chance|probability|likelihood of|that|we|for|to|on?", "how likely|probable is|are it|we that|to?", "do|will we have a|any chance|time", "is there enough time|a|any chance"); ok {
		rest := toks[n:]
		if has(toks[:n], "chance|chances|odds|likelihood|probability|likely|probable|enough") && !containsPhrase(rest, "<ended>", "in|on time", "make it", "launch|open", "move in", "the deadline", "by *") {
			return meaning{}
		}
		if has(toks[:n], "make|hit|meet|keep|reach|finish|have") && !containsPhrase(toks[1:], "in|on|by|before time|schedule|*", "the|our|that|this deadline|date|deadlines|target|launch|finish", "make it", "finish") {
			return meaning{}
		}
		if found := mentioned(rest, r.sit.Projects); len(found) == 1 {
			m.project = reference{found: found}
			return m
		}
		if i, e, ok := find(rest, "with|for|on"); ok && e < len(rest) {
			if _, dated := findDate(rest[i:], r.sit.Now); !dated && !has(rest[e:], "time|schedule|track") {
				ref, a := r.aim(c, rest[e:])
				if a == aimless || a == aimAbsent {
					return meaning{}
				}
				m.project = ref
			}
		}
		return m
	}
	// "will the boat be ready by June?", "is the shop on track?"
	if n, ok := matchAny(toks, "will|can|could|is|are"); ok {
		if i, _, ok := find(toks[n:], "be done|finished|ready|complete|completed in|on|by|before", "on|behind|ahead track|schedule|of|time", "be|get finished|done|ready", "make it in|by|on|before", "open in|on|by time|*"); ok && i > 0 {
			if ref, a := r.aim(c, toks[n:n+i]); a == aimWhole || a == aimPart || a == aimHere && ref.named {
				m.project = ref
				return m
			}
		}
	}
	if _, ok := matchAny(toks, "what is the|our eta for|of|on?", "what is the|our likely|expected|probable|projected|estimated|realistic end|finish|completion|launch|finishing date|day? for|of?", "what does the forecast say|look", "what is the|our forecast for|of?", "what is the best|worst case"); ok && !has(toks, "weather|rain") {
		if found := mentioned(toks, r.sit.Projects); len(found) == 1 {
			m.project = reference{found: found}
		}
		return m
	}
	return meaning{}
}
