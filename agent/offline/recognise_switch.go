package offline

import "strings"

// switching recognises a move to another project: by a verb that leads to its
// object ("switch to", "let's talk about", "work on"), by a bare direction
// ("back to", "on to", "now the ..."), or by the name alone.
func (r *reader) switching(c *clause) meaning {
	if c.question || c.frame == intention && !c.negated || c.frame == hoped && has(c.body, "but|though|yesterday|ago|until|when|then") {
		return meaning{}
	}
	obliged := c.frame == obligation
	if d, dated := findDate(c.body, r.sit.Now); obliged && dated && d.day.After(r.sit.Now) {
		return meaning{} // what has to be done another day isn't to be opened now
	}
	if m := r.attending(c); m.score > 0 && (!obliged || in("turn|shift|jump|return|resume|continue|focus|concentrate|proceed|leave|talk|speak|chat|discuss", c.body[0].norm) || in("work", c.body[0].norm) && has(c.body, "now|next|first|instead") || len(c.body) > 2 && in("get|come|go|move", c.body[0].norm) && in("back|on", c.body[1].norm)) {
		return m
	}
	if m := r.topical(c); m.score > 0 && !obliged {
		return m
	}
	if _, ok := match(c.body, "from"); ok && c.frame == bare && len(mentioned(c.body, r.sit.Projects)) > 0 {
		if m := r.bound(c, c.body, false); m.score > 0 && len(m.project.found) == 1 {
			return m // "from the boat to the shop"
		}
	}
	if n, ok := matchAny(c.body, "swap|exchange|trade|drop|ditch|switch|change|leave|abandon"); ok && !obliged {
		if i, e, ok := find(c.body[n:], "for"); ok && i > 0 && n+e < len(c.body) {
			left := refer(c, c.body[n:n+i], r.sit.Projects)
			if ref, _, ok := r.target(c, c.body[n+e:]); ok && len(ref.found) == 1 && r.sure(c.body[n+e:], ref) && (len(left.found) > 0 || has(c.body[n:n+1], "this|it|that")) {
				return meaning{intent: switchTo, score: 0.8, project: ref} // "swap the boat for the shop"
			}
		}
	}
	for _, v := range []struct {
		pattern string
		strong  bool // a project is meant, whether there is one or not
		oblige  bool // also after "we need to"
	}{
		{"switch|change|swap|flip over|back|away? to", true, true}, {"make|do <det>? quick|short? switch|change|jump|move|hop over|back? to", true, true}, {"we go|switch|move|jump|turn|talk|speak|continue|work now|please|next over|back|ahead? to|about|with|on", false, false},
		{"switch|change|swap|flip over|back? from", true, true}, {"switch|change|set|move|turn <det>? active|current|open|working|selected project|one|context|topic|focus? over|back? to", true, true},
		{"<returnverb>|<goverb> me|us? back to", false, false},
		{"<goverb> over|on|ahead|straight? to", false, false},
		{"take|bring|move me|us over|back? to", false, false},
		{"<talkverb> again? about|on|over|through", false, true},
		{"discuss", false, true},
		{"chat|talk|speak again? about", false, true},
		{"<workverb> again? on", false, false},
		{"<resumeverb> work? with|on?", false, false},
		{"carry|get|go|keep|move on with", false, false},
		{"pick up", false, false}, {"dive back? into", false, false}, {"get back? into", false, false},
		{"open|load|enter|select|choose", false, false}, {"cd|goto|ctx", false, false},
		{"look|peek again? at|into", false, false}, {"have a? look at", false, false},
		{"tell|show|remind me|us about?", false, false},
		{"tell|show me|us more? about", false, false},
		{"bring up", false, false}, {"put me|us on", false, false},
		{"spend a? some? time on|with", false, false}, {"do some? work on", false, false}, {"get some? work done on", false, false},
		{"return|revert to", false, false}, {"turn|shift attention? my|our? attention? to", false, false}, {"leave <det>? * and go|switch|move to|over", false, false},
	} {
		n, ok := match(c.body, v.pattern)
		if !ok || n >= len(c.body) || obliged && !v.oblige {
			continue
		}
		if m := r.bound(c, c.body[n:], v.strong); m.score > 0 {
			return m
		}
	}
	if obliged {
		return meaning{}
	}
	if c.frame == wish && !c.negated {
		if end := shown(trimPhraseEnd(c.body)); end < len(trimPhraseEnd(c.body)) {
			if ref := refer(c, c.body[:end], r.sit.Projects); end > 0 && r.sure(c.body[:end], ref) {
				return meaning{intent: switchTo, score: 0.75, project: ref} // "I need the boat open"
			}
		}
		// "I want the coffee shop", by its whole name.
		if ref := refer(c, c.body, r.sit.Projects); len(c.body) > 1 && in("the|my", c.body[0].norm) && (ref.exact || lastIn(trimPhrase(c.body), "one") && r.sure(c.body, ref)) {
			return meaning{intent: switchTo, score: 0.75, project: ref}
		}
		return meaning{}
	}
	if m := r.pointing(c); m.score > 0 {
		return m
	}
	return r.bound2(c)
}

