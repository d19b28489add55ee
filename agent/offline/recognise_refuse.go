package offline

import (
	"slices"
	"strings"
)

// refusing: "no switching to the boat now", "stop talking about the shop".
func (r *reader) refusing(c *clause) meaning {
	if r.spared(c) {
		return meaning{intent: decline, score: 0.75}
	}
	if _, ok := matchAny(c.toks, "i|we did|have not ask|asked for a|any|that|this|another? switch|change|that|this|it|<projectword>|<taskword>", "i|we do not need|want|require a|an|another|any|more new|separate|other? <projectword>|<taskword>|<noteword>|forecast|audit|list|update", "no|stop <moving>|changing|switch|switches please|now|yet|today|around|about|away?"); ok && !c.question && len(c.toks) <= 9 {
		return meaning{intent: decline, score: 0.7}
	}
	if n, ok := matchAny(c.toks, "no new|more|further|other|extra? <projectword>|<taskword>|<noteword> now|yet|today? ,? now|yet|today?"); ok && n >= len(trimPhraseEnd(c.toks)) && n > 1 {
		return meaning{intent: decline, score: 0.7}
	}
	if n, ok := match(c.toks, "no"); ok && !c.question {
		if i, _, talk := find(c.toks[n:], "talk|talking|discussion|business|stuff|chat|things|matters"); talk && i > 0 {
			if p, ok := refer(c, c.toks[n:n+i], r.sit.Projects).one(); ok {
				return meaning{intent: decline, score: 0.7, project: reference{found: []projectOf{p}}} // "no boat talk tonight"
			}
		}
	}
	if n, ok := matchAny(c.toks, "not|never"); ok && n < len(c.toks) && !c.question {
		phrase := c.toks[n:]
		if i, _, cut := find(phrase, "again|now|today|yet|please|either|anymore", "any more", "for now", "right now", ","); cut && i > 0 {
			if p, ok := refer(c, phrase[:i], r.sit.Projects).one(); ok {
				return meaning{intent: decline, score: 0.7, project: reference{found: []projectOf{p}}} // "not the pond again"
			}
		}
	}
	if n, ok := matchAny(c.toks, "no more? talk|talking|switching|jumping|moving|discussion|discussing|discussions|going of|about|to|on|over?", "stop|quit|avoid talking|discussing|going|switching|jumping|working|bringing back? on|about|to|up?", "i|we am|are not in the mood for", "i|we would rather not <attend>", "anything but"); ok && n < len(c.toks) {
		if ref := refer(c, c.toks[n:], r.sit.Projects); len(ref.found) > 0 {
			return meaning{intent: decline, score: 0.8, project: ref}
		}
		if head, ok := headOf(c.toks[n:]); ok {
			if ref := refer(c, head, r.sit.Projects); len(ref.found) > 0 {
				return meaning{intent: decline, score: 0.8, project: ref}
			}
		}
	}
	return meaning{}
}

// spared: nothing is to be made, or done to what there is: "I don't need a new
// project, thank you", "I don't want this project renamed".
func (r *reader) spared(c *clause) bool {
	toks := trimMarks(c.toks)
	for i, t := range toks {
		if t.norm == "," && !t.quoted && i > 2 && len(toks)-i <= 4 && (class("<thanksword>", toks[i+1].norm) || in("please|sorry", toks[i+1].norm)) {
			toks = toks[:i]
			break
		}
	}
	toks = trimPhraseEnd(toks)
	n, ok := matchAny(toks, "i|we do not want|need|wish|like", "i|we would not want|like|wish")
	if !ok || c.question || len(toks) > 12 || n >= len(toks) {
		return false
	}
	if k, _ := matchAny(toks[n:], "a|an|another|any|more new|separate|other|more|further? <projectword>|<taskword>|<noteword>|<memoryword>"); k > 0 && n+k == len(toks) {
		return true
	}
	phrase := toks[n : len(toks)-1]
	return lastIn(toks, "<handled>") && (has(phrase, "<projectword>|<taskword>|<noteword>|<memoryword>|draft|anything|it|this|that") || len(mentioned(phrase, r.sit.Projects)) > 0)
}

