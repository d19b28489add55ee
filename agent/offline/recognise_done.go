package offline

import (
	"slices"
	"strings"
)

// completing recognises that something is done.
func (r *reader) completing(c *clause) meaning {
	if c.question || c.negated {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	if c.frame == wish || c.frame == obligation || len(body) > 1 && body[1].norm == "," {
		return meaning{}
	}
	if title := tickedToo(c.toks); len(title) > 0 {
		return r.done(c, title, 0.82)
	}
	if i, e, ok := find(c.toks, "can|may|should|could now? be ticked|checked|crossed|marked|closed off|done|as|complete?"); ok && i > 1 && e >= len(trimPhraseEnd(c.toks))-1 && !c.question {
		return r.done(c, c.toks[:i], 0.85)
	}
	if title := announced(c.toks); len(title) > 0 {
		return r.done(c, title, 0.85)
	}
	if n, ok := matchAny(body, "mark|set|flag|call|consider as? <doneword> :?"); ok && n < len(body) && has(body[:n], "mark|set") {
		return r.done(c, body[n:], 0.9)
	}
	if n, ok := match(body, "mark|set|flag|consider"); ok {
		if i, _, found := find(body[n:], "as|to|is <doneword>", "<doneword>", "off"); found && i > 0 {
			return r.done(c, body[n:n+i], 0.93)
		}
	}
	if n, ok := match(body, "tick|check|cross off"); ok && n < len(body) {
		return r.done(c, withoutList(body[n:]), 0.92)
	}
	if n, ok := match(body, "tick|check|cross"); ok {
		if i, _, found := find(body[n:], "off"); found && i > 0 && listOnly(body[n+i+1:]) {
			return r.done(c, body[n:n+i], 0.92)
		}
	}
	if n, ok := match(body, "complete|close|finish|resolve <det>? <taskword>"); ok && n < len(body) {
		return r.done(c, body[n:], 0.9)
	}
	if n, ok := match(body, "complete|close"); ok && n < len(body) && (c.frame == bare || c.frame == request) && (body[n].norm == `"` || body[n].norm == "'" || lastIn(body, "<taskword>")) {
		return r.done(c, body[n:], 0.85)
	}
	if n, ok := matchAny(body, "done|finished|through with", "all? done|finished :", "finished|completed"); ok && n < len(body) && (c.frame == intention || c.frame == bare) {
		return r.finished(c, body, n)
	}
	if n, ok := matchAny(c.toks, "i|we have? finished|completed a|an"); ok && !has(c.toks[n:], "<taskword>") {
		return meaning{} // what is on a list is definite
	}
	if n, ok := matchAny(c.toks, "i|we have? finished|completed", "i|we have? managed to finish|complete|do", "i|we have? ticked|wrapped off|up", "i|we have? got <det>? done", "i|we have done"); ok && n < len(c.toks) && !has(c.toks[n:], "best|utmost|bit|share") {
		return r.done(c, c.toks[n:], 0.85)
	}
	if n, ok := matchAny(c.toks, "i|we have now|finally|at last?"); ok && n+2 < len(c.toks) && !c.toks[n].quoted && (strings.HasSuffix(c.toks[n].norm, "ed") || in("bought|sent|paid|built|written|done|made|cut|put|taken|sold|found|hung|laid|read|rung|swept|cleaned", c.toks[n].norm)) && !class("<begun>", c.toks[n].norm) && !class("<decideverb>", c.toks[n].norm) && has(c.toks[1:n+1], "now|finally|last") && class("<det>", c.toks[n+1].norm) {
		return r.done(c, c.toks[n:], 0.7) // "I've now fixed the calendar bug"
	}
	return r.stated(c)
}

// announced: "that task is done: buy rope", "mark it off: order cable".
func announced(toks []token) []token {
	for i, t := range toks {
		if t.norm != ":" || t.quoted || i < 2 || i+1 >= len(toks) {
			continue
		}
		head := toks[:i]
		if lastIn(head, "done|finished|complete|completed|off") && has(head, "it|that|this|one|<taskword>") && len(head) <= 12 && !has(head, "not|almost|nearly") {
			return toks[i+1:]
		}
		return nil
	}
	return nil
}

// tickedToo: "I ordered the pump, tick it off", "the gravel is bought, so that one's
// done": what happened, and that a task is done by it.
func tickedToo(toks []token) []token {
	i, e, ok := find(toks, ", and|so|please|you? you|please? can|could|may? please? tick|check|cross|mark|strike it|that|this|them|one off|done|as", ", and|so? that|it|this one|task? is done|finished|complete|sorted|off")
	if !ok || i < 3 || len(toks)-e > 6 || has(toks[:i], "not|never|will|should|must|if|when|once|almost|nearly|<hearsay>") {
		return nil
	}
	head := toks[:i]
	if n, ok := matchAny(head, "i|we have? just|already|finally?"); ok && n < len(head) {
		return head[n:]
	}
	if j, k, ok := find(head, "is|are|was|were|has|have|got been|all? been|all?"); ok && j > 1 && k+1 == len(head) {
		return slices.Concat(head[:j], head[k:])
	}
	return nil
}

func (r *reader) finished(c *clause, body []token, n int) meaning {
	if in("my|for|by|early|late|it|that|this|now|yet", body[n].norm) && !has(body[n:], "<taskword>") && len(body)-n <= 1 {
		return meaning{}
	}
	if has(body[:n], "finished|completed") && !has(body[:n], "with") && c.frame == bare && len(c.toks) == len(c.body) && !has(body[:n], ":") && !in("the|my|our|painting|writing", body[n].norm) {
		return meaning{}
	}
	if ref := refer(c, body[n:], r.sit.Projects); len(ref.found) > 0 && !ref.partial && in("with", body[n-1].norm) {
		return meaning{} // "I'm done with the boat for today": enough of it
	}
	return r.done(c, body[n:], 0.85)
}

func lastIn(toks []token, elem string) bool {
	return len(toks) > 0 && fits(toks[len(toks)-1], elem)
}

// listOnly: nothing is left, or only whose list it was.
func listOnly(toks []token) bool {
	n, _ := matchAny(toks, "from|on|of? my|the|our *? list|lists|tasks")
	return n == len(toks)
}

func withoutList(toks []token) []token {
	if i, _, ok := find(toks, "from|on|in the|my|our *? list|lists"); ok && i > 0 {
		return toks[:i]
	}
	return toks
}

// stated: "ordering the cable is done", "cable: done".
func (r *reader) stated(c *clause) meaning {
	toks := trimPhraseEnd(c.toks)
	if len(toks) < 3 || c.frame != bare || has(toks[:2], "if|whether") || has(toks[:1], "if|when|once|after|until|everything|nothing|dinner|it|this|that|what|he|she|they|who") {
		return meaning{}
	}
	for i, t := range toks {
		if _, ok := matchAny(toks[i:], ", and|so|please? please? tick|check|cross|mark|strike it|that|them off|done|as?"); ok && i > 2 && !t.quoted {
			toks = toks[:i] // "the cable is ordered, tick it off" says it twice
			break
		}
	}
	last := toks[len(toks)-1]
	if last.quoted || !in("done|finished|complete|completed", last.norm) {
		return meaning{}
	}
	head := toks[:len(toks)-1]
	for len(head) > 0 && (isFiller(head[len(head)-1]) || in("all|now|been|fully", head[len(head)-1].norm)) {
		head = head[:len(head)-1]
	}
	if len(head) < 2 {
		return meaning{}
	}
	verb := head[len(head)-1]
	switch {
	case in("is|are|has|have|was", verb.norm) && !verb.quoted:
		head = head[:len(head)-1]
	case in(":|-|,|=", verb.norm):
	case class("<verb>", head[0].norm): // "order cable done"
	default:
		return meaning{}
	}
	if has(head, "when|if|until|you|me|us") {
		return meaning{}
	}
	if has(head, "not|never|must|should|will|be|to|almost|nearly|half|until|when|if|and") && !class("<verb>", head[0].norm) || has(head, "not|never|almost|nearly|half|n't") {
		return meaning{}
	}
	return r.done(c, head, 0.8)
}

// done reads the title of what is done.
func (r *reader) done(c *clause, toks []token, score float64) meaning {
	toks = trimMarks(toks)
	if n, ok := matchAny(toks, "<det>? <taskword> called|named|:|to|of?", "<det>? <taskword> \""); ok && n < len(toks) {
		if toks[n-1].norm == `"` {
			n--
		}
		toks = toks[n:]
	}
	if n := len(toks); n > 1 && class("<taskword>", toks[n-1].norm) && !toks[n-1].quoted {
		toks = toks[:n-1]
	}
	title := unwrap(spell(c.src, unquoted(toks)))
	words := contentWords(toks)
	if title == "" || len(words) == 0 || len(words) > 14 || len(words) == 1 && class("<pronoun>", words[0]) || in("it|that|this|them|everything|all|work|today|for|here|there|now|school|lunch|dinner", words[0]) && len(words) == 1 {
		return meaning{}
	}
	return meaning{intent: completeTask, score: score, title: title}
}
