package offline

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
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
	if len(strings.Fields(t.Text)) > longestAnswer {
		return nil, false // it tells more
	}
	a := amendmentOf(t, q.Args["into"])
	p, ok := t.planOf(q.Args["text"])
	switch {
	case len(t.Calls) > 0:
		return nil, true
	case !ok || !agrees(t.Text) && !(a.applies(p) && (a.agreed || a.into != nil)):
		return nil, false
	}
	a.amend(&p)
	if !a.agreed && !agrees(t.Text) { // it is for another project, and for the rest nobody said yes
		t.speakPlan(p)
		args := map[string]string{"text": q.Args["text"]}
		if p.into != nil {
			args["into"] = p.into.Slug
		}
		t.Ask(turn.AskPlan, args)
		return nil, true
	}
	t.carryOut(p)
	return a.more, true
}

// longestAnswer is how many words an answer to a plan has.
const longestAnswer = 60

// An amendment is what an answer changes of a plan.
type amendment struct {
	agreed     bool                // what is left of it is to be done
	into       *model.Project      // it belongs there
	only, drop []string            // words for what alone is to be done, and for what isn't
	more       []interpret.Meaning // what is to be done besides
	names      []string            // words of the project at hand, which say nothing of a task
}

// amendmentOf reads an answer to a plan: "yes, but not the paint", "just the form and the
// choir", "no, that belongs to the organ". An answer before it may have moved it already,
// into the project of that slug.
func amendmentOf(t *talk, into string) amendment {
	var a amendment
	if t.Here != nil {
		a.names = refer.NameWords(*t.Here)
	}
	if p, ok := refer.BySlug(t.Situation.Projects, into); ok {
		a.into = &p
	}
	for _, s := range extract.Sentences(t.Text) {
		var list *[]string
		parts := partsOf(s.Text)
		if !agrees(parts[0]) && language.Has(language.Tokenize(s.Text), denied) {
			list = &a.drop // all of it
		}
		for _, part := range parts {
			toks := language.Tokenize(part)
			switch {
			case agrees(part), language.Has(toks, "rest|others") && language.Has(toks, "yes|ok|okay|fine|good|ja|passt"):
				a.agreed = true
				continue
			case language.Begins(toks, "and|ok|okay|then|so|no? just|only|nur", "just|only|nur"):
				list, a.agreed = &a.only, true
			case placed(t, part, &a):
				continue
			case language.Has(toks, denied):
				list = &a.drop
			case list == nil:
				a.more = append(a.more, slices.DeleteFunc(t.Read(part), func(m interpret.Meaning) bool { return !interpret.TakesText(m.Intent) })...)
				continue
			}
			*list = append(*list, part)
		}
	}
	return a
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
	if a.into != nil {
		return true
	}
	for _, b := range p.tasks {
		if a.meant(b.Title, a.only) || a.meant(b.Title, a.drop) {
			return true
		}
	}
	return a.agreed && len(a.more) > 0
}

// amend leaves of a plan what the answer leaves; the words of the rest join its note.
func (a amendment) amend(p *plan) {
	if a.into != nil {
		p.into, p.name = a.into, ""
	}
	p.tasks = slices.DeleteFunc(p.tasks, func(b branch) bool {
		goes := !a.meant(b.Title, a.only) && (len(a.only) > 0 || a.meant(b.Title, a.drop))
		if goes {
			p.note = strings.TrimSpace(p.note + " " + b.Title + ".")
		}
		return goes
	})
}

// meant: one of some descriptions has a word that says something of a title.
func (a amendment) meant(title string, said []string) bool {
	words := language.ContentWords(language.Tokenize(title))
	return slices.ContainsFunc(said, func(s string) bool {
		return slices.ContainsFunc(language.ContentWords(language.Tokenize(s)), func(w string) bool {
			return !language.Light(w) && !language.Class("<taskword>", w) && !slices.Contains(a.names, w) && slices.ContainsFunc(words, func(x string) bool { return language.Alike(w, x) >= 0.9 })
		})
	})
}
