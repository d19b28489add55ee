package offline

import (
	"strings"
	"time"

	"kist/agent/guide"
	"kist/agent/language"
)

// Questions about kist's own doings and about what isn't known yet.

// wondering recognises them: what was changed, what is still to be found out, which
// project something belongs to, what there is to do everywhere.
func (r *reader) wondering(c *clause) meaning {
	toks := language.TrimMarks(skipOpeners(c.toks))
	if len(toks) == 0 || c.negated && !language.Has(toks, "what|which") {
		return meaning{}
	}
	none := reference{empty: true}
	if n, ok := language.MatchAny(toks, "what is|are|have i|we? got|everything|all|there|still? on my|our plate *? *? *? *?", "show|list|tell me? everything|all|what is? on my|our plate *? *? *? *?", "everything|all on my|our plate *? *? *? *?"); ok && n == len(toks) {
		m := meaning{intent: listTasks, score: 0.94, project: none}
		if language.Has(toks, "all|across|every|everything|everywhere") {
			m.about = "everywhere"
		}
		return m
	}
	if n, ok := language.MatchAny(toks,
		"what do|must|should i|we still|yet? need|have? to find|figure out|know|clarify|clear|decide|learn|answer|settle up? yet|still?", "what is|remains still|yet? left? to find|figure out", "what is|remains still|yet? left? to clarify|decide|answer|settle",
		"what is|are still|yet? unclear|unknown|undecided|unanswered|unsettled yet|still?", "what do not i|we know yet?", "what have not i|we decided|answered|clarified yet?", "what have i|we not decided|answered|clarified yet?",
		"show|list|give|tell|name me? <det>? *? open|unanswered|unresolved|outstanding|remaining questions|unknowns", "<det>? open|unanswered|unresolved|outstanding questions", "what|which are|is <det>? open|unanswered|unresolved questions|unknowns", "which questions are still? open|left|unanswered"); ok && (n == len(toks) || language.In("for|in|about|on|here", toks[n].Norm)) {
		m := meaning{intent: openQuestions, score: 0.95, project: none}
		if n < len(toks)-1 {
			ref, _ := r.aim(c, toks[n+1:])
			m.project = ref
		}
		return m
	}
	if m := r.changesAsked(toks); m.score > 0 {
		return m
	}
	return r.belonging(c, toks)
}

func (r *reader) changesAsked(toks []language.Token) meaning {
	const deeds = "change|changed|do|done|did|edit|edited|write|written|modify|modified|touch|touched|made|make"
	const whens = "today|yesterday|lately|recently|session|week|now"
	n, ok := language.MatchAny(toks, "what did|have you|kist "+deeds+" so|far|already|just?", "show|list|tell|give me? what|everything|all you|kist have? "+deeds+" so|far|already|just?", "show|list|tell|give me? <det>? last|latest|recent? changes|edits|operations you|made?",
		"what changed|changes", "what has|was|got been? "+deeds, "what were your? changes|edits", "which|what files|documents|notes|changes did|have you "+deeds)
	if !ok {
		return meaning{}
	}
	m := meaning{intent: listChanges, score: 0.95, project: reference{empty: true}}
	rest := language.TrimMarks(toks[n:])
	said := language.Has(toks[:n], "you|kist|your|changes|edits|operations")
	for _, t := range rest {
		if language.In(whens, t.Norm) {
			m.scope = t.Norm
		} else if !language.In("this|in|of|from|since|for|the|to|made|so|far|just|by|you|has|been|files|vault|my", t.Norm) {
			return meaning{} // "what did you do to the roof"
		}
	}
	if m.scope == "" && !said || language.Has(toks[:n], "do|done|did") && m.scope == "" {
		return meaning{} // "what changed?" opens an update
	}
	return m
}

// belonging: "which project does 'call the organist' belong to?", "suggest a project
// for this: the physio wants a waiting list".
func (r *reader) belonging(c *clause, toks []language.Token) meaning {
	m := meaning{intent: whichProject, score: 0.95, project: reference{empty: true}}
	if n, ok := language.MatchAny(toks, "suggest|guess|tell|say|propose me? which|what project this|that|it is|belongs|goes|fits|should|would|might? belong|go|be|fit? to|in|into|under|with|for? :|,|-?",
		"suggest|propose|find me? a|the|right|best? project for this|that|it :|,|-?", "which|what project is|does|should|would this|that|it belong|go|fit|for|be? to|in|into|under|with|for? :|,|-?", "where does|should|would this|that|it belong to|in?  :|,|-?"); ok {
		m.text = strings.TrimSpace(c.text(toks[n:]))
		return m
	}
	if n, ok := language.MatchAny(toks, "which|what project does|should|would|is|do"); ok {
		for i := n + 1; i < len(toks); i++ {
			if !toks[i].Quoted && language.In("belong|go|fit", toks[i].Norm) && i+2 >= len(toks)-1 && language.Has(toks[i:], "belong|to|in|into|under|with") {
				m.text = language.Unwrap(c.text(toks[n:i]))
				return m
			}
		}
	}
	return meaning{}
}

