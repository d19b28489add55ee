package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// What was done, said in passing. Nothing is ticked off for it: to tick off the task
// that it seems to complete is proposed.

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
	if language.Has(c.all, "not|never|no|nobody|none|without|if|unless|until|whether|would|should|could|might|may|almost|nearly|barely|hardly|half|will|going|wish|tomorrow|supposed|cannot|when|once|before|usually|always|often|used|ago|or|suppose|imagine|instead") {
		return deed{}, false
	}
	toks, late := unstressed(toks)
	switch {
	case late, len(toks) < 2:
		return deed{}, false
	case language.In("i|we", toks[0].Norm):
		return ofUs(toks[1:])
	case language.Class("<pronoun>", toks[0].Norm) || language.In("he|she|they|you|someone|everybody|everyone", toks[0].Norm):
		return deed{}, false
	case past(toks[0].Norm) && !language.Class("<verb>", toks[0].Norm):
		return ofUs(toks) // "finally submitted the form"
	}
	return ofThings(toks)
}

// unstressed drops what says when, at either end. late: it is no news.
func unstressed(toks []language.Token) (rest []language.Token, late bool) {
	if i, _, ok := language.Find(toks, "but|although|except", "last|that year|month|summer|winter|spring|autumn", "as usual", "in vain", "again and again", "every *"); ok && i > 0 {
		return nil, true
	}
	for len(toks) > 0 && (!toks[0].Quoted && language.In("yesterday|today|finally|earlier|meanwhile|btw|update|news|good", toks[0].Norm) || !toks[0].Word && language.In(",|:|-", toks[0].Norm) || language.IsFiller(toks[0]) && !toks[0].Quoted) {
		toks = toks[1:]
	}
	return toks, false
}

// ofUs reads what follows "I" or "we", or where they are left out.
func ofUs(toks []language.Token) (deed, bool) {
	for len(toks) > 0 && (language.IsFiller(toks[0]) || language.In("got|have|has|had|did|also|now|today|yesterday|then|to|both|all", toks[0].Norm)) && len(toks) > 1 {
		if language.In("got|had|have", toks[0].Norm) && language.Class("<det>", toks[1].Norm) { // "I got the form signed"
			last := trimPhraseEnd(toks)
			if v := last[len(last)-1]; past(v.Norm) && len(last) > 2 {
				return deed{verb: v.Norm, words: contentWords(last[1 : len(last)-1])}, true
			}
		}
		if toks[0].Norm == "got" {
			break // the verb itself, or what makes one of the next
		}
		toks = toks[1:]
	}
	if n, ok := language.MatchAny(toks, "managed|remembered to", "got round|around to"); ok && n+1 < len(toks) && !anothers(toks) {
		return deed{verb: toks[n].Norm, words: contentWords(toks[n+1:])}, true
	}
	if len(toks) < 2 || toks[0].Quoted || !past(toks[0].Norm) && !strings.HasSuffix(toks[0].Norm, "ing") {
		return deed{}, false
	}
	if anothers(toks) {
		return deed{}, false
	}
	return deed{verb: toks[0].Norm, words: contentWords(toks[1:])}, true
}

// anothers: the thing belongs to somebody else: "her landlord", "Bo's form".
func anothers(toks []language.Token) bool {
	for _, t := range toks {
		if !t.Quoted && (language.In("his|her|their|your|someone's|somebody's", t.Norm) || strings.HasSuffix(t.Norm, "'s") && !language.In("it's|let's|today's|yesterday's", t.Norm)) {
			return true
		}
	}
	return false
}

// ofThings reads "the form was sent", "the plumber came yesterday".
func ofThings(toks []language.Token) (deed, bool) {
	for i, t := range toks {
		if t.Quoted || i == 0 || i > 6 {
			continue
		}
		subject := toks[:i]
		if anothers(subject) || anothers(toks) {
			return deed{}, false
		}
		if n, ok := language.Match(toks[i:], "is|are|was|were|got|has|have been? all|both|now?"); ok && i+n < len(toks) {
			v := toks[i+n]
			if past(v.Norm) && !language.Class("<begun>", v.Norm) && !language.Class("<came>", v.Norm) && !language.In("has|have", toks[i+n-1].Norm) {
				return deed{verb: v.Norm, words: contentWords(slices.Concat(subject, toks[i+n+1:]))}, true
			}
			if language.Class("<came>", v.Norm) || v.Norm == "here" {
				return deed{words: contentWords(subject), came: true}, len(contentWords(subject)) > 0
			}
		}
		if language.Class("<came>", t.Norm) {
			return deed{words: contentWords(subject), came: true}, len(contentWords(subject)) > 0
		}
	}
	return deed{}, false
}

// past reports whether a word is, by its form, the past of a verb. Some are nouns
// too; what they are said of must be a task.
func past(w string) bool {
	return strings.HasSuffix(w, "ed") && len(w) > 3 || irregular(w) != language.Stem(w) || language.In("did|done|went|gone|paid|left|put|cut|read|set|sold|hung|swept|dug|tore|torn|threw|gave|given|taken|took|drove|kept|laid|led|lent|lost|met|rang|rung|sewn|shut|slept|spent|swept|wound|written|wrote|sorted|sewed|held|dealt", w)
}

