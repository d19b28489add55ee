// Package batch does what is ordered of several tasks at once, as one operation that is shown before
// it is done: all of a kind, those that are named or numbered, to change, delete or move them.
package batch

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/every"
	"kist/agent/offline/filter"
	"kist/agent/offline/interpret"
	"kist/agent/offline/record"
	"kist/agent/offline/turn"
)

// mostAtOnce is how many tasks one order changes.
const mostAtOnce = 100

// Every does what a message orders for all tasks of a kind: as one proposal, which names them, is
// one change, and is taken back as one. false: it orders no such thing.
func Every(t *record.Keeper) bool {
	o, ok := every.Read(t.Text, t.Situation.Now)
	if !ok {
		return false
	}
	c := interpret.ClauseOf(o.Set)
	c.All, c.Body = c.Toks, c.Toks
	m := t.Filled(c, intent.ListTasks, 1)
	f := t.FilterOf(&m)
	if _, one := m.Project.One(); m.Intent != intent.ListTasks || !o.Tasks && (!one && !f.Narrows() || len(f.Loose) > 0) {
		return false
	}
	if o.Status == "todo" && len(f.Status) == 0 {
		f.Status = []string{"done", "cancelled"}
	}
	if sweeps(o) && len(f.Status) == 0 {
		f.Status = []string{"all"}
	}
	m.About = "" // in a project "all" are its own
	record.Narrowed(t, m, f, true, func(place func(map[string]any) map[string]any, in *model.Project, f filter.Filter) {
		changeAll(t, o, place, in, f)
	})
	return true
}

// changeAll changes all tasks that a filter leaves, once the user agrees.
func changeAll(t *record.Keeper, o every.Order, place func(map[string]any) map[string]any, in *model.Project, f filter.Filter) {
	if len(f.Unknown) > 0 {
		t.Say("I can't narrow tasks by “%s”, so nothing was changed.", strings.Join(f.Unknown, "”, “"))
		return
	}
	res, ok := t.More("list_tasks", place(f.Args(t.Situation.Now)))
	if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
		return
	}
	var calls []map[string]any
	var swept []map[string]any
	var titles, lines []string
	all := turn.Objects(res.Result, "tasks")
	for _, task := range all {
		title, fits := turn.Str(task, "title"), f.Fits(task)
		line := t.TaskLines([]map[string]any{task}, in, f)[0]
		if sweeps(o) && fits {
			swept = append(swept, task)
		} else if args, ok := eachOfAll(t, o, task); ok && fits {
			calls, titles = append(calls, args), append(titles, title)
		} else {
			continue
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		t.Say("There are no %s%s that this would change.", f.Head(t.Situation.Now, 0), record.WhereOf(in, f))
		return
	}
	if len(lines) > mostAtOnce || turn.Num(res.Result, "count") > len(all) {
		t.Say("That would change %d tasks or more, and I change %d at once at most: narrow it by a day, a tag, a folder or a project.", len(lines), mostAtOnce)
		return
	}
	if sweeps(o) {
		sweep(t, o, swept, lines)
		return
	}
	change(t, o, calls, titles, lines)
}

// change offers to change several tasks, as one operation.
func change(t *record.Keeper, o every.Order, calls []map[string]any, titles, lines []string) {
	what := allWords(o, turn.Plural(len(calls), "task"))
	var w *turn.Want
	t.Offer(func() {
		w = t.NewWant("change_tasks", map[string]any{"tasks": calls, "reason": what + ": " + record.SomeOf(titles)})
		t.Fetch(w)
	})
	if !w.Answered || t.Failed(w) {
		return
	}
	if record.LeftOrSo(t, w) || w.Result.Status != "proposed" {
		return
	}
	shown(t, lines)
}

// fewEnough are as many tasks as the proposal itself names.
const fewEnough = 4

// eachOfAll are the arguments that change one of them, which is then as it would be; false: it is
// so already, or lacks the day that is to move.
func eachOfAll(t *record.Keeper, o every.Order, task map[string]any) (args map[string]any, ok bool) {
	args = map[string]any{"task": turn.Str(task, "task")}
	switch {
	case sweeps(o):
	case o.Status != "":
		ok = turn.Str(task, "status") != o.Status
		args["status"], task["status"] = o.Status, o.Status
	case o.By.Set():
		to, was := record.DayMoved(interpret.Meaning{Moved: o.By}, task, t.Situation.Now)
		ok = to != "" && to != was
		args["due"], task["due"] = to, to
	default:
		key := o.Field.Name
		if key == "tag" {
			key = "title"
		}
		was := turn.Str(task, key)
		record.SetField(t, o.Field, task, args)
		ok = turn.Str(task, key) != was
		delete(args, "reason")
	}
	return args, ok
}

// allWords say what is done to so many tasks.
func allWords(o every.Order, tasks string) string {
	switch o.Status {
	case "done":
		return "mark " + tasks + " as done"
	case "cancelled":
		return "cancel " + tasks
	case "todo":
		return "reopen " + tasks
	case "in_progress":
		return "mark " + tasks + " as in progress"
	}
	if !o.By.Set() {
		return "change " + tasks + record.FieldWords(o.Field)
	}
	n, unit, where := o.By.Days, "day", " later"
	if o.By.Months != 0 {
		n, unit = o.By.Months, "month"
	}
	if n < 0 {
		n, where = -n, " earlier"
	}
	return "move " + tasks + " " + turn.Plural(n, unit) + where
}