// shown finds where words of how a project is to be had begin: open, up next, here.
func shown(toks []token) int {
	for i := 1; i < len(toks); i++ {
		if n, ok := matchAny(toks[i:], "back? open|up|opened|loaded|here|back now|next|please|again|first?", "in front of me|us", "on the|my table|screen|desk", "next|now"); ok && i+n == len(toks) {
			return i
		}
	}
	return len(toks)
}

// bound2 recognises a switch by what is missing: a project is named, and beside it
// there are only words of attention, motion, time and courtesy. There is nothing
// else that could be meant, whatever the build: "quick detour to the boat please".
func (r *reader) bound2(c *clause) meaning {
	toks := c.body
	if c.negated || c.frame == intention || c.frame == obligation || len(toks) < 2 || len(toks) > 24 || has(toks, "<hearsay>|<aux>|<wh>|no|not|every|went|came|gone") && !has(toks[:min(2, len(toks))], "have|do") {
		return meaning{}
	}
	start, end, ref := r.namedIn(c, toks)
	if end == 0 {
		return meaning{}
	}
	for i, t := range toks {
		if i >= start && i < end || !t.word && !t.quoted {
			continue
		}
		if t.quoted || !class("<light>", t.norm) && !class("<attend>", t.norm) && !class("<det>", t.norm) && !class("<opener>", t.norm) && !isFiller(t) && !class("<timeword>", t.norm) && !class("<going>", t.norm) {
			return meaning{}
		}
	}
	aimed := start > 0 && in("to|on|onto|about|with|for|into|at|of", toks[start-1].norm)
	cue := has(toks, "please|now|next|time|first|again|instead|going|back")
	if !aimed && !cue && c.frame == bare || c.frame == bare && !cue && !has(toks, "me|us|you|quick|<timeword>") {
		return meaning{}
	}
	return meaning{intent: switchTo, score: 0.72, project: ref}
}

// attending recognises any verb of attention or motion whose aim, at the end of
// the clause, is a project: "let's have a chat about ...", "moving on to ...".
// What is left behind may be named in between: "leave the boat and go on to ...",
// "moving from the boat to ...".
func (r *reader) attending(c *clause) meaning {
	body := c.body
	if len(body) < 2 || body[0].quoted {
		return meaning{}
	}
	leaving := class("<leaveverb>", body[0].norm) && !in("me|us", body[1].norm)
	if !leaving && !class("<attend>", body[0].norm) {
		return meaning{}
	}
	led, left := !leaving, leaving
	for i := 1; i < len(body) && i <= 14; i++ {
		if led && (i == 1 || !in("from", body[i-1].norm)) {
			if ref, two, ok := r.target(c, body[i:]); ok {
				direct := i == 1 && !class("<light>", body[i].norm)
				if direct && !ref.exact && !two && len(strings.FieldsFunc(strings.Join(contentWords(body[i:]), " "), func(r rune) bool { return r == ' ' || r == '-' })) < 2 && !r.handy(c, body, ref) || in("give|fetch", body[0].norm) && len(ref.found) == 1 && !r.sure(body[i:], ref) {
					return meaning{}
				}
				return meaning{intent: switchTo, score: 0.75, project: ref, two: two}
			}
		}
		t := body[i]
		switch {
		case t.quoted || !t.word && t.norm != ",":
			return meaning{}
		case in("from", t.norm):
			left, led = true, false
		case leaving && in("and|then|,", t.norm), left && in("to|onto|into", t.norm):
			led = true
		case leaving && !led && t.norm != "be" && !class("<aux>", t.norm): // what is left behind may be anything
		case class("<generic>", t.norm) && i+1 < len(body) && in("of|with", body[i+1].norm): // "the matter of"
		case !t.word || class("<light>", t.norm) || isFiller(t) || t.norm == "out" && in("bring|get|pull|call|fetch", body[0].norm):
		case leaving && led && (class("<attend>", t.norm) || in("we|i|will|would|let|us|can|now|shall|want|like|should", t.norm)):
		case left && (class("<det>", t.norm) || in("be|for|alone|aside|off|behind|there|later|of|rest|side|it|is", t.norm) || r.inName(t.norm)):
		default:
			return meaning{}
		}
	}
	return meaning{}
}

