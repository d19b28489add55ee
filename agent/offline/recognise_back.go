package offline

import "slices"

// backing recognises the way back to where the conversation was before.
func (r *reader) backing(c *clause) meaning {
	if c.question || c.frame == obligation || c.frame == intention {
		return meaning{}
	}
	body := trimPhraseEnd(c.body)
	if i := slices.IndexFunc(body, func(t token) bool { return t.norm == "," }); i > 0 && (closing(body[i+1:]) || priorPlace(body[i+1:])) {
		body = body[:i]
	}
	if i, e, ok := find(body, "again|once more? to"); ok && i == 1 && body[e-1].norm == "to" {
		body = slices.Concat(body[:1], body[e-1:]) // "go again to the last one"
	}
	if c.frame == wish && !c.negated && len(body) < 10 && len(mentioned(body, r.sit.Projects)) == 0 && in("the", body[0].norm) && has(body, "one|project") && priorPlace(body) {
		return meaning{intent: goBack, score: 0.85} // "I want the one from a minute ago"
	}
	n, ok := matchAny(body, "<goverb>|<returnverb>|take|bring us|me? back", "back", "back back", "step back", "one step back", "<goverb> back one|a? step?", "back up", "<goverb> one|a step? back")
	if k, there := matchAny(body, "back i|we go", "<returnverb>|return|put|send me|us|it back? there", "<returnverb>|return|put|send me|us back"); there && k == len(body) {
		return meaning{intent: goBack, score: 0.92}
	}
	if k, leads := matchAny(body, "<returnverb>|<goverb>|restore|reopen|resume|open|put|send|fetch|pick|continue|carry|have|get|show|see|give me|us|it? back|up|on? again? to|up|on|from|with?"); (leads || c.frame == bare && has(body, "before|previous|previously") && has(body[:1], "the") && len(body) < 12) && len(mentioned(body, r.sit.Projects)) == 0 && priorPlace(body[k:]) {
		return meaning{intent: goBack, score: 0.92}
	}
	if k, again := matchAny(body, "<returnverb>|<goverb>|restore|reopen|resume|open|load|show|revert|return|want|bring back? me|us? back? to? the|my|our previous|last|earlier|former|prior one|project|topic|conversation back|again?", "the|my|our previous|last|earlier|former|prior one|project|topic|conversation back|again"); again && k == len(body) && !has(body[:1], "see|look|move|change") {
		return meaning{intent: goBack, score: 0.92}
	}
	if !ok {
		if n, ok = matchAny(body, "return", "return|switch|go|revert to", "to? the? previous|last|other|earlier|former|prior", "where were we before"); !ok || n == 0 {
			return meaning{}
		}
	}
	rest := trimMarks(body[n:])
	if priorPlace(rest) && len(mentioned(rest, r.sit.Projects)) == 0 {
		return meaning{intent: goBack, score: 0.9}
	}
	if k, ok := matchAny(rest, "to? where|wherever i|we|you", "to? what|whatever i|we|you", "to? what|whatever was|came", "to? the? previous|last|earlier|former|other one|project|topic|thing|subject|conversation that|which? i|we", "to? the thing|topic|project|one|subject|stuff i|we|you|before|from|that|which", "to? my|our previous|last|earlier|former|other one|project|topic|thing|subject|conversation"); ok && len(rest)-k <= 6 && len(mentioned(rest, r.sit.Projects)) == 0 {
		return meaning{intent: goBack, score: 0.9}
	}
	if len(rest) == 0 {
		if _, plain := match(body, "return|switch|go|where"); plain && !has(body, "back") && !(body[0].norm == "return" && (c.frame == suggestion || c.frame == request || c.alone())) {
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

// priorPlace: words for where the conversation was, told by what we did there:
// "whichever project I was in before this", "the one we had open a moment ago".
func priorPlace(toks []token) bool {
	toks = trimPhraseEnd(toks)
	for len(toks) > 0 && in("to|in|into|at", toks[0].norm) {
		toks = toks[1:]
	}
	n, ok := matchAny(toks, "where|wherever|what|whatever|whichever|which", "the|whichever|whatever|that previous|last|other|earlier? one|project|thing|topic|place|subject|conversation that|which|where?")
	if _, plain := matchAny(toks, "the|whatever|what we? had|was? one|project|thing|topic|place|subject from before|earlier", "the one|project|thing|topic|subject from? a|one minute|moment|while|second|bit|hour ago|earlier|before|back"); plain {
		return true
	}
	if !ok || len(toks)-n > 9 || n >= len(toks) {
		return false
	}
	rest := toks[n:]
	if !in("i|we|you", rest[0].norm) || len(rest) < 2 || !has(rest[1:2], "was|were|had|have|left|did|came|started|opened|read|stopped|paused|just|last") {
		return false
	}
	return in("where|wherever", toks[0].norm) || has(rest, "before|earlier|previously|last|ago|just|left|off|until")
}
