package offline

import (
	"slices"
	"strings"
	"time"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
	"kist/agent/recall"
)

// planAnswered does what was laid out, or as much of it as the answer leaves. The message
// that it was laid out of is read again.
func planAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	if consent.Read(t.Text) == consent.No {
		t.Say("All right, nothing was written.")
		return nil, true
	}
	if len(strings.Fields(t.Text)) > longestAnswer || language.Asks(language.Tokenize(t.Text)) {
		return nil, false // it tells more, or wants to know something
	}
	p, ok := t.planOf(q.Args["text"])
	switch {
	case len(t.Calls) > 0:
		return nil, true
	case !ok:
		return nil, false
	}
	before := t.amendmentOf(q.Args["amended"], q.Args["into"])
	before.amend(&p)
	a := t.amendmentOf(t.Text, q.Args["into"])
	if !agrees(t.Text) && !a.applies(p) {
		return nil, false
	}
	a.amend(&p)
	t.Act(func() {
		for _, part := range a.unmet {
			t.Say(extract.Regret+"“%s”.", language.Limit(part, 200))
		}
	})
	if !a.agreed && !agrees(t.Text) { // nobody said yes to the rest
		t.speakPlan(p)
		args := map[string]string{"text": q.Args["text"], "amended": strings.TrimSpace(q.Args["amended"] + "\n" + t.Text)}
		if p.into != nil {
			args["into"] = p.into.Slug
		}
		t.Ask(turn.AskPlan, args)
		return nil, true
	}
	t.carryOut(p)
	return append(before.more, a.more...), true
}

// longestAnswer is how many words an answer to a plan has.
const longestAnswer = 60

// An amendment is what an answer changes of a plan.
type amendment struct {
	agreed     bool                // what is left of it is to be done
	into       *model.Project      // it belongs there
	only, drop []string            // words for what alone is to be done, and for what isn't
	noTask     bool                // none of the tasks is
	fixes      []fix               // how a task is to be called
	more       []interpret.Meaning // what is to be done besides
	unmet      []string            // what was said of it and isn't understood
	list       *[]string           // which of them the words at hand join; nil: none
	names      []string            // words of the project at hand, which say nothing of a task
}

// A fix is the words for a task, "collect the chairs", and those that they stand for in
// its title, "them"; empty: for all of it.
type fix struct{ to, of string }

// amendmentOf reads an answer to a plan: "yes, but not the paint", "just the form and the
// choir", "no, that belongs to the organ", "yes, but say collect the chairs, not them". An
// answer before it may have moved it already, into the project of that slug.
func (t *talk) amendmentOf(text, into string) amendment {
	var a amendment
	if t.Here != nil {
		a.names = refer.NameWords(*t.Here)
	}
	if p, ok := refer.BySlug(t.Situation.Projects, into); ok {
		a.into = &p
	}
	for _, s := range extract.Sentences(text) {
		a.read(t, partsOf(s.Text))
	}
	return a
}

// read reads a sentence of an answer.
func (a *amendment) read(t *talk, parts []string) {
	a.list = nil
	for i, part := range parts {
		toks := language.SkipOpeners(language.Tokenize(part))
		if a.takes(t, part, toks) || a.corrects(t, parts, i, toks) {
			continue
		}
		denies := func(part string) bool { return language.Has(language.Tokenize(part), denied) }
		switch next := append(slices.Clone(parts[i+1:]), "")[0]; {
		case denies(part), a.list == nil && !tellsAlone(toks) && denies(next):
			a.list = &a.drop
			a.drop = append(a.drop, part)
		case a.list != nil && !tellsAlone(toks):
			*a.list = append(*a.list, part)
		case dropsThat(next): // which says what becomes of it
		default:
			more := slices.DeleteFunc(t.Read(part), func(m interpret.Meaning) bool { return !interpret.TakesText(m.Intent) })
			if a.more = append(a.more, more...); len(more) == 0 && !extract.Remarks(part) && len(language.ContentWords(toks)) > 1 {
				a.unmet = append(a.unmet, part)
			}
		}
	}
}

