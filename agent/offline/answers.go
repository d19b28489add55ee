package offline

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/naming"
	"kist/agent/offline/onto"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
	"kist/agent/recall"
)

// An answer reads the message as an answer to the question that waits for one. done says
// that the whole message was that answer.
type answer func(t *talk, q model.Question) (meanings []interpret.Meaning, done bool)

// answers are how the questions are answered whose answers don't depend on the mode.
func answers() map[string]answer {
	return map[string]answer{
		turn.AskCreate:  declinable(createAnswered),
		turn.AskWhich:   declinable(whichAnswered),
		turn.AskInto:    declinable(intoAnswered),
		turn.AskBelongs: declinable(belongsAnswered),
		turn.AskFirst:   declinable(firstAnswered),
		turn.AskSwitch:  declinable(switchAnswered),
		turn.AskPlan:    planAnswered,
		turn.AskAmong:   (*talk).AmongAnswered,
		turn.AskMove:    (*talk).MoveAnswered,
		turn.AskKept:    declinable((*talk).KeptAnswered),
		turn.AskReading: declinable(readingAnswered),
		turn.AskOnto: declinable(func(t *talk, q model.Question) ([]interpret.Meaning, bool) {
			return nil, onto.Answered(t.Turn, q)
		}),
	}
}

// declinable lets a plain no end the matter.
func declinable(then answer) answer {
	return func(t *talk, q model.Question) ([]interpret.Meaning, bool) {
		if consent.Read(t.Text) == consent.No {
			t.Say("All right.")
			return nil, true
		}
		return then(t, q)
	}
}

// agrees: a message says yes to a question.
func agrees(text string) bool {
	said := consent.Read(text)
	return said == consent.Yes || said == consent.Go
}

// followUp reads the message as an answer to what was asked last. A question of a kind
// that nobody knows, as one that a session of an older kist holds, has no answer.
func (t *talk) followUp() (meanings []interpret.Meaning, done bool) {
	q := t.Situation.Question
	if read, ok := answers()[q.Kind]; ok {
		if meanings, done = read(t, q); done {
			return meanings, true
		}
		if q.Kind == turn.AskCreate && q.Args["name"] != "" && q.Args["once"] == "" && extract.Plain(t.Text) {
			t.Say("I started no project “%s”; say “create project %s” for it.", q.Args["name"], q.Args["name"])
		}
	}
	if m, ok := t.otherDay(); ok {
		return []interpret.Meaning{m}, true
	}
	return nil, false
}

// createAnswered makes the project that was asked about, for clear assent or with the name that
// it is given. Whatever else is said is what it is without that project.
func createAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	name := q.Args["name"]
	said, more := consent.Split(t.Text)
	switch instead := calledInstead(t.Text); {
	case instead != "":
		name, more = instead, ""
	case said == consent.No:
		t.Say("All right.")
		t.plan(t.Read(more))
		return nil, true
	case said != consent.Yes && said != consent.Go && !strings.EqualFold(strings.Trim(t.Text, " .!\"“”"), name):
		if q.Args["on"] != "" && recall.HangsOn(t.Text) {
			t.Here, t.Beside = nil, true
		}
		return nil, false
	}
	return append(t.begun(name, q), substantial(t.Read(more))...), true
}

// calledInstead is the name in an answer that says no more than how the project is called:
// that something else is, or was, names nothing.
func calledInstead(text string) string {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	i, n, ok := language.Find(toks, "called|named|titled", "under|with|by the name of", "call|calling|name|naming it|this|that", "the name is|should|shall|be", "nenn|nenne es|das|sie")
	someone := ok && i > 0 && language.In("called|named|titled", toks[i].Norm) && !language.Has(toks[:i], "it|<projectword>") // "I'm called Kate"
	if !ok || someone || n == len(toks) || language.Begins(toks, "<wh>") || language.Has(toks[:i], "was|were|had") || i == 0 && n == 1 && !toks[n].Quoted && !language.IsCapital(text, toks[n]) {
		return ""
	}
	for _, w := range language.ContentWords(toks[:i]) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'d")
		if !language.Class("<projectword>", w) && !language.Light(w) && !language.Class("<oughtword>", w) && !language.In("like|want|prefer|rather|think|just|let|please|better|it|i", w) {
			return ""
		}
	}
	return interpret.CalledInstead(text)
}

// begun makes a project that was asked about, of what was said before, with what there is to
// do in it and was decided.
func (t *talk) begun(name string, q model.Question) []interpret.Meaning {
	t.About = q.Args["once"]
	said, text := strings.TrimSpace(q.Args["before"]+"\n"+q.Args["own"]), q.Args["text"]
	if said == "" {
		said = text
	}
	made := interpret.Meaning{Intent: intent.CreateProject, Score: 1, Sure: true, Name: name, Text: turn.OrWord(said, "-"), Clause: interpret.ClauseOf(t.Text)}
	rest := t.again(text, refer.Reference{Empty: true}, "")
	if told := q.Args["own"]+q.Args["before"] != ""; told || q.Kind == turn.AskCreate {
		return append([]interpret.Meaning{made}, toBeDone(rest)...)
	}
	return append([]interpret.Meaning{made}, slices.DeleteFunc(rest, func(m interpret.Meaning) bool { return m.Intent == intent.CreateProject })...)
}