// topical: "make the boat our topic", "the boat is next", "our subject is the boat".
func (r *reader) topical(c *clause) meaning {
	toks := trimPhraseEnd(c.body)
	for len(toks) > 1 && in("today|tonight|now", toks[0].norm) {
		toks = toks[1:]
	}
	phrase := []token(nil)
	if i, _, ok := find(toks, "that? i|we want|need|meant|mean|would|am|are"); ok && i > 3 && in("it", toks[0].norm) && in("is", toks[1].norm) && !has(toks[i:], "not") {
		phrase = toks[2:i] // "it's the boat I want to work on"
	} else if n, ok := matchAny(toks, "make|set"); ok {
		if i, _, ok := find(toks[n:], "the|our|my next|new|main? topic|subject|focus|priority|theme", "the? active|current project|one?", "active|current"); ok && i > 0 {
			phrase = toks[n : n+i]
		}
	} else if n, ok := matchAny(toks, "<det> next|new|only|main? topic|subject|focus|theme today|now|tonight|next? is|:", "what|all i|we am|are|was|came|come|sat? here|down? for now|today|tonight? is", "what brings|brought|leads|led me|us here? today|now? is", "the|my|our <reason> i|we am|are|was|came|come here? today|now? is", "what i|we should|must|could|can look|talk|discuss|work|focus|open|do|tackle|turn|go about|at|on|with|to|into? now|next|today? is", "what|all i|we want|wanted|would|came|need|meant|hoped like|love|here? to talk|speak|discuss|do|work|chat|cover about|on|with? is", "what|all|where i|we want|wanted|would|need|like|meant like|love|prefer|rather? to be? <attend>|<attending> <attend>? about|on|with|at|into|to|in? now|next|today? is", "it is time for", "i suppose|think|guess|reckon|believe it is time for", "it is all about", "i|we have got? a? few|some|five|ten|little|spare|*? *? minutes|time|hour for", "time for", "next up :|is|,?", "next on the list|agenda :|is|,?", "next|now is|comes|:", "up next :|is|,?", "it is"); ok {
		phrase = toks[n:]
	} else if n, ok := matchAny(toks, "<det> *? *? *? <timeword> belongs|goes|is|was devoted|dedicated|reserved|meant? to|for"); ok && has(toks[:n], "hour|hours|minute|minutes|morning|afternoon|evening|day|today|tonight|week|session|time") {
		phrase = toks[n:] // "the next half hour belongs to the boat"
	} else if n, ok := match(toks, "today|tonight|this|it? is a|an"); ok && n < len(toks) && len(trimPhraseEnd(toks)) > n+1 && lastIn(toks, "day|night|time|session|hour") {
		phrase = toks[n : len(toks)-1] // "today is a boat day"
	} else if i, e, ok := find(toks, "is|comes|goes next|first|up|due", "is|has|gets <det>? turn", "is <det> topic|subject|focus", "should|shall|must|to be|become <det>? active|current|open project|one|topic|focus", "is <det> one|project|thing that|which? i|we want|need|mean|meant|would|am|are like|love|after|for?", "is what|where i|we want|need|would|should like|love|prefer? you|us|me? to? <attend>|be <attend>|<attending>|about|on|with|to|at? about|on|with|to|at? now|next|today|tonight?", "is what|where i|we want|need|would|mean|meant like|love? now|next|today|tonight|here?", "is what|where i|we am|are|want|will|would|need|shall to|like|be? to|be? <attend>|<attending> about|on|with|at|into|to? now|next|today|tonight?", "it is"); ok && i > 0 && e >= len(toks) {
		phrase = toks[:i]
	}
	if len(phrase) == 0 {
		return meaning{}
	}
	ref := refer(c, phrase, r.sit.Projects)
	if len(ref.found) == 0 || ref.partial || len(contentWords(phrase)) > 4 {
		return meaning{}
	}
	if _, it := match(toks, "it is"); it && !ref.exact {
		return meaning{}
	}
	return meaning{intent: switchTo, score: 0.75, project: ref}
}

