package record

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/deadline"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Whether what has a day is there or new is decided in one place: by what the tasks at hand
// are about, whatever a sentence sounds like.

// Dates gives the tasks that are there the days which a clause tells of what they are about;
// what else it tells of is done otherwise.
func Dates(t *Keeper, m interpret.Meaning, otherwise func(interpret.Meaning)) {
	things := datedIn(t, m)
	if len(things) == 0 {
		otherwise(m)
		return
	}
	args := map[string]any{}
	if p, ok := m.Project.One(); ok && (t.Here == nil || t.Here.Slug != p.Slug) {
		args["project"] = p.Slug
	} else if t.Here == nil {
		args["everywhere"] = true
	}
	a := t.Act(nil)
	w := a.Want("list_tasks", args)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		left := date(t, m, things, turn.Objects(w.Result.Result, "tasks"))
		switch {
		case len(left) == len(things):
			t.Late(func() { otherwise(m) })
		case len(left)+len(m.Todos) > 0:
			if rest := remaining(m, things, left); len(rest.Todos) > 0 {
				t.Late(func() { t.addTasks(rest) })
			}
		}
	}
}

// datedIn are the things to which a clause gives a day.
func datedIn(t *Keeper, m interpret.Meaning) (things []deadline.Thing) {
	if c := m.Clause; c == nil || len(c.All) == 0 || !c.Stands() || t.IsNew || m.Righted || m.Moved.Set() || m.Moved.Start || language.Begins(language.SkipOpeners(c.All), "please? <addverb>|<taskword>", "please? remind me") {
		return nil
	}
	things = deadline.Read(m.Clause.Src, m.Clause.All, t.Situation.Now)
	due := m.Change.Due
	switch {
	case m.Intent == intent.AddTask && len(things) == 0:
		for _, one := range m.Todos {
			things = append(things, deadline.Of(one)...)
		}
	case due != "" && !slices.ContainsFunc(things, func(thing deadline.Thing) bool { return thing.Day == due }):
		return nil // it is another day by now
	}
	return things
}

// date gives each of the things that are there its day, and returns the others.
func date(t *Keeper, m interpret.Meaning, things []deadline.Thing, tasks []map[string]any) (left []deadline.Thing) {
	for _, thing := range things {
		one := interpret.Meaning{Intent: intent.UpdateTask, Score: m.Score, Clause: m.Clause, Change: todo.Todo{Due: thing.Day}, DayAlone: thing.Alone}
		found := refer.Dated(thing.Name, thing.Does, tasks)
		if len(found) == 0 {
			left = append(left, thing)
			continue
		}
		var able []dated
		for _, task := range t.untouched(one, found) {
			able = append(able, datedTask(task, false))
		}
		if len(able) > 0 {
			t.moveOrAsk(one, able, true)
		}
	}
	return left
}

// remaining is what a meaning tells to do beside the things that were there.
func remaining(m interpret.Meaning, things, left []deadline.Thing) interpret.Meaning {
	todos := m.Todos
	m.Intent, m.Todos = intent.AddTask, nil
	about := func(title string) bool {
		words := language.ContentWords(language.Tokenize(title))
		return slices.ContainsFunc(things, func(thing deadline.Thing) bool {
			return language.Covers(words, language.ContentWords(language.Tokenize(thing.Name)))
		})
	}
	for _, one := range todos {
		if !about(one.Title) {
			m.Todos = append(m.Todos, one)
		}
	}
	for _, thing := range left {
		m.Todos = append(m.Todos, todo.Todo{Title: thing.Title, Due: thing.Day})
	}
	return m
}

// remembered is how many messages back a day may have been named that another is counted from.
const remembered = 4

// counted gives a thing to do the day that is counted from another, which was named before:
// "remind me the day before". Where none was, it says so.
func counted(t *Keeper, m interpret.Meaning) interpret.Meaning {
	if m.Clause == nil || len(m.Todos) != 1 || m.Todos[0].Due != "" || len(m.Clause.All) == 0 {
		return m
	}
	gap, ok := deadline.Against(m.Clause.All)
	if !ok {
		return m
	}
	one := m.Todos[0]
	if toks := language.Tokenize(one.Title); len(toks) > 0 {
		if in, ok := deadline.Against(toks); ok {
			one.Title = language.Spell(one.Title, language.Cut(toks, in.From, in.To))
		}
	}
	for _, said := range append([]string{m.Clause.Src[:m.Clause.All[0].Start]}, t.Said[:min(len(t.Said), remembered)]...) {
		if day, ok := gap.Day(said, t.Situation.Now); ok {
			one.Due = day
			m.Todos = []todo.Todo{one}
			return m
		}
	}
	t.Say("I don't see from which day to count, so it has no date: say it like “by 7 December”.")
	return m
}