// toBeDone leaves of what tells of a project what says to do something, and what was decided.
// What it names beside that is no task yet: its budget, who pays.
func toBeDone(meanings []interpret.Meaning) []interpret.Meaning {
	var out []interpret.Meaning
	for _, m := range meanings {
		if m.Intent == intent.AddTask && language.Begins(m.Clause.Body, "<keepverb> *? *? *? *? in|into|over? there|here") {
			continue // it is there, and is moved
		}
		if m.Intent == intent.AddTask {
			m.Todos = slices.DeleteFunc(slices.Clone(m.Todos), func(d todo.Todo) bool {
				toks := language.Tokenize(d.Title)
				return !language.Begins(toks, "<verb> *") || language.Digital(toks[1].Norm) // "budget 800"
			})
		}
		if m.Intent == intent.AddDecision || len(m.Todos) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// substantial leaves out what needs no answer of its own.
func substantial(meanings []interpret.Meaning) []interpret.Meaning {
	return slices.DeleteFunc(meanings, func(m interpret.Meaning) bool {
		return !interpret.Substantial(m.Intent) || m.Intent == intent.CreateProject
	})
}

func switchAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	p, ok := refer.BySlug(t.Situation.Projects, q.Args["slug"])
	if !ok || !agrees(t.Text) {
		return nil, false
	}
	return []interpret.Meaning{{Intent: intent.Switch, Score: 1, Project: refer.Exactly(p), Clause: interpret.ClauseOf(t.Text)}}, true
}

func belongsAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	ref, ok := t.chosen(interpret.ClauseOf(t.Text))
	if !ok {
		return nil, false
	}
	return t.again(q.Args["text"], ref, ""), true
}

// firstAnswered makes the first project, by the name that was answered, and puts into it
// what was said before.
func firstAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	if name := calledInstead(t.Text); name != "" {
		return t.begun(name, q), true
	}
	if slices.ContainsFunc(t.Read(t.Text), func(m interpret.Meaning) bool { return m.Intent == intent.CreateProject && m.Given }) {
		return nil, false // an order for another one, with its name
	}
	if agrees(t.Text) {
		t.Ask(turn.AskFirst, q.Args) // it has no name yet
		return nil, true
	}
	c := interpret.ClauseOf(t.Text)
	toks := language.TrimMarks(language.SkipOpeners(c.Toks))
	if n, ok := language.MatchAny(toks, "for|to|about"); ok && n < len(toks) {
		toks = toks[n:]
	}
	top := append(t.Readings(t.Text), intent.Reading{})[0].Intent
	if !extract.IsName(strings.TrimRight(t.Text, ".! ")) || language.Begins(toks, "<goverb>|<showverb>|<deleteverb>|<ticking>|<talkverb>") && !language.IsCapital(c.Src, toks[0]) {
		return nil, false // an order names nothing
	}
	if len(toks) == 0 || len(toks) > 6 || strings.ContainsAny(strings.TrimRight(t.Text, ".! "), ",?.\n") || top != intent.None && top != intent.CreateProject && top != intent.Switch && top != intent.RenameProject {
		return nil, false
	}
	name := naming.Given(c.Src, toks)
	return t.begun(name, q), name != ""
}

func whichAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	c := interpret.ClauseOf(t.Text)
	ref, ok := t.chosen(c)
	if i := refer.Pick(t.Text, q.Choices); !ok && len(i) == 1 { // "the second one"
		if p, known := refer.BySlug(t.Situation.Projects, q.Args[turn.Nth("slug", i[0])]); known {
			ref, ok = refer.Exactly(p), true
		}
	}
	if !ok {
		return nil, false
	}
	if m, also := t.meantWith(q.Args["text"], ref.Found[0]); also {
		return []interpret.Meaning{m}, true
	}
	return []interpret.Meaning{{Intent: intent.Switch, Score: 1, Project: ref, Clause: c}}, true
}

// intoAnswered merges the other one of the two into the one that was chosen.
func intoAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	i := refer.Pick(t.Text, q.Choices)
	if len(q.Choices) != 2 || len(i) != 1 {
		return nil, false
	}
	into, ok := refer.BySlug(t.Situation.Projects, q.Args[turn.Nth("slug", i[0])])
	from, known := refer.BySlug(t.Situation.Projects, q.Args[turn.Nth("slug", 1-i[0])])
	if !ok || !known {
		return nil, false
	}
	return []interpret.Meaning{{Intent: intent.MergeProjects, Score: 1, Project: refer.Exactly(from), Other: refer.Exactly(into), Clause: interpret.ClauseOf(t.Text)}}, true
}

// meantWith is what a message asked for where several projects fitted, now that one of them
// is chosen: to rename, archive or delete it, to put a task there. Zero: only the
// project itself was asked for.
func (t *talk) meantWith(said string, chosen model.Project) (interpret.Meaning, bool) {
	among := func(ref refer.Reference) bool {
		return len(ref.Found) > 1 && slices.ContainsFunc(ref.Found, func(p model.Project) bool { return p.Slug == chosen.Slug })
	}
	for _, m := range t.Read(said) {
		if m.Intent == intent.Switch || m.Intent == intent.None {
			continue
		}
		switch ref := (refer.Reference{Found: []model.Project{chosen}, Exact: true}); {
		case among(m.Project):
			m.Project = ref
			return m, true
		case among(m.Other):
			m.Other = ref
			return m, true
		}
	}
	return interpret.Meaning{}, false
}