// bound reads the target of a switch after its verb.
func (r *reader) bound(c *clause, toks []token, strong bool) meaning {
	// "from the boat to the shop": where to, not where from.
	if i, e, ok := find(toks, "and? over|on|back? to"); ok && i > 0 && e < len(toks) {
		if from := refer(c, toks[:i], r.sit.Projects); len(from.found) > 0 || toks[0].norm == "from" {
			if m := r.bound(c, toks[e:], strong); m.score > 0 {
				return m
			}
		}
	}
	toks = dropLead(skipNot(toks), "both|either")
	m := meaning{intent: switchTo, score: 0.9, project: refer(c, toks, r.sit.Projects)}
	if _, ok := m.project.one(); ok && !startsPlain(toks) {
		return m
	}
	if len(m.project.found) > 1 && !m.project.partial {
		m.score = 0.85
		return m
	}
	if two := r.both(c, toks); len(two) > 1 {
		m.project.found, m.project.partial, m.two = two, false, true
		return m
	}
	if head, ok := headOf(toks); ok {
		if short := refer(c, head, r.sit.Projects); len(short.found) == 1 && !short.partial {
			m.project = short
			m.score = 0.85
			return m
		}
	}
	if m.project.partial && len(m.project.found) == 1 {
		m.project.partial = false // the name with more around it
		m.score = 0.85
		return m
	}
	words := contentWords(trimPhrase(toks))
	if len(words) == 0 || len(words) > 5 || m.project.empty || startsPlain(toks) {
		return meaning{}
	}
	if m.project.named {
		return m
	}
	if strong && (aims(toks) || c.frame == bare && c.alone() && c.body[0].norm == "switch") || c.undertaking(toks) {
		m.score = 0.6
		return m
	}
	return meaning{}
}

// pointing recognises a direction or a name without a verb.
func (r *reader) pointing(c *clause) meaning {
	body := c.body
	if c.frame == wish {
		return meaning{}
	}
	lead := false
	if p, ok := refer(c, body, r.sit.Projects).one(); ok && c.alone() && len(contentWords(body)) <= 2 && r.allOnlyOf(contentWords(body), p) && !hasVerb(body) {
		return meaning{intent: switchTo, score: 0.75, project: reference{found: []projectOf{p}}} // the message is nothing but a name
	}
	if n, ok := matchAny(body, "back|over|on|onto|on to|across|forward to", "back|over|on|onto to", "back|over in|into|at|with|on", "ctx|context|topic|subject :|-|=", "switch|open|load|goto|show|resume|change|go :|-|=", "new|next|other|different topic|subject|thing|project :|-|,?", "moving on :|,?|to", "topic|subject|project|context change|switch :|-|,?|to", "let us see :|,?", "now|next for|to?", "onto", "time for", "next :|,? ", "i mean|meant", "to"); ok && n < len(body) {
		body, lead = body[n:], true
	}
	if _, _, ok := find(c.toks, "now|next|then|instead|rather|please|again"); ok {
		lead = true
	}
	if lastIn(body, "time") {
		body, lead = body[:len(body)-1], true // "houseboat time"
	}
	ref := refer(c, body, r.sit.Projects)
	words := contentWords(trimPhrase(body))
	rest := trimMarks(body)[len(trimPhrase(body)):]
	if len(words) == 0 || ref.partial || len(rest) > 6 || !closing(rest) {
		return meaning{}
	}
	if p, ok := ref.one(); ok {
		whole := ref.exact || lead || len(nameWords(p)) > 1 && in("the|my|our", body[0].norm)
		if whole && len(words) <= len(nameWords(p)) && !hasVerb(body) {
			return meaning{intent: switchTo, score: 0.8, project: ref}
		}
	}
	if len(ref.found) > 1 && lead && len(words) <= 2 {
		return meaning{intent: switchTo, score: 0.7, project: ref}
	}
	return meaning{}
}

// alone: the clause is the whole message.
func (c *clause) alone() bool {
	return len(c.all) > 0 && strings.TrimRight(c.src[c.all[len(c.all)-1].end:], " .!\n") == "" && strings.TrimSpace(c.src[:c.all[0].start]) == ""
}

// closing: what may follow a name that is said alone.
func closing(toks []token) bool {
	for _, t := range toks {
		if t.word && !isFiller(t) && !in("next|now|please|then|again|instead|first|today|it|is|for|a|bit|while|more|once|let|us|continue|go|on|thanks|if|you|can|could|would|will|do|not|mind|like|possible", t.norm) {
			return false
		}
	}
	return true
}

func hasVerb(toks []token) bool { return has(toks, "<aux>|<wh>") }

// trimPhraseEnd drops words after a command that add nothing to it.
func trimPhraseEnd(toks []token) []token {
	toks = trimMarks(toks)
	for len(toks) > 1 && !toks[len(toks)-1].quoted && !toks[len(toks)-1].named && (in("please|now|again|then|instead|thanks|ok|okay|kist|rq|asap", toks[len(toks)-1].norm) || isFiller(toks[len(toks)-1]) || !toks[len(toks)-1].word) {
		toks = toks[:len(toks)-1]
	}
	return toks
}
