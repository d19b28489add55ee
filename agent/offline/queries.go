package offline

import (
	"slices"
	"strings"
	"time"

	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/queries"
	"kist/agent/offline/record"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Questions about what isn't known yet.

// listed lists tasks, of two projects where both are asked for; or what is on which day.
func listed(t *talk, m interpret.Meaning) {
	both := false
	if m.Clause != nil {
		_, _, both = language.Find(m.Clause.All, "on|in|for|from|of|across both|beiden", "both projects")
	}
	two := t.LastTwo()
	switch {
	case m.Clause != nil && queries.OfAmount(m.Clause.All):
		t.handle(t.AsIf(t.Text, intent.Ask))
	case both && len(m.Project.Found) == 0 && len(two) == 2:
		for _, p := range two {
			m.Project = refer.Exactly(p)
			t.ListTasks(m, false)
		}
	case !dates(t, m):
		t.ListTasks(m, false)
	}
}

// owes: a question is for what somebody said they would do, and names nothing: that is in the tasks.
func owes(m interpret.Meaning) bool {
	if m.Clause == nil || !language.Begins(m.Clause.Toks, "what *? i|we *? *? *? *? do|get|buy|bring|send|sort") {
		return false
	}
	return !slices.ContainsFunc(language.ContentWords(m.Clause.Toks), func(w string) bool {
		return !language.Class("<stop>", w) && !language.In("said|supposed|meant|promised|agreed|told|need|needed|got|far|again|still|now|do|get|buy|bring|send|sort|going|will|i'll|i'd", w)
	})
}

// dates tells what is on which day in the project that a question names, or else the one at
// hand. false: it doesn't ask that.
func dates(t *talk, m interpret.Meaning) bool {
	if m.Clause == nil || !lookup.AsksDates(m.Clause.All) {
		return false
	}
	ref := t.Scope().Whole(m.Clause.Src, m.Clause.All)
	p, ok := ref.One()
	switch {
	case ok:
	case len(ref.Found) > 1:
		t.Which(ref.Found)
		return true
	case t.Here == nil:
		return false
	default:
		p = *t.Here
	}
	t.Dates(p)
	return true
}

// openQuestions tells which dimensions of a project, or of the draft, say nothing yet,
// with a question for the ones that matter most.
func (t *talk) openQuestions(m interpret.Meaning) {
	if m.Clause != nil && !language.Has(m.Clause.All, openWords) {
		list := func() { t.ListTasks(interpret.Meaning{Intent: intent.ListTasks, Project: m.Project}, true) }
		if language.Has(m.Clause.All, "do|get|need|buy|order|have") {
			t.Needed(list)
		} else {
			t.Answer(record.LookedFor(m), list)
		}
		return
	}
	if d := t.Situation.Draft; d != nil && d.Status == "in_progress" && len(m.Project.Found) == 0 {
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
			missing[key] = turn.Num(each, key) == 0
		}
		t.speakOpen(turn.Str(result, "name"), missing)
	})
}

// openWords are what a question for what isn't known has: "what do we still have to get?" is for
// things to do.
const openWords = "find|figure|question|questions|open|unclear|missing|unknown|gap|gaps|undecided|decide|answer|answered|know|think|clarify|dimension|dimensions|lacking|unanswered|blank|blanks|air|unsettled|pending|uncertain|offen|unklar|fehlt"

func (t *talk) speakOpen(name string, missing map[string]bool) {
	var lines, others []string
	for _, key := range guide.Dimensions() {
		core := false
		for _, k := range guide.Core() {
			core = core || k == key
		}
		switch q, ok := guide.Ask(guide.State{Name: guide.Spoken(name), Seed: t.Situation.Session}, key); {
		case !missing[key]:
		case core && ok:
			lines = append(lines, guide.Title(key)+": "+q.Text)
		default:
			others = append(others, guide.Title(key))
		}
	}
	if len(lines)+len(others) == 0 {
		t.Say("Each of the nine dimensions of **%s** says something.", name)
		return
	}
	if len(lines) > 0 {
		t.Say("Still to find out for **%s**:\n- %s", name, strings.Join(lines, "\n- "))
	}
	if len(others) > 0 {
		t.Say("Nothing is written yet on %s; that may be fine.", strings.Join(others, ", "))
	}
}

// whichProject suggests where something belongs.
func (t *talk) whichProject(m interpret.Meaning) {
	text := m.Text
	for _, other := range []string{queries.Belonging(t.Text, language.Tokenize(t.Text)), t.Before} {
		if len(language.ContentWords(language.Tokenize(text))) == 0 {
			text = other
		}
	}
	if text = language.Limit(language.OneLine(text), 1000); text == "" {
		t.Say("Which thing do you mean? Say it behind the question.")
		return
	}
	a := t.Act(nil)
	w := a.Want("suggest_project_for_memory", map[string]any{"content": text})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		slug := turn.Str(w.Result.Result, "project")
		if slug == "" {
			t.SpokenOf(text)
			return
		}
		sure, _ := w.Result.Result["confidence"].(float64)
		t.Say("I'd say **%s** (%.0f%% sure).", refer.NameIn(t.Situation.Projects, slug), 100*sure)
	}
}

// notBefore is the day that is early enough, where that is no earlier than the one before: a
// weekday is the next of its name.
func notBefore(text, day, was string) string {
	toks := language.Tokenize(text)
	at, err := time.Parse(time.DateOnly, day)
	if err != nil || day > was || !language.Has(toks, "enough|later") || slices.ContainsFunc(toks, func(t language.Token) bool { return language.Digital(t.Norm) }) {
		return day
	}
	for day <= was {
		at = at.AddDate(0, 0, 7)
		day = language.ISODay(at)
	}
	return day
}

// otherDay reads "no, make that the 8th" as another date for the task that was given
// one just before.
func (t *talk) otherDay() (interpret.Meaning, bool) {
	day, ok := queries.DayAlone(t.Text, t.Situation.Now)
	if !ok {
		return interpret.Meaning{}, false
	}
	for _, said := range t.Said[:min(len(t.Said), 5)] {
		if _, again := queries.DayAlone(said, t.Situation.Now); again {
			continue // "the 7th, no, the 8th"
		}
		for _, m := range t.Read(said) {
			if m.Intent == intent.UpdateTask && len(m.Titles) > 0 && (m.Change.Due != "" || m.Moved.Set()) {
				m.Change.Due, m.Moved = day, todo.Shift{Start: m.Moved.Start}
				return m, true
			}
			if m.Intent == intent.AddTask && len(m.Todos) == 1 && m.Todos[0].Due != "" {
				day = notBefore(t.Text, day, m.Todos[0].Due)
				return interpret.Meaning{Intent: intent.UpdateTask, Score: 1, Clause: interpret.ClauseOf(t.Text), Titles: []string{m.Todos[0].Title}, Change: todo.Todo{Due: day}, Project: refer.Reference{Empty: true}}, true
			}
		}
		break
	}
	return record.RightDay(t.Keeper, day)
}
