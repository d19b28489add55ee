package batch

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/every"
	"kist/agent/offline/filter"
	"kist/agent/offline/interpret"
	"kist/agent/offline/note"
	"kist/agent/offline/record"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// Few ticks off, or opens again, the tasks that a message names by some of their words, or by their numbers in the list
// that was just told. false: it orders no such thing, or its names aren't sure.
func Few(t *record.Keeper) bool {
	few, ok := every.ReadFew(t.Text)
	if !ok {
		return false
	}
	m := interpret.Meaning{Intent: intent.CompleteTask, Score: 1, Clause: interpret.ClauseOf(t.Text), Titles: few.Names}
	m.Clause.All = m.Clause.Toks
	if few.Status == "todo" {
		m.Intent, m.Change = intent.UpdateTask, todo.Todo{Status: few.Status}
	}
	if few.Names == nil {
		return numbered(t, m, few.Status, few.Numbers)
	}
	for _, name := range few.Names {
		if len(refer.Mentioned(language.Tokenize(name), slices.Concat(t.Situation.Projects, t.Situation.Archived))) > 0 {
			return false
		}
	}
	res, ok := t.More("list_tasks", map[string]any{"everywhere": true, "status": "all"})
	if !ok {
		return true
	}
	all := turn.Objects(res.Result, "tasks")
	tasks := slices.DeleteFunc(slices.Clone(all), func(task map[string]any) bool {
		return language.In("done|cancelled", turn.Str(task, "status")) != (few.Status == "todo")
	})
	var meant []map[string]any
	for _, name := range few.Names {
		var found []map[string]any
		sure := false
		for _, among := range [][]map[string]any{here(t, tasks), tasks, here(t, all), all} { // what is so already comes last
			if found, sure = refer.Tasks(name, among); sure && len(found) > 0 {
				break
			}
		}
		switch {
		case !sure || len(found) == 0:
			return false
		case len(found) > 1 && len(few.Names) > 1:
			return false
		case len(found) > 1:
			t.AskWhichTask(m, found)
			return true
		}
		if !slices.ContainsFunc(meant, func(task map[string]any) bool { return turn.Str(task, "task") == turn.Str(found[0], "task") }) {
			meant = append(meant, found[0])
		}
	}
	do(t, m, few.Status, meant)
	return true
}

// do does it to one task, or to several as one operation.
func do(t *record.Keeper, m interpret.Meaning, status string, meant []map[string]any) {
	if len(meant) == 1 {
		t.ChangeEach(m, meant)
		return
	}
	var calls []map[string]any
	var titles []string
	for _, task := range meant {
		calls = append(calls, map[string]any{"task": turn.Str(task, "task"), "status": status})
		titles = append(titles, turn.Str(task, "title"))
	}
	change(t, every.Order{Status: status}, calls, titles, t.TaskLines(meant, nil, filter.Filter{}))
}

// here are those of some tasks that are of the project at hand.
func here(t *record.Keeper, tasks []map[string]any) []map[string]any {
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		return t.Here != nil && turn.Str(task, "project") != t.Here.Slug
	})
}

// numbered does it to tasks by their places in the list that the message before asked for.
func numbered(t *record.Keeper, m interpret.Meaning, status string, places []int) bool {
	before, ok := listBefore(t)
	switch {
	case !ok:
		return true // a call is to be answered
	case before.Clause == nil && len(places) == 1:
		return false // which one is asked, where one of them is
	case before.Clause == nil:
		t.Say("I don't see which list you count in: ask for it, and then say the numbers, or name the tasks.")
		return true
	}
	record.Narrowed(t, before, t.FilterOf(&before), false, func(place func(map[string]any) map[string]any, _ *model.Project, f filter.Filter) {
		res, ok := t.More("list_tasks", place(f.Args(t.Situation.Now)))
		if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
			return
		}
		list := slices.DeleteFunc(turn.Objects(res.Result, "tasks"), func(task map[string]any) bool { return !f.Fits(task) })
		f.Sort(list)
		list = list[:min(len(list), turn.MaxSpoken)]
		var meant []map[string]any
		for _, n := range places {
			if n > len(list) {
				t.Say("There are only %d in that list, so nothing was changed.", len(list))
				return
			}
			meant = append(meant, list[n-1])
		}
		t.Late(func() { do(t, m, status, meant) })
	})
	return true
}

// listBefore is the question for a list of tasks that the message before was; its clause is nil if
// it was none. ok is false while a call is to be answered.
func listBefore(t *record.Keeper) (m interpret.Meaning, ok bool) {
	said := t.Before
	if o, is := note.Read(said); is && o.What == note.List {
		res, ok := t.More("read_document", map[string]any{"path": o.Note, "from": 1, "lines": 1})
		if !ok {
			return m, false
		}
		if res.OK {
			said = "show me " + strings.TrimPrefix(strings.ToLower(o.To), "show me ") + " in \"" + turn.Str(res.Result, "path") + "\""
		}
	}
	if named, is := t.NamedList(said); is && named.Intent == intent.ListTasks {
		return named, true
	}
	for _, each := range t.Read(said) {
		if each.Intent == intent.ListTasks {
			return each, true
		}
	}
	return m, true
}
