package record

import (
	"kist/agent/language"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// WhatIfLate answers what a delay of one task would do to the end of the project.
func (t *Keeper) WhatIfLate() bool {
	title, days := queries.Delay(language.Tokenize(t.Text))
	if title == "" || t.Here == nil {
		return false
	}
	a := t.Act(nil)
	list := a.Want("list_tasks", map[string]any{})
	a.Then = func() {
		if t.Failed(list) {
			return
		}
		found, _ := refer.Tasks(title, turn.Objects(list.Result.Result, "tasks"))
		if len(found) != 1 {
			t.notOne(found, title)
			return
		}
		res, ok := t.More("forecast", map[string]any{"task": turn.Str(found[0], "task"), "delay_days": min(days, 3650)})
		if !ok {
			return
		}
		if w := (&turn.Want{Result: res, Answered: true}); !t.Failed(w) {
			t.Say("%s", turn.Str(res.Result, "text"))
		}
	}
	return true
}

// notOne tells of a task that wasn't found, or of several.
func (t *Keeper) notOne(found []map[string]any, title string) {
	if len(found) == 0 {
		t.Say("I found no task “%s”.", title)
		return
	}
	var lines []string
	for _, f := range found[:min(len(found), 6)] {
		lines = append(lines, t.TaskLine(f))
	}
	t.Bullets("That could be:", lines)
	t.Say("Say it with more of its words.")
}
