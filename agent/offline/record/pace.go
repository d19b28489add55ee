package record

import (
	"maps"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/field"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Pace begins a task, lays it aside, gives it up or leaves it out once, where a message names it by
// its whole title. false: it says no such thing, or no open task is called so.
func Pace(t *Keeper) bool {
	what, title, ok := field.Pace(t.Text)
	if !ok || t.Situation.Mode != "general" {
		return false
	}
	res, ok := t.More("list_tasks", map[string]any{"everywhere": true, "text": language.Limit(title, 200)})
	if !ok {
		return true
	}
	found := slices.DeleteFunc(turn.Objects(res.Result, "tasks"), func(task map[string]any) bool {
		return !refer.Called(title, turn.Str(task, "title"))
	})
	if here := slices.DeleteFunc(slices.Clone(found), func(task map[string]any) bool { return t.Here == nil || turn.Str(task, "project") != t.Here.Slug }); len(here) > 0 {
		found = here
	}
	if what == field.Skip {
		found = slices.DeleteFunc(found, func(task map[string]any) bool { return turn.Str(task, "repeat") == "" })
	}
	m := interpret.Meaning{Intent: intent.UpdateTask, Score: 1, Clause: interpret.ClauseOf(t.Text), Titles: []string{title}}
	m.Change.Status = map[string]string{field.Begin: "in_progress", field.Hold: "backlog", field.GiveUp: "cancelled"}[what]
	switch {
	case len(found) == 0:
		return false
	case len(found) > 1 && what != field.Skip:
		t.AskWhichTask(m, found)
	case len(found) > 1:
		t.Say("Several tasks are called so, so nothing was changed: name one by its line, as lists of tasks do.")
	case what == field.Skip:
		skip(t, found[0])
	default:
		t.ChangeEach(m, t.untouched(m, found))
	}
	return true
}

// withoutBoxes leaves out, of tasks that are to be laid aside, the checkboxes, and says so.
func withoutBoxes(t *Keeper, tasks []map[string]any) []map[string]any {
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		isBox := strings.Contains(turn.Str(task, "task"), ".md:")
		if isBox {
			t.Say("“%s” is a checkbox, which can be to do, in progress (`[/]`), done or cancelled (`[-]`), and not on hold: nothing was changed. Its day can move, or its date go.", turn.Str(task, "title"))
		}
		return isBox
	})
}

// skip moves the days of a recurring task to its next occurrence.
func skip(t *Keeper, task map[string]any) {
	next, _ := task["next"].(map[string]any)
	day := turn.OrWord(turn.OrWord(turn.Str(next, "due"), turn.Str(next, "scheduled")), turn.Str(next, "start"))
	if day == "" {
		t.Say("I can't tell when “%s” comes next (%s), so nothing was changed.", turn.Str(task, "title"), turn.Str(task, "repeat"))
		return
	}
	args := map[string]any{"task": turn.Str(task, "task"), "reason": "leave “" + language.Limit(turn.Str(task, "title"), 120) + "” out once: the next one is on " + language.FullDay(day) + ", as you asked"}
	maps.Copy(args, next)
	a := t.Act(nil)
	w := a.Want("update_task", args)
	a.Then = func() {
		line := turn.TodoLine(todo.Todo{Title: turn.Str(task, "title"), Due: day})
		t.SpeakChange(w, "Left out once:", "I'd leave it out once:", t.TaskLine(line))
	}
}
