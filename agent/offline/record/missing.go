package record

import (
	"strings"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

// What is said of a task that isn't there.

// missing answers what is said of a task that isn't there: what has a day or a priority is
// a new one, unless it was to move. What was only told of is news.
func (t *Keeper) missing(m interpret.Meaning) {
	if t.offLast(m) {
		return
	}
	if m.Righted {
		t.Say("I don't see which task you mean, so nothing was changed.")
		return
	}
	switch it := m.Clause != nil && language.Has(m.Clause.All, "it|this"); {
	case it && m.Change.Title != "" && m.Change.Due == "" && t.Here != nil: // no task is told of: it is the project
		t.rename(interpret.Meaning{Intent: intent.RenameProject, Score: m.Score, Clause: m.Clause, Name: language.TitleCase(m.Change.Title)})
	case m.Clause == nil || m.Points && len(m.Titles) == 0:
		t.fallback()
	case ordersChange(m.Clause) && !toldOfMove(m.Clause), m.Also && extract.Orders(t.Text):
		unknownTask(t, m.Titles)
	case setsOfOne(m):
		if one, ok := t.asNew(m); ok {
			t.addTasks(one)
		} else {
			t.fallback()
		}
	default:
		t.fallback()
	}
}

// setsOfOne: a meaning gives one thing a day or a priority, and tells no news.
func setsOfOne(m interpret.Meaning) bool {
	return m.Intent == intent.UpdateTask && !moves(m) && !m.Moved.Start && m.Told < 0.25 && len(m.Titles) == 1 && (m.Change.Due != "" || m.Change.Priority != "")
}

// ordersChange: a clause orders a change of something that is there.
func ordersChange(c *interpret.Clause) bool {
	_, _, politely := language.Find(c.All, "can|could|would|will you please? <deleteverb>|take|drop|cancel")
	return politely || language.Begins(language.SkipOpeners(c.Body), "<deleteverb>|<later>|<sooner>|<shifted>|tick|mark|check|cross|strike|bump|set|raise|lower|change|move|make|push|shift")
}

// toldOfMove: a clause says that something was moved: "moved to Sunday the 29th".
func toldOfMove(c *interpret.Clause) bool {
	toks := language.SkipOpeners(c.Body)
	return len(toks) > 0 && strings.HasSuffix(toks[0].Norm, "ed")
}

// unknownTask says that a task isn't there.
func unknownTask(t *Keeper, titles []string) {
	t.Say("I found no open task “%s”.", strings.Join(titles, "”, “"))
}

// moves: a meaning changes something that is there.
func moves(m interpret.Meaning) bool {
	return m.Moved.Set() || m.Change.Title != "" || m.Change.Status != "" || m.Clause != nil && language.Has(m.Clause.All, "<later>|<sooner>|<shifted>")
}

// asNew is a change to a task that isn't there as a task to add, if it can be one.
func (t *Keeper) asNew(m interpret.Meaning) (interpret.Meaning, bool) {
	one := todo.Todo{Title: language.Capital(m.Titles[0]), Due: m.Change.Due, Priority: m.Change.Priority}
	add := t.Filled(m.Clause, intent.AddTask, m.Score)
	if len(add.Todos) == 1 && strings.Contains(strings.ToLower(add.Todos[0].Title), strings.ToLower(m.Titles[0])) {
		one.Title = add.Todos[0].Title
	}
	_, ok := title.OfTask(one.Title)
	ok = ok && len(todo.Owed(m.Clause.Src, m.Clause.All, []todo.Todo{one}, t.Situation.Now)) > 0 && !language.Has(m.Clause.All, "not|never") // "the skip can't come until the 16th"
	return interpret.Meaning{Intent: intent.AddTask, Score: m.Score, Clause: m.Clause, Project: m.Project, Todos: []todo.Todo{one}}, ok
}
