package record

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// What words mean that only point to a task: the one that was changed or told of last.

// Pointed is what a meaning says of "it", with the task that the message before told of.
func (t *Keeper) Pointed(m interpret.Meaning) interpret.Meaning {
	if !m.Points {
		return m
	}
	m.Task = t.lastTask()
	for _, each := range t.Situation.Settled {
		if toks := language.Tokenize(each.Reason); slices.ContainsFunc(toks, func(tok language.Token) bool { return tok.Quoted }) {
			names := language.Quotations(each.Reason, toks)
			m.Titles = names[max(0, len(names)-1):] // of a new name that one
			return m
		}
	}
	said := t.Before
	if consent.Read(said) != consent.Other && len(t.Said) > 1 {
		said = t.Said[1] // a yes tells of none
	}
	for _, before := range t.Read(said) {
		if moved, ok := takeMove(&before); ok && len(moved.Titles) == 1 {
			before = moved
		}
		if interpret.OfTasks(before.Intent) || before.Intent == interpret.MoveTask {
			m.Titles = append(m.Titles, before.Titles...)
		}
		for _, item := range before.Todos {
			m.Titles = append(m.Titles, item.Title)
		}
	}
	if len(m.Titles) != 1 { // of several, it is none
		m.Titles = nil
	}
	return m
}

// AlsoMeant is what a few words without a verb say of another task behind an order: "go.
// And the budget one", "the cups as well". It is what was ordered of the one before.
func (t *Keeper) AlsoMeant() (interpret.Meaning, bool) {
	c := interpret.ClauseOf(t.Text)
	c.All = c.Toks
	if !interpret.NamesAnother(c) {
		return interpret.Meaning{}, false
	}
	for _, said := range t.Said[:min(len(t.Said), 2)] { // a yes may stand between
		for _, m := range slices.Backward(t.Read(said)) {
			if also, ok := m.OfAnother(c); ok {
				return also, true
			}
		}
		if consent.Read(said) == consent.Other {
			break
		}
	}
	return interpret.Meaning{}, false
}

// ofTaskBefore: the message before was about a task.
func (t *Keeper) ofTaskBefore() bool {
	return slices.ContainsFunc(t.Read(t.Before), func(m interpret.Meaning) bool {
		return interpret.OfTasks(m.Intent) || m.Intent == intent.AddTask || m.Intent == interpret.MoveTask
	})
}

// lastTask is the task that was changed last in this session; empty: none was.
func (t *Keeper) lastTask() string {
	for _, ch := range t.Situation.Changes {
		if task := ch.Task(); ch.Session == t.Situation.Session && task != "" {
			return task
		}
	}
	return ""
}

// TaskRenamed is what a wish for another name says of the task that the message before told
// of: right behind that, "it" is no project.
func (t *Keeper) TaskRenamed(m interpret.Meaning) []interpret.Meaning {
	if m.Intent != intent.RenameProject || len(m.Project.Found) > 0 || m.Clause == nil || m.Name == "" || language.Has(m.Clause.All, "<projectword>") || !language.Has(m.Clause.All, "it|that|this") {
		return nil
	}
	task := t.Pointed(interpret.Meaning{Intent: intent.UpdateTask, Score: m.Score, Clause: m.Clause, Points: true, Change: todo.Todo{Title: m.Name}})
	if len(task.Titles) != 1 {
		return nil
	}
	return []interpret.Meaning{task}
}

// pointedAt is the task to which the words of a meaning point.
func pointedAt(m interpret.Meaning, tasks []map[string]any) []map[string]any {
	ordered := len(m.Titles) == 0 && (m.Intent == intent.DeleteTask || m.Intent == interpret.SplitTask || m.Intent == intent.CompleteTask && orders(m.Clause))
	if m.Task == "" || !m.Righted && (!ordered || strings.Contains(m.Task, ": ")) { // a checkbox is named
		return nil
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return !isTask(task, m.Task) })
}

// isTask: a task is the one that a change was on.
func isTask(task map[string]any, on string) bool {
	ref := turn.Str(task, "task")
	note, box, ok := strings.Cut(on, ": ")
	return ref == on || ok && strings.HasPrefix(ref, note+":") && turn.Str(task, "title") == box
}
