package offline

import "strings"

// switching recognises a move to another project: by a verb that leads to its
// object ("switch to", "let's talk about", "work on"), by a bare direction
// ("back to", "on to", "now the ..."), or by the name alone.
func (r *reader) switching(c *clause) meaning {
	if c.question || c.frame == intention && !c.negated {
		return meaning{}
	}
	obliged := c.frame == obligation
	if m := r.attending(c); m.score > 0 && (!obliged || in("turn|shift|jump|return|resume|continue|focus|concentrate|proceed|leave|talk|speak|chat|discuss", c.body[0].norm) || len(c.body) > 2 && in("get|come|go|move", c.body[0].norm) && in("back|on", c.body[1].norm)) {
		return m
	}
	if m := r.topical(c); m.score > 0 && !obliged {
		return m
	}
	for _, v := range []struct {
		pattern string
		strong  bool // a project is meant, whether there is one or not
		oblige  bool // also after "we need to"
	}{
		{"switch|change|swap|flip over|back|away? to", true, true}, {"make|do <det>? quick|short? switch|change|jump|move|hop over|back? to", true, true}, {"we go|switch|move|jump|turn|talk|speak|continue|work now|please|next over|back|ahead? to|about|with|on", false, false},
		{"switch|change|swap|flip over|back? from", true, true},
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
		{"open|load|enter|select|choose", false, false},
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
		// "I want the coffee shop", by its whole name.
		if ref := refer(c, c.body, r.sit.Projects); ref.exact && len(c.body) > 1 && in("the|my", c.body[0].norm) {
			return meaning{intent: switchTo, score: 0.7, project: ref}
		}
		return meaning{}
	}
	return r.pointing(c)
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
	leaving := class("<leaveverb>", body[0].norm)
	if !leaving && !class("<attend>", body[0].norm) {
		return meaning{}
	}
	led, left := !leaving, leaving
	for i := 1; i < len(body) && i <= 14; i++ {
		if led && (i == 1 || !in("from", body[i-1].norm)) {
			if ref := refer(c, body[i:], r.sit.Projects); len(ref.found) > 0 && !ref.partial && len(ref.found) <= 4 {
				direct := i == 1 && !class("<light>", body[i].norm)
				if direct && !ref.exact && len(contentWords(body[i:])) < 2 {
					return meaning{}
				}
				return meaning{intent: switchTo, score: 0.75, project: ref}
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
		case !t.word || class("<light>", t.norm) || isFiller(t):
		case leaving && led && class("<attend>", t.norm):
		case left && (class("<det>", t.norm) || in("be|for|alone|aside|off|behind|there|later|of|rest|side|it|is", t.norm) || r.inName(t.norm)):
		default:
			return meaning{}
		}
	}
	return meaning{}
}

// inName reports whether a word belongs to the name of some project.
func (r *reader) inName(w string) bool {
	for _, p := range r.sit.Projects {
		if likenessOf([]string{w}, nameWords(p)) || class("<generic>", w) {
			return true
		}
		for _, n := range nameWords(p) {
			if same(w, n) > 0 {
				return true
			}
		}
	}
	return false
}

// topical: "make the boat our topic", "the boat is next", "our subject is the boat".
func (r *reader) topical(c *clause) meaning {
	toks := trimPhraseEnd(c.body)
	phrase := []token(nil)
	if n, ok := matchAny(toks, "make"); ok {
		if i, _, ok := find(toks[n:], "the|our|my next|new|main? topic|subject|focus|priority|theme"); ok && i > 0 {
			phrase = toks[n : n+i]
		}
	} else if n, ok := matchAny(toks, "<det> next|new|only? topic|subject|focus|theme is|:", "it is time for", "time for", "next up :|is|,?", "next on the list|agenda :|is|,?", "up next :|is|,?", "it is"); ok {
		phrase = toks[n:]
	} else if i, e, ok := find(toks, "is|comes|goes|has|gets next|first|<det>? turn", "is <det> topic|subject|focus", "it is"); ok && i > 0 && e >= len(toks) {
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
	toks = skipNot(toks)
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
	if len(words) == 0 || len(words) > 5 || m.project.empty {
		return meaning{}
	}
	if m.project.named {
		return m
	}
	if strong && aims(toks) {
		m.score = 0.6
		return m
	}
	return meaning{}
}

// aims tells "switch to the garden" from "switch to decaf": a project has an
// article, a possessive, quotation marks or a capital.
func aims(toks []token) bool {
	if len(toks) == 0 {
		return false
	}
	return in("the|my|our", toks[0].norm) || toks[0].norm == `"` || toks[0].norm == "'"
}

// startsPlain: "talk about work on ..."; a project phrase doesn't begin with a verb form.
func startsPlain(toks []token) bool {
	return len(toks) > 0 && in("how|what|why|when|where|whether|if", toks[0].norm)
}

// skipNot drops "not the boat but" from "not the boat but the shop".
func skipNot(toks []token) []token {
	if len(toks) == 0 || toks[0].norm != "not" {
		return toks
	}
	if _, e, ok := find(toks, "but"); ok {
		return toks[e:]
	}
	for i, t := range toks {
		if t.norm == "," && i+1 < len(toks) {
			return toks[i+1:]
		}
	}
	return toks
}

// headOf cuts a phrase where a purpose or topic begins: "the boat to plan the
// wiring", "the shop and its menu".
func headOf(toks []token) ([]token, bool) {
	for i := 1; i < len(toks); i++ {
		if !toks[i].quoted && in("and|to|for|about|so|in|on|with|or|but|because|regarding|where|which|that|-|,|:|(", toks[i].norm) {
			return toks[:i], true
		}
	}
	return nil, false
}

// both finds the projects on the two sides of an "and" or "or".
func (r *reader) both(c *clause, toks []token) []projectOf {
	i, e, ok := find(toks, "and|or|versus|vs")
	if !ok || i == 0 {
		return nil
	}
	left, right := refer(c, toks[:i], r.sit.Projects), refer(c, toks[e:], r.sit.Projects)
	a, okA := left.one()
	b, okB := right.one()
	if !okA || !okB || a.Slug == b.Slug {
		return nil
	}
	return []projectOf{a, b}
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
	if n, ok := matchAny(body, "back|over|on|onto|on to|across|forward to", "back|over|on|onto to", "now|next for|to?", "onto", "time for", "next :|,? ", "i mean|meant", "to"); ok && n < len(body) {
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
	if len(words) == 0 || ref.partial || len(rest) > 4 || !closing(rest) {
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

func (r *reader) allOnlyOf(words []string, p projectOf) bool {
	for _, w := range words {
		if !r.onlyOf(w, p) {
			return false
		}
	}
	return len(words) > 0
}

// closing: what may follow a name that is said alone.
func closing(toks []token) bool {
	for _, t := range toks {
		if t.word && !isFiller(t) && !in("next|now|please|then|again|instead|first|today|it|is|for|a|bit|while|more|once|let|us|continue|go|on|thanks", t.norm) {
			return false
		}
	}
	return true
}

func hasVerb(toks []token) bool { return has(toks, "<aux>|<wh>") }

// backing recognises the way back to where the conversation was before.
func (r *reader) backing(c *clause) meaning {
	if c.question || c.frame == obligation || c.frame == intention {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	n, ok := matchAny(body, "<goverb>|<returnverb>|take|bring us|me? back", "back", "back back", "step back", "one step back", "<goverb> back one|a? step?", "back up")
	if !ok {
		if n, ok = matchAny(body, "return", "return|switch|go to", "the? previous|last|other|earlier|former|prior", "where were we before"); !ok || n == 0 {
			return meaning{}
		}
	}
	rest := trimMarks(body[n:])
	if k, ok := matchAny(rest, "to? where|what|whatever|wherever i|we|you", "to? what|whatever was|came", "to? the thing|topic|project|one|subject|stuff i|we|you|before|from|that|which"); ok && len(rest)-k <= 6 && len(mentioned(rest, r.sit.Projects)) == 0 {
		return meaning{intent: goBack, score: 0.9}
	}
	if len(rest) == 0 {
		if _, plain := match(body, "return|switch|go|where"); plain && !has(body, "back") && !(body[0].norm == "return" && (c.frame == suggestion || c.frame == request)) {
			return meaning{}
		}
		if _, bareOther := match(body, "the? previous|last|other|earlier|former|prior"); bareOther && n == len(body) && !has(c.body, "one") {
			return meaning{}
		}
		return meaning{intent: goBack, score: 0.95}
	}
	if k, ok := matchAny(rest, "there", "to that|it|this", "to? the? previous|last|other|earlier|former|prior|old|first one|project|topic|thing|subject|context|conversation?", "to? where|what i|we was|were *? *? *? *?", "to? where|what i|we left off?", "to what we talked|discussed about? *? *?",
		"one|project|topic|thing|subject|context|conversation", "to before", "to normal", "to the beginning|start", "a step", "to general"); ok && k == len(rest) {
		return meaning{intent: goBack, score: 0.92}
	}
	// "go back to the email": a topic that is no project. There is a way back,
	// and it is what was meant.
	if k, ok := matchAny(rest, "to the|my|our|that"); ok && k < len(rest) && len(contentWords(rest[k:])) <= 2 {
		if _, leads := matchAny(body, "back", "go|return|switch back"); leads && r.hasBack() && !has(rest, "<projectword>") {
			ref := refer(c, rest[k:], r.sit.Projects)
			if len(ref.found) == 0 {
				return meaning{intent: goBack, score: 0.7, project: ref}
			}
		}
	}
	return meaning{}
}

func (r *reader) hasBack() bool { return len(r.sit.Stack) > 0 || r.sit.Project != nil }

// trimPhraseEnd drops words after a command that add nothing to it.
func trimPhraseEnd(toks []token) []token {
	toks = trimMarks(toks)
	for len(toks) > 1 && !toks[len(toks)-1].quoted && (in("please|now|again|then|instead|thanks|ok|okay|kist", toks[len(toks)-1].norm) || !toks[len(toks)-1].word) {
		toks = toks[:len(toks)-1]
	}
	return toks
}
