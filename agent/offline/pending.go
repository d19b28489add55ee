package offline

import "kist/agent/language"

// Proposals: what became of them, and what still waits.

// settled tells what this message approved and rejected, and what it left waiting.
func (t *talk) settled() {
	var done, dropped, failed []string
	for _, o := range t.sit.Settled {
		switch {
		case o.Error != "":
			failed = append(failed, o.Reason+" ("+o.Error+")")
		case o.Rejected:
			dropped = append(dropped, o.Reason)
		default:
			done = append(done, o.Reason)
		}
	}
	t.bullets("Done:", done)
	t.bullets("Dropped:", dropped)
	t.bullets("This could not be done:", failed)
	if n := len(t.sit.Aside); n > 0 {
		t.say("%s left as it was; “what is waiting?” shows it.", language.Capital(plural(n, "proposal")))
	}
}

// listWaiting tells what waits for a word. What only adds something the engine offers
// again behind this.
func (t *talk) listWaiting() {
	if len(t.sit.Waiting) == 0 {
		t.say("Nothing is waiting for your go.")
		return
	}
	a := t.act(nil)
	w := a.want(t, "list_waiting", map[string]any{})
	a.then = func() {
		if t.failed(w) {
			return
		}
		var named []string
		for _, op := range objects(w.res.Result, "waiting") {
			if adds, _ := op["adds"].(bool); !adds {
				named = append(named, str(op, "what")+" ("+str(op, "operation")+")")
			}
		}
		t.bullets("Waiting for a word of its own, such as “approve” with its id:", named)
		t.waits = len(named) < num(w.res.Result, "count")
	}
}

// pending recognises the question what waits for a go: "what's pending?", "what would
// go do?", "show me the proposals".
func (r *reader) pending(c *clause) meaning {
	toks := language.TrimMarks(skipOpeners(c.toks))
	if len(toks) == 0 || len(toks) > 12 || c.negated {
		return meaning{}
	}
	const waits = "waiting|pending|proposed|outstanding|queued"
	n, ok := language.MatchAny(toks,
		"what|which|anything|something|nothing|is|are|operations|changes|proposals is|are|there|operations|changes|proposals|anything|something|still? is|are|anything? now|still|currently? "+waits+" for|on|from? me|my|us|you|approval|go|confirmation? go|approval|ok|okay|confirmation?",
		"what|which would|will|does|do|did happen|you|go|it do|change|happen? if|when|on|after|do? i|we? say|said? go",
		"what happens|changes if|when|on|after i|we? say|said? go", "what exactly? would|will go do|change",
		"what did|have you propose|proposed|suggest|suggested|offer", "what were|are you going|about to do|change", "what do i|we approve|confirm if|when? *? *? *?",
		"show|list|give|tell me? <det>|all? the? open|pending|waiting? proposals|proposal|suggestions|approvals", "show|list|preview me? what|everything is|are? "+waits,
		"preview of? what|the? go|changes|proposals|proposal will|would|do? do?", "any|the open|pending|waiting? proposals|approvals left|open|waiting|pending?", "pending operations|changes|proposals|approvals?")
	if !ok || n != len(toks) {
		return meaning{}
	}
	return meaning{intent: listPending, score: 0.96, project: reference{empty: true}}
}
