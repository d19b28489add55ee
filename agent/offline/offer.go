package offline

import (
	"slices"
	"strings"

	"kist/agent/english"
	"kist/agent/model"
)

// What was done, said in passing. Nothing is ticked off for it: a task that it seems
// to complete is named, and a yes ticks it off.
const (
	askTick  = "Shall I tick off "
	askTicks = "Which one is done: "
)

// A deed is something that happened, as a statement tells it.
type deed struct {
	verb  string   // its verb, in whatever form; "" of something that only came
	words []string // of what was done to or with, the verb not among them
	came  bool     // somebody or something came
}

// deedOf reads a statement of something that was done and is over. Questions, what
// wasn't done or is only planned, what would have been, what was merely begun and
// what others did among themselves are none.
func deedOf(c *clause) (deed, bool) {
	toks := c.toks
	if c.question || c.mark || c.negated || len(toks) < 2 || len(toks) > 24 || c.frame == wish || c.frame == obligation || c.frame == request {
		return deed{}, false
	}
	if has(c.all, "not|never|no|nobody|none|without|if|unless|until|whether|would|should|could|might|may|almost|nearly|barely|hardly|half|will|going|wish|tomorrow|supposed|cannot|when|once|before|usually|always|often|used|ago|or|suppose|imagine|instead") {
		return deed{}, false
	}
	toks, late := unstressed(toks)
	switch {
	case late, len(toks) < 2:
		return deed{}, false
	case in("i|we", toks[0].norm):
		return ofUs(toks[1:])
	case class("<pronoun>", toks[0].norm) || in("he|she|they|you|someone|everybody|everyone", toks[0].norm):
		return deed{}, false
	case past(toks[0].norm) && !class("<verb>", toks[0].norm):
		return ofUs(toks) // "finally submitted the form"
	}
	return ofThings(toks)
}

// unstressed drops what says when, at either end. late: it is no news.
func unstressed(toks []token) (rest []token, late bool) {
	if i, _, ok := find(toks, "but|although|except", "last|that year|month|summer|winter|spring|autumn", "as usual", "in vain", "again and again", "every *"); ok && i > 0 {
		return nil, true
	}
	for len(toks) > 0 && (!toks[0].quoted && in("yesterday|today|finally|earlier|meanwhile|btw|update|news|good", toks[0].norm) || !toks[0].word && in(",|:|-", toks[0].norm) || isFiller(toks[0]) && !toks[0].quoted) {
		toks = toks[1:]
	}
	return toks, false
}

// ofUs reads what follows "I" or "we", or where they are left out.
func ofUs(toks []token) (deed, bool) {
	for len(toks) > 0 && (isFiller(toks[0]) || in("got|have|has|had|did|also|now|today|yesterday|then|to|both|all", toks[0].norm)) && len(toks) > 1 {
		if in("got|had|have", toks[0].norm) && class("<det>", toks[1].norm) { // "I got the form signed"
			last := trimPhraseEnd(toks)
			if v := last[len(last)-1]; past(v.norm) && len(last) > 2 {
				return deed{verb: v.norm, words: contentWords(last[1 : len(last)-1])}, true
			}
		}
		if toks[0].norm == "got" {
			break // the verb itself, or what makes one of the next
		}
		toks = toks[1:]
	}
	if n, ok := matchAny(toks, "managed|remembered to", "got round|around to"); ok && n+1 < len(toks) && !others(toks) {
		return deed{verb: toks[n].norm, words: contentWords(toks[n+1:])}, true
	}
	if len(toks) < 2 || toks[0].quoted || !past(toks[0].norm) && !strings.HasSuffix(toks[0].norm, "ing") {
		return deed{}, false
	}
	if others(toks) {
		return deed{}, false
	}
	return deed{verb: toks[0].norm, words: contentWords(toks[1:])}, true
}