// listChanges tells what kist changed, newest first.
func (t *talk) listChanges(m meaning) {
	today := t.sit.Now.Truncate(0)
	start := time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, today.Location())
	from, to, when := time.Time{}, today.Add(time.Hour), " lately"
	switch m.scope {
	case "today":
		from, when = start, " today"
	case "yesterday":
		from, to, when = start.AddDate(0, 0, -1), start, " yesterday"
	case "week":
		from, when = start.AddDate(0, 0, -6), " in the last seven days"
	case "session":
		when = " in this session"
	}
	var lines []string
	more := 0
	for _, ch := range t.sit.Changes {
		if ch.At.Before(from) || !ch.At.Before(to) || m.scope == "session" && ch.Session != t.sit.Session {
			continue
		}
		if len(lines) == maxSpoken {
			more++
			continue
		}
		lines = append(lines, ch.At.In(today.Location()).Format("2 Jan 15:04")+": "+ch.Reason+" ("+ch.Path+")")
	}
	if len(lines) == 0 {
		t.say("I changed nothing%s.", when)
		return
	}
	t.say("What I changed%s:\n- %s", when, strings.Join(lines, "\n- "))
	if more > 0 {
		t.say("And %d more; “kist op list” has them all.", more)
	}
}

// openQuestions tells which dimensions of a project, or of the draft, say nothing yet,
// with a question for the ones that matter most.
func (t *talk) openQuestions(m meaning) {
	if d := t.sit.Draft; d != nil && d.Status == "in_progress" && len(m.project.found) == 0 {
		missing := map[string]bool{}
		for _, key := range guide.Dimensions() {
			missing[key] = strings.TrimSpace(d.Dimensions[key]) == ""
		}
		t.speakOpen(d.Name, missing)
		return
	}
	t.measured(m, func(result, each map[string]any) {
		missing := map[string]bool{}
		for _, key := range guide.Dimensions() {
			missing[key] = num(each, key) == 0
		}
		t.speakOpen(str(result, "name"), missing)
	})
}

func (t *talk) speakOpen(name string, missing map[string]bool) {
	var lines, others []string
	for _, key := range guide.Dimensions() {
		core := false
		for _, k := range guide.Core() {
			core = core || k == key
		}
		switch q, ok := guide.Ask(guide.State{Name: spoken(name), Seed: t.sit.Session}, key); {
		case !missing[key]:
		case core && ok:
			lines = append(lines, guide.Title(key)+": "+q.Text)
		default:
			others = append(others, guide.Title(key))
		}
	}
	if len(lines)+len(others) == 0 {
		t.say("Each of the nine dimensions of **%s** says something.", name)
		return
	}
	if len(lines) > 0 {
		t.say("Still to find out for **%s**:\n- %s", name, strings.Join(lines, "\n- "))
	}
	if len(others) > 0 {
		t.say("Nothing is written yet on %s; that may be fine.", strings.Join(others, ", "))
	}
}

// whichProject suggests where something belongs.
func (t *talk) whichProject(m meaning) {
	text := m.text
	if len(contentWords(language.Tokenize(text))) == 0 {
		text = t.before
	}
	if text = language.Limit(oneLine(text), 1000); text == "" {
		t.say("Which thing do you mean? Say it behind the question.")
		return
	}
	a := t.act(nil)
	w := a.want(t, "suggest_project_for_memory", map[string]any{"content": text})
	a.then = func() {
		if t.failed(w) {
			return
		}
		slug := str(w.res.Result, "project")
		if slug == "" {
			t.say("I can't tell: no project speaks of that. It may be a new one, or for you alone.")
			return
		}
		sure, _ := w.res.Result["confidence"].(float64)
		t.say("I'd say **%s** (%.0f%% sure).", t.nameOf(slug), 100*sure)
	}
}

// retitling: "rename the task label the shelves to label all shelving".
func (r *reader) retitling(c *clause) meaning {
	body := trimPhraseEnd(c.body)
	if c.negated || c.question && c.frame == bare {
		return meaning{}
	}
	n, ok := language.MatchAny(body, "rename|retitle|reword|rephrase <det>? <taskword> :?", "change|edit|update|correct|fix <det>? title|name|wording|text of|from <det>? <taskword>? :?")
	if !ok || n >= len(body) {
		return meaning{}
	}
	for i := len(body) - 2; i > n; i-- {
		if body[i].Quoted || !language.In("to|into|as", body[i].Norm) {
			continue
		}
		title, name := titleOf(c, body[n:i]), language.Unwrap(language.Spell(c.src, body[i+1:]))
		if title != "" && name != "" && len(refer(c, body[n:i], r.sit.Projects).found) == 0 {
			return meaning{intent: updateTask, score: 0.96, title: title, change: todo{title: language.Capital(name)}, project: reference{empty: true}}
		}
	}
	return meaning{}
}

// otherDay reads "no, make that the 8th" as another date for the task that was given
// one just before.
func (t *talk) otherDay() (meaning, bool) {
	day, ok := t.dayAlone(t.text)
	if !ok {
		return meaning{}, false
	}
	for _, said := range t.said[:min(len(t.said), 5)] {
		if _, again := t.dayAlone(said); again {
			continue // "the 7th, no, the 8th"
		}
		for _, m := range t.read(said) {
			if m.intent == updateTask && m.title != "" && (m.change.due != "" || m.moved != (moved{})) {
				m.change.due, m.moved = day, moved{start: m.moved.start}
				return m, true
			}
		}
		break
	}
	return meaning{}, false
}

// dayAlone is the day that a message names, where it says nothing else.
func (t *talk) dayAlone(text string) (string, bool) {
	toks := language.TrimMarks(skipOpeners(language.Tokenize(text)))
	if len(toks) == 0 || len(toks) > 10 {
		return "", false
	}
	d, ok := language.FindDate(toks, t.sit.Now)
	if !ok {
		return "", false
	}
	for i, tok := range toks {
		if (i < d.Start || i >= d.End) && tok.Word && !language.In("no|wait|sorry|make|it|that|i|meant|mean|rather|better|say|actually|to|on|for|of|the|set|change|move|again|should|be|is|due|please|instead|then|until|by|let|us|not|sooner|later|than|one", tok.Norm) {
			return "", false
		}
	}
	return language.ISODay(d.Day), true
}