// puttingOff: "the shop can wait", "telescope later", "leave the portal closed".
func (r *reader) puttingOff(c *clause) meaning {
	toks := trimMarks(c.body)
	for i, t := range toks {
		if i > 1 && t.norm == "," && !t.quoted {
			toks = toks[:i]
			break
		}
	}
	phrase := []token(nil)
	if n, ok := matchAny(toks, "can|could|will|must|may|let"); ok && lastIn(toks, "wait|rest") {
		phrase = toks[n : len(toks)-1]
	} else if i, _, ok := find(toks, "can|must|should|will|could|has|have|may to|just? wait|rest", "later|afterwards", "another|some other? time|day", "not now|yet|today"); ok && i > 0 && !c.question {
		phrase = toks[:i]
	} else if n, ok := matchAny(toks, "leave|keep|let"); ok && !c.question && c.plain() {
		if i, e, ok := find(toks[n:], "closed|shut|alone|be|out|aside|unopened|parked", "as|where it is", "for now|later|today|tomorrow|another"); ok && i > 0 && n+e >= len(toks)-4 && !has(toks[n+e:], "<attend>|and|then") {
			phrase = toks[n : n+i]
		}
	}
	if p, ok := refer(c, phrase, r.sit.Projects).one(); ok && len(phrase) > 0 {
		return meaning{intent: decline, score: 0.7, project: reference{found: []projectOf{p}}}
	}
	return meaning{}
}

// staying recognises that nobody wants to go anywhere: "stay here", "I'd rather
// remain with the shop", "keep me on payroll".
func (r *reader) staying(c *clause) meaning {
	if c.question || c.negated || !c.plain() && c.frame != intention || len(c.body) == 0 {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	if base, ok := strings.CutSuffix(body[0].norm, "ing"); ok && in("stay|remain|stick|keep", base) {
		body = slices.Clone(body)
		body[0].norm = base
	}
	n, ok := matchAny(body, "stay|remain|linger with|on|in|at?", "stick|carry|keep|continue on? with|to|on", "keep|leave|hold me|us|things in|on|at|with?", "keep|leave", "not leave|move|switch")
	if !ok {
		return meaning{}
	}
	m := meaning{intent: decline, score: 0.8}
	rest := trimPhrase(body[n:])
	if n == 1 && in("keep|leave", body[0].norm) {
		if !lastIn(rest, "open") {
			return meaning{} // "leave the boat and go to the shop"
		}
		rest = rest[:len(rest)-1]
	}
	if k, ok := matchAny(rest, "here|put|there", "where|what i|we are", "this|that|it one|project|topic|subject?", "the? current|same|present|active one|project|topic|subject"); ok && k == len(rest) || len(rest) == 0 && n == 1 && len(c.toks) <= 3 {
		if in("carry|continue|keep|leave", body[0].norm) && !has(rest, "here|put|where|there") {
			return meaning{}
		}
		return m
	}
	if p, ok := refer(c, rest, r.sit.Projects).one(); ok && r.sit.Project != nil && p.Slug == r.sit.Project.Slug && !in("carry|continue", body[0].norm) {
		return m
	}
	return meaning{}
}

// staysBehind: behind a comma it is said to stay, or that another project can wait.
func (r *reader) staysBehind(c *clause) bool {
	for i, t := range c.toks {
		if t.quoted || i == 0 || i+1 >= len(c.toks) || !in(",|-|so|but", t.norm) {
			continue
		}
		rest, ok := newClause(c.src, c.toks[i+1:], false)
		if !ok || rest.question {
			continue
		}
		if r.staying(&rest).score > 0 || r.puttingOff(&rest).score > 0 || r.refusing(&rest).score > 0 {
			return true
		}
	}
	return false
}

// imperativeNot: "don't switch", not "I don't switch".
func imperativeNot(toks []token) bool {
	if _, ok := matchAny(toks, forbidding()...); ok {
		return true
	}
	_, ok := matchAny(toks, "please? do not", "please? never", "under|on|by no *", "there is no * to|in?", "no reason|point|use", "do not you dare", "let us not", "no need to", "i do not want you to", "you should not", "better not", "i|we do not want|need|like to")
	return ok
}

// negatable: a "don't" before these takes them back. Decisions and memories
// hold their negations within.
func negatable(i intent) bool {
	switch i {
	case none, forgetMemory, abandonDraft, addDecision, remember, addNote, consent, greet, thanks, completeTask:
		return false
	}
	return true
}