// others: the thing belongs to somebody else: "her landlord", "Bo's form".
func others(toks []token) bool {
	for _, t := range toks {
		if !t.quoted && (in("his|her|their|your|someone's|somebody's", t.norm) || strings.HasSuffix(t.norm, "'s") && !in("it's|let's|today's|yesterday's", t.norm)) {
			return true
		}
	}
	return false
}

// ofThings reads "the form was sent", "the plumber came yesterday".
func ofThings(toks []token) (deed, bool) {
	for i, t := range toks {
		if t.quoted || i == 0 || i > 6 {
			continue
		}
		subject := toks[:i]
		if others(subject) || others(toks) {
			return deed{}, false
		}
		if n, ok := match(toks[i:], "is|are|was|were|got|has|have been? all|both|now?"); ok && i+n < len(toks) {
			v := toks[i+n]
			if past(v.norm) && !class("<begun>", v.norm) && !class("<came>", v.norm) && !in("has|have", toks[i+n-1].norm) {
				return deed{verb: v.norm, words: contentWords(slices.Concat(subject, toks[i+n+1:]))}, true
			}
			if class("<came>", v.norm) || v.norm == "here" {
				return deed{words: contentWords(subject), came: true}, len(contentWords(subject)) > 0
			}
		}
		if class("<came>", t.norm) {
			return deed{words: contentWords(subject), came: true}, len(contentWords(subject)) > 0
		}
	}
	return deed{}, false
}

// past reports whether a word is, by its form, the past of a verb. Some are nouns
// too; what they are said of must be a task.
func past(w string) bool {
	return strings.HasSuffix(w, "ed") && len(w) > 3 || irregular(w) != english.Stem(w) || in("did|done|went|gone|paid|left|put|cut|read|set|sold|hung|swept|dug|tore|torn|threw|gave|given|taken|took|drove|kept|laid|led|lent|lost|met|rang|rung|sewn|shut|slept|spent|swept|wound|written|wrote|sorted|sewed|held|dealt", w)
}

// completes reports whether a deed seems to be what a task asks for: the same verb
// and all that the title names first; or, where the title has no verb, all of it;
// or somebody came who was to be called or met.
func (d deed) completes(title string) bool {
	toks := trimMarks(tokenize(title))
	if len(toks) == 0 {
		return false
	}
	verb := ""
	if class("<verb>", toks[0].norm) || class("<summon>", toks[0].norm) {
		verb, toks = toks[0].norm, toks[1:]
	}
	object := toks
	if i, _, ok := find(toks, "about|for|by|with|at|from|regarding|before|until|because|so|via|on|to|in|into"); ok && i > 0 {
		object = toks[:i]
	}
	named, whole := contentWords(object), contentWords(toks)
	if len(named) == 0 || !covers(d.words, named) {
		return false
	}
	// What is told beside it must be nothing else than the title names: "called the
	// landlord about the parking" isn't "call the landlord about the lease".
	if len(whole) > len(named) && !covers(d.words, whole) && len(d.words) > len(named)+1 {
		return false
	}
	if d.came {
		return class("<summon>", verb) || verb == ""
	}
	return verb == "" && !class("<begun>", d.verb) || verb != "" && oneVerb(verb, d.verb)
}

// mayComplete is the same said in fewer words: "the walls are painted", of the walls
// of the hall.
func (d deed) mayComplete(title string) bool {
	toks := trimMarks(tokenize(title))
	words := slices.DeleteFunc(slices.Clone(d.words), func(w string) bool {
		return class("<timeword>", w) || in("yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday", w)
	})
	return len(toks) > 1 && len(words) > 0 && d.verb != "" && oneVerb(toks[0].norm, d.verb) && covers(contentWords(toks[1:]), words)
}

// oneVerb: two forms of one verb.
func oneVerb(base, form string) bool {
	if same(base, form) == 1 || irregular(form) == english.Stem(base) {
		return true
	}
	root, ok := baseOf(form)
	return ok && root == base || in(base+"|"+form, "do|did") || base == "ring" && in("rang|rung", form) || base == "go" && in("went|gone", form) || base == "give" && in("gave|given", form) || base == "drive" && in("drove|driven", form)
}