// takes reads a part that says how much of the plan is meant, or where it belongs.
func (a *amendment) takes(t *talk, part string, toks []language.Token) bool {
	switch {
	case agrees(part), language.Begins(toks, "otherwise|else") && agrees(language.Spell(part, toks[1:])), language.Has(toks, "rest|others") && language.Has(toks, "yes|ok|okay|fine|good|ja|passt"):
		a.agreed = true
	case language.Begins(language.Tokenize(part), "and|ok|okay|then|so|no? just|only|nur"):
		a.list, a.agreed = &a.only, true
		a.only = append(a.only, part)
		a.noTask = a.noTask || language.Has(toks, "<noteword>") && extract.Remarks(part)
	case language.Has(toks, denied) && language.Has(toks, "<taskword>") && extract.Remarks(part):
		a.noTask = true
	default:
		return placed(t, part, a)
	}
	return true
}

// corrects reads the i-th part where it sets a task right, or adds one that is missing.
func (a *amendment) corrects(t *talk, parts []string, i int, toks []language.Token) bool {
	part := parts[i]
	switch {
	case language.Begins(toks, "say|write|call|name|make it|that|them?") && !language.Has(toks, "<taskword>|note"):
		a.fixes = append(a.fixes, fixOf(part, toks))
	case language.Begins(toks, "you|it forgot|missed|lacks|skipped|left", "forgot|missed"):
		n, _ := language.MatchAny(toks, "you|it? forgot|missed|lacks|skipped|left out?")
		a.more = append(a.more, lacking(part, toks[n:], t.Situation.Now)...)
	case i > 0 && dropsThat(part):
		a.drop, a.list = append(a.drop, subject(parts[i-1])), nil // "the red one is the ladder, so drop that"
	default:
		return false
	}
	return true
}

// dropsThat: a part only says that what was named before it isn't meant.
func dropsThat(part string) bool {
	toks := language.Tokenize(part)
	return language.Has(toks, denied) && language.Has(toks, "<pronoun>") && len(language.ContentWords(language.Drop(toks, denied+"|so|it|that|this|them|one|please|out"))) == 0
}

// lacking is a thing to do that a plan lacks.
func lacking(text string, toks []language.Token, now time.Time) []interpret.Meaning {
	item := todo.Read(text, toks, now)
	if item.Title == "" {
		return nil
	}
	return []interpret.Meaning{{Intent: intent.AddTask, Score: 1, Clause: interpret.ClauseOf(text), Todos: []todo.Todo{item}, Project: refer.Reference{Empty: true}}}
}

// fixOf reads a part that says how a task is called.
func fixOf(text string, toks []language.Token) fix {
	n, _ := language.MatchAny(toks, "say|write|call|name|make it|that|them?")
	toks = toks[n:]
	if i, _, ok := language.Find(toks, "not|instead|rather"); ok && i > 0 {
		return fix{language.Spell(text, toks[:i]), language.Spell(text, toks[i:])}
	}
	return fix{to: language.Spell(text, toks)}
}

// subject is what a part is about: what stands before its verb.
func subject(part string) string {
	toks := language.Tokenize(part)
	if i := slices.IndexFunc(toks, func(t language.Token) bool { return language.Class("<aux>", t.Norm) }); i > 0 {
		toks = toks[:i]
	}
	return language.Spell(part, toks)
}

// tellsAlone: a part has a verb of its own, and isn't one of several things that are named.
func tellsAlone(toks []language.Token) bool {
	for i, t := range toks {
		base, third := strings.CutSuffix(t.Norm, "s")
		verb := language.Class("<verb>", base) || language.Class("<goverb>", strings.TrimSuffix(base, "e"))
		if i > 0 && !t.Quoted && (language.Class("<aux>", t.Norm) || third && verb && !language.Class("<det>", toks[i-1].Norm)) {
			return true
		}
	}
	return false
}

