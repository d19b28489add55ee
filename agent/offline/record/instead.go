package record

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Another task was meant than the one to which something was just done.

// longestOther is how many words name the task that was meant.
const longestOther = 7

// Instead takes back what was done to a task and does it to the one that was meant: "no, I
// meant the floor", "not the tax, the insurance", "the other one". false: a message doesn't say
// that, or nothing was done to a task.
func Instead(t *Keeper) bool {
	name, ok := meantInstead(t.Text)
	if !ok {
		return false
	}
	before := t.Read(t.Before)
	of := func(m interpret.Meaning) bool { return interpret.OfTasks(m.Intent) && len(m.Titles) == 1 }
	if i := slices.IndexFunc(before, of); i < 0 || slices.ContainsFunc(before[i+1:], of) {
		return false // which of several orders was it?
	}
	m := before[slices.IndexFunc(before, of)]
	wrong := t.lastTask()
	a := t.Act(nil)
	w := a.Want("list_tasks", map[string]any{"status": "all"})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		tasks := slices.DeleteFunc(turn.Objects(w.Result.Result, "tasks"), func(task map[string]any) bool { return isTask(task, wrong) })
		found := likeBefore(m.Titles[0], changeable(m, tasks))
		if name != "" {
			found, _ = refer.Tasks(name, changeable(m, tasks))
		}
		switch len(found) {
		case 0:
			t.Say("I don't see which task you mean, so nothing was changed.")
		case 1:
			t.Late(func() { takeBack(t, wrong) })
			t.Late(func() { t.ChangeEach(m, found) })
		default:
			t.Late(func() { takeBack(t, wrong) })
			t.AskWhichTask(m, found)
		}
	}
	return true
}

// likeBefore are the tasks that have a word in common with the one which was named.
func likeBefore(said string, tasks []map[string]any) []map[string]any {
	words := refer.TaskWords(said)
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		return !slices.ContainsFunc(refer.TaskWords(turn.Str(task, "title")), func(w string) bool { return language.Covers(words, []string{w}) })
	})
}

// takeBack takes back what was done to a task, if anything was.
func takeBack(t *Keeper, wrong string) {
	done := slices.ContainsFunc(t.Situation.Changes[:min(1, len(t.Situation.Changes))], func(ch model.Change) bool {
		return ch.Task() == wrong && refer.Shared(t.Before, ch.Reason) > 0
	})
	if wrong == "" || !done {
		return // it was only proposed
	}
	a := t.Act(nil)
	w := a.Want("undo", map[string]any{})
	a.Then = func() {
		if !t.Failed(w) {
			t.Bullets("Taken back:", turn.Strs(w.Result.Result, "what"))
		}
	}
}

// meantInstead is the name of a task that a message says to have been meant; empty: the other
// one was.
func meantInstead(text string) (name string, ok bool) {
	toks := language.Tokenize(text)
	mended := language.Begins(toks, "no|nope|sorry|oops|wait|nein")
	for toks = language.TrimMarks(language.SkipOpeners(toks)); len(toks) > 1 && !toks[0].Quoted && language.Class("<mend>", toks[0].Norm); {
		toks = language.TrimMarks(language.SkipOpeners(toks[1:]))
	}
	switch n, says := language.MatchAny(toks, "i|we mean|meant"); {
	case says:
		toks = toks[n:]
	case language.Begins(toks, "not *"):
		i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.In(",|but", t.Norm) })
		if i < 0 {
			return "", false
		}
		toks = toks[i+1:]
	case !mended || !language.Begins(toks, "the|that|my *"):
		return "", false
	}
	if i, _, not := language.Find(toks, "not|instead|rather"); not && i > 0 {
		toks = toks[:i]
	}
	toks = language.TrimMarks(toks)
	if len(toks) == 0 || len(toks) > longestOther || language.Has(toks, "<aux>|?|to|i|we|you|it") || slices.ContainsFunc(toks, func(t language.Token) bool { return language.Digital(t.Norm) }) {
		return "", false
	}
	if language.Has(toks, "other") && len(language.ContentWords(language.Drop(toks, "other|one|task"))) == 0 {
		return "", true
	}
	return language.Spell(text, toks), len(language.ContentWords(toks)) > 0
}

// lastDated is the task that was given a day in this session's last change; empty: none was.
func lastDated(t *Keeper) string {
	for _, ch := range t.Situation.Changes {
		if ch.Session != t.Situation.Session {
			continue
		}
		if ch.Task() == t.lastTask() && language.Has(language.Tokenize(ch.Reason), "due") {
			return ch.Path
		}
		break
	}
	return ""
}

// RightDay gives the task to which a day was just given another one.
func RightDay(t *Keeper, day string) (interpret.Meaning, bool) {
	m := interpret.Meaning{Intent: intent.UpdateTask, Score: 1, Clause: interpret.ClauseOf(t.Text), Points: true, Righted: true, Project: refer.Reference{Empty: true}}
	m.Change.Due = day
	_, dated := language.FindDay(language.Tokenize(t.Before), t.Situation.Now)
	return m, dated && lastDated(t) != ""
}