// deeds are the things that a message says were done, one clause each; "I called the
// landlord and sent the form" has two.
func deeds(text string) []deed {
	var out []deed
	for _, c := range clauses(text) {
		parts := [][]token{c.all}
		for i, tok := range c.all {
			if i > 1 && !tok.quoted && in("and|,", tok.norm) && i+1 < len(c.all) && (past(c.all[i+1].norm) || in("i|we|the", c.all[i+1].norm)) {
				parts = [][]token{c.all[:i], c.all[i+1:]}
				break
			}
		}
		if len(parts) > 1 && has(c.all, "not|if|but|would|should") {
			continue
		}
		for _, part := range parts {
			if one, ok := newClause(text, part, c.mark); ok {
				if d, ok := deedOf(&one); ok {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// offerTicks looks for the open tasks that a message seems to complete, and asks
// whether to tick them off. It makes its calls at once; found is false where there
// are none, and while they are still to be answered.
func (t *talk) offerTicks(text string) (found bool) {
	did := deeds(text)
	if len(did) == 0 {
		return false
	}
	args := map[string]any{}
	if t.here == nil {
		args["everywhere"] = true
	}
	res, ok := t.more("list_tasks", args)
	if !ok || !res.OK {
		return false
	}
	var sure, many []string
	for _, d := range did {
		fit := titlesOf(res.Result, d.completes)
		if len(fit) == 0 {
			fit = titlesOf(res.Result, d.mayComplete)
		}
		switch {
		case len(fit) == 1 && !slices.Contains(sure, fit[0]):
			sure = append(sure, fit[0])
		case len(fit) > 1:
			many = fit
		}
	}
	quote := func(titles []string, joint string) string {
		var out []string
		for _, title := range titles[:min(len(titles), 6)] {
			out = append(out, inQuotes(title))
		}
		return strings.Join(out, joint)
	}
	switch {
	case len(sure) > 0:
		t.question = askTick + quote(sure, " and ") + "?"
	case len(many) > 0:
		t.question = askTicks + quote(many, " or ") + "?"
	}
	return len(sure)+len(many) > 0
}

// titlesOf are the titles of listed tasks that fit, each once.
func titlesOf(list map[string]any, fits func(string) bool) []string {
	var out []string
	for _, task := range objects(list, "tasks") {
		if title := str(task, "title"); fits(title) && !slices.Contains(out, title) {
			out = append(out, title)
		}
	}
	return out
}

// ticksTaken reads the message as an answer to such an offer.
func (t *talk) ticksTaken() bool {
	q := t.sit.Question
	if !strings.HasPrefix(q, askTick) && !strings.HasPrefix(q, askTicks) || len(t.sit.Settled) > 0 {
		return false
	}
	names := quotedIn(q)
	chosen := names
	switch said := model.ConsentOf(t.text); {
	case said == model.No:
		t.say("All right, it stays open.")
		chosen = nil
	case said == model.NoConsent, strings.HasPrefix(q, askTicks):
		chosen = nil
		for _, i := range pickFrom(t.text, names) {
			chosen = append(chosen, names[i])
		}
		if len(chosen) == 0 {
			return false
		}
	}
	if t.sit.Mode == "project_update" {
		t.goOn()
	}
	if len(chosen) == 0 {
		return true
	}
	a := t.act(nil)
	w := a.want(t, "list_tasks", map[string]any{"everywhere": t.here == nil})
	a.then = func() {
		if t.failed(w) {
			return
		}
		for _, name := range chosen {
			for _, task := range objects(w.res.Result, "tasks") {
				if cut := quotedIn(inQuotes(str(task, "title"))); len(cut) == 1 && cut[0] == name {
					t.changeOne(meaning{intent: completeTask}, task)
					break
				}
			}
			if len(t.calls) > 0 {
				return
			}
		}
	}
	return true
}