// completes reports whether a deed seems to be what a task asks for: the same verb
// and all that the title names first; or, where the title has no verb, all of it;
// or somebody came who was to be called or met.
func (d deed) completes(title string) bool {
	toks := language.TrimMarks(language.Tokenize(title))
	if len(toks) == 0 {
		return false
	}
	verb := ""
	if language.Class("<verb>", toks[0].Norm) || language.Class("<summon>", toks[0].Norm) {
		verb, toks = toks[0].Norm, toks[1:]
	}
	object := toks
	if i, _, ok := language.Find(toks, "about|for|by|with|at|from|regarding|before|until|because|so|via|on|to|in|into"); ok && i > 0 {
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
		return language.Class("<summon>", verb) || verb == ""
	}
	return verb == "" && !language.Class("<begun>", d.verb) || verb != "" && oneVerb(verb, d.verb)
}

// mayComplete is the same said in fewer words: "the walls are painted", of the walls
// of the hall.
func (d deed) mayComplete(title string) bool {
	toks := language.TrimMarks(language.Tokenize(title))
	words := slices.DeleteFunc(slices.Clone(d.words), func(w string) bool {
		return language.Class("<timeword>", w) || language.In("yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday", w)
	})
	return len(toks) > 1 && len(words) > 0 && d.verb != "" && oneVerb(toks[0].Norm, d.verb) && covers(contentWords(toks[1:]), words)
}

// oneVerb: two forms of one verb.
func oneVerb(base, form string) bool {
	if same(base, form) == 1 || irregular(form) == language.Stem(base) {
		return true
	}
	root, ok := baseOf(form)
	return ok && root == base || language.In(base+"|"+form, "do|did") || base == "ring" && language.In("rang|rung", form) || base == "go" && language.In("went|gone", form) || base == "give" && language.In("gave|given", form) || base == "drive" && language.In("drove|driven", form)
}

// deeds are the things that a message says were done, one clause each; "I called the
// landlord and sent the form" has two.
func (r *reader) deeds(text string) []deed {
	var out []deed
	for _, c := range r.clauses(text) {
		parts := [][]language.Token{c.all}
		for i, tok := range c.all {
			if i > 1 && !tok.Quoted && language.In("and|,", tok.Norm) && i+1 < len(c.all) && (past(c.all[i+1].Norm) || language.In("i|we|the", c.all[i+1].Norm)) {
				parts = [][]language.Token{c.all[:i], c.all[i+1:]}
				break
			}
		}
		if len(parts) > 1 && language.Has(c.all, "not|if|but|would|should") {
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

// offerTicks looks for the open tasks that a message seems to complete, and proposes to
// tick them off, or asks which one it is. It makes its calls at once; found is false
// where there are none, and while they are still to be answered.
func (t *talk) offerTicks(text string) (found bool) {
	did := t.deeds(text)
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
	var sure, many []map[string]any
	for _, d := range did {
		fit := titled(res.Result, d.completes)
		if len(fit) == 0 {
			fit = titled(res.Result, d.mayComplete)
		}
		switch {
		case len(fit) == 1 && !hasTitle(sure, str(fit[0], "title")):
			sure = append(sure, fit[0])
		case len(fit) > 1:
			many = fit
		}
	}
	switch {
	case len(sure) > 0:
		t.offer(func() { t.changeEach(meaning{intent: completeTask}, sure) })
	case len(many) > 0:
		args, names := amongTasks(many)
		t.choose(askAmong, args, names, nil)
	}
	return len(sure)+len(many) > 0
}

// titled are the listed tasks whose titles fit, each title once.
func titled(list map[string]any, fits func(string) bool) []map[string]any {
	var out []map[string]any
	for _, task := range objects(list, "tasks") {
		if title := str(task, "title"); fits(title) && !hasTitle(out, title) {
			out = append(out, task)
		}
	}
	return out
}

func hasTitle(tasks []map[string]any, title string) bool {
	return slices.ContainsFunc(tasks, func(task map[string]any) bool { return str(task, "title") == title })
}

// amongTasks are the arguments of a question about several tasks, and their names.
func amongTasks(tasks []map[string]any) (args map[string]string, names []string) {
	args = map[string]string{}
	for i, task := range tasks[:min(len(tasks), 6)] {
		args[nth("task", i)] = str(task, "task")
		names = append(names, str(task, "title"))
	}
	return args, names
}

// stillThere finds the nth task of a question among those that are open now: by its
// reference, or by its title where the lines of its file have moved.
func stillThere(q model.Question, i int, tasks []map[string]any) (map[string]any, bool) {
	var found map[string]any
	for _, task := range tasks {
		if str(task, "title") != q.Choices[i] {
			continue
		}
		if str(task, "task") == q.Args[nth("task", i)] {
			return task, true
		}
		if found == nil {
			found = task
		}
	}
	return found, found != nil
}