// denied are the words by which a part of a plan isn't meant.
const denied = "not|no|nothing|never|without|except|only|just|leave|skip|drop|kein|keine|nichts|nicht|ohne|nur"

// partsOf are the parts of a sentence between its marks and conjunctions.
func partsOf(sentence string) []string {
	toks := language.Tokenize(sentence)
	var out []string
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && (toks[i].Quoted || toks[i].Word && !language.In("and|but|und|aber", toks[i].Norm)) {
			continue
		}
		if part := language.TrimMarks(toks[from:i]); len(part) > 0 {
			out = append(out, sentence[part[0].Start:part[len(part)-1].End])
		}
		from = i + 1
	}
	return out
}

// placed: a part says to which project all of it belongs.
func placed(t *talk, part string, a *amendment) bool {
	for _, p := range t.Situation.Projects {
		if (t.Here == nil || p.Slug != t.Here.Slug) && recall.Names(part, p.Name) && !language.Has(language.Tokenize(part), denied) {
			a.into = &p
			return true
		}
	}
	return false
}

// applies: the answer is about the plan.
func (a amendment) applies(p plan) bool {
	if a.into != nil || a.noTask {
		return true
	}
	for _, b := range p.tasks {
		if a.meant(b.Title, a.only) || a.meant(b.Title, a.drop) {
			return true
		}
	}
	return a.agreed && len(a.more)+len(a.fixes) > 0
}

// amend leaves of a plan what the answer leaves, called as it says. The sentences of the
// rest join its note.
func (a *amendment) amend(p *plan) {
	if a.into != nil {
		p.into, p.name = a.into, ""
	}
	p.tasks = slices.DeleteFunc(p.tasks, func(b branch) bool {
		goes := a.noTask || !a.meant(b.Title, a.only) && (len(a.only) > 0 || a.meant(b.Title, a.drop))
		switch {
		case goes && len(p.said) > 0:
			p.noted[b.from] = true
		}
		return goes
	})
	if len(p.said) > 0 {
		p.annotate()
	}
	a.more = slices.DeleteFunc(a.more, func(m interpret.Meaning) bool {
		if m.Intent != intent.AddTask || !m.Project.Empty {
			return false
		}
		for _, item := range m.Todos {
			p.tasks = append(p.tasks, branch{Todo: item})
		}
		return true
	})
	for _, f := range a.fixes {
		if !a.mend(p, f) {
			a.unmet = append(a.unmet, f.to)
		}
	}
}

// mend gives the task that a fix is about its new words. false: that is none, or several.
func (a amendment) mend(p *plan, f fix) bool {
	at, fit := -1, 0
	for i, b := range p.tasks {
		if a.meant(b.Title, []string{f.to, f.of}) {
			at, fit = i, fit+1
		}
	}
	if fit != 1 {
		return false
	}
	b := &p.tasks[at]
	title, to := language.Tokenize(b.Title), language.Tokenize(f.to)
	of := language.Drop(language.Tokenize(f.of), "not|instead|rather|of|than|the|a|an")
	if len(of) > 1 {
		of = nil // it is all of the title
	}
	for _, w := range of {
		i := slices.IndexFunc(title, func(t language.Token) bool { return t.Norm == w.Norm })
		if i < 0 {
			continue
		}
		b.Title = language.Capital(b.Title[:title[i].Start] + language.Spell(f.to, to) + b.Title[title[i].End:])
		return true
	}
	switch {
	case language.Covers(language.ContentWords(title), language.ContentWords(to)): // it says so already
	default:
		return false
	}
	return true
}

// meant: one of some descriptions has a word that says something of a title.
func (a amendment) meant(title string, said []string) bool {
	words := language.ContentWords(language.Tokenize(title))
	return slices.ContainsFunc(said, func(s string) bool {
		return slices.ContainsFunc(language.ContentWords(language.Tokenize(s)), func(w string) bool {
			return !language.Light(w) && !language.Class("<taskword>", w) && !slices.Contains(a.names, w) && slices.ContainsFunc(words, func(x string) bool { return language.SameWord(w, x) })
		})
	})
}
