package record

import (
	"slices"
	"strconv"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/field"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// What is done to the tasks that were found, or asked where several fit.

// ChangeEach does to each task what a meaning says.
func (t *Keeper) ChangeEach(m interpret.Meaning, tasks []map[string]any) {
	if m.Intent == intent.UpdateTask && m.Change.Status == "backlog" {
		tasks = withoutBoxes(t, tasks)
	}
	if len(tasks) == 0 {
		return
	}
	if m.Intent == intent.UpdateTask && m.Moved.Set() {
		var able []dated
		for _, task := range tasks {
			able = append(able, datedTask(task, m.Moved.Start))
		}
		t.moveOrAsk(m, able, true)
		return
	}
	if m.Intent == interpret.SplitTask {
		for _, task := range tasks {
			split(t, task)
		}
		return
	}
	did, ready := done(m)
	if inOneDocument(m, tasks) {
		changeTogether(t, m, tasks, did, ready)
		return
	}
	a := t.Act(nil)
	var wants []*turn.Want
	for _, task := range tasks {
		wants = append(wants, a.Want(string(m.Intent), t.changing(m, task)))
	}
	a.Then = func() {
		for i, w := range wants {
			if !t.Already(w, already(t, m, tasks[i])+alsoSaid(m.Field)) {
				t.SpeakChange(w, did, ready, t.TaskLine(tasks[i])+alsoSaid(m.Field)+turn.Str(w.Result.Result, "along"))
			}
		}
	}
}

// done says what was done by a meaning, and what is ready to be.
func done(m interpret.Meaning) (did, ready string) {
	switch to, _ := m.Project.One(); {
	case m.Intent == interpret.MoveTask:
		return "Moved to **" + to.Name + "**:", "Ready to move to **" + to.Name + "**:"
	case m.Intent == intent.UpdateTask && m.Change.Status == "todo":
		return "Open again:", "Ready to change:"
	case m.Intent == intent.UpdateTask:
		return "Changed:", "Ready to change:"
	case m.Intent == intent.DeleteTask:
		return "Deleted the task", "Ready to delete the task"
	}
	return "Done:", "Ready to mark as done:"
}

// already says of a task that it is as it is to be.
func already(t *Keeper, m interpret.Meaning, task map[string]any) string {
	if m.Change.Status == "todo" && turn.Str(task, "status") == "todo" {
		return "Open already: " + t.TaskLine(task)
	}
	if day := turn.Str(task, "done"); day != "" && turn.Str(task, "status") == "done" {
		return "Done already: “" + turn.Str(task, "title") + "”, " + t.day(day)
	}
	return "That's so already: " + t.TaskLine(task)
}

// changing are the arguments of a call that does to a task what a meaning says. The task
// is then as it would be.
func (t *Keeper) changing(m interpret.Meaning, task map[string]any) map[string]any {
	args := map[string]any{"task": turn.Str(task, "task")}
	switch to, _ := m.Project.One(); m.Intent {
	case intent.CompleteTask:
		return completing(task, t.Offering)
	case intent.DeleteTask:
		return args
	case interpret.MoveTask:
		args["project"], args["reason"] = to.Slug, turn.AsAsked(t.Offering, "move to "+to.Name+":", turn.Str(task, "title"))
		return args
	}
	if m.Field != (field.Order{}) {
		return SetField(t, m.Field, task, args)
	}
	if m.Change.Due != "" {
		m.Change.Due = newDay(m, datedTask(task, false), t.Situation.Now)
	}
	if m.Change.Title != "" {
		m.Change.Title = refer.Retitled(turn.Str(task, "title"), m.Change.Title, t.Text)
	}
	args["reason"] = t.changeOf(turn.Str(task, "title"), m.Change)
	for key, value := range map[string]string{"title": m.Change.Title, "due": m.Change.Due, "priority": m.Change.Priority, "status": m.Change.Status} {
		if value != "" {
			args[key], task[key] = value, value
		}
	}
	return args
}

// changeOf words what becomes of a task: "change the task “Ring him” to “Ring Bo”, due
// Friday 27 November 2026". It stands in the log, where "tomorrow" would soon be wrong.
func (t *Keeper) changeOf(title string, c todo.Todo) string {
	words := "change the task “" + language.Limit(language.OneLine(title), 120) + "”"
	if c.Title != "" {
		words += " to “" + language.Limit(language.OneLine(c.Title), 120) + "”"
	}
	if c.Due != "" {
		words += ", due " + language.FullDay(c.Due)
	}
	words += strings.TrimPrefix(t.TaskLine(map[string]any{"priority": c.Priority, "status": c.Status}), "“”")
	if c.Status == "todo" {
		words += ", open again"
	}
	if t.Offering {
		return words
	}
	return words + ", as you asked"
}

// AskWhichTask asks which of several tasks is meant.
func (t *Keeper) AskWhichTask(m interpret.Meaning, found []map[string]any) {
	args, names := amongTasks(found)
	to, _ := m.Project.One()
	for key, value := range map[string]string{"project": to.Slug, "intent": string(m.Intent), "due": m.Change.Due, "priority": m.Change.Priority, "status": m.Change.Status, "title": m.Change.Title, "field": m.Field.Name, "value": m.Field.Value} {
		if value != "" {
			args[key] = value
		}
	}
	if m.Field.Clear {
		args["clear"] = "yes"
	}
	if m.Moved.Set() {
		args["days"], args["months"] = strconv.Itoa(m.Moved.Days), strconv.Itoa(m.Moved.Months)
	}
	t.Choose(turn.AskAmong, args, names, nil)
}

// AmongAnswered does what was asked to the tasks that were chosen.
func (t *Keeper) AmongAnswered(q model.Question) ([]interpret.Meaning, bool) {
	chosen := refer.Pick(t.Text, q.Choices)
	declined := consent.Read(t.Text) == consent.No
	if len(chosen) == 0 && !declined {
		return nil, false
	}
	if t.Situation.Mode == "project_update" {
		t.GoOn()
	}
	if declined {
		t.Say("All right, it stays as it is.")
		return nil, true
	}
	m := interpret.Meaning{Intent: intent.Name(turn.OrWord(q.Args["intent"], string(intent.CompleteTask))), Change: todo.Todo{Title: q.Args["title"], Due: q.Args["due"], Priority: q.Args["priority"], Status: q.Args["status"]}, Field: field.Order{Name: q.Args["field"], Value: q.Args["value"], Clear: q.Args["clear"] != ""}, Clause: interpret.ClauseOf(t.Text)}
	m.Project.Found = slices.DeleteFunc(slices.Clone(t.Situation.Projects), func(p model.Project) bool { return p.Slug != q.Args["project"] }) // where it moves
	m.Moved.Days, _ = strconv.Atoi(q.Args["days"])                                                                                             // absent: it doesn't move by days
	m.Moved.Months, _ = strconv.Atoi(q.Args["months"])
	a := t.Act(nil)
	w := a.Want("list_tasks", map[string]any{"everywhere": t.Here == nil || len(m.Project.Found) > 0, "status": "all"})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		var meant []map[string]any
		for _, i := range chosen {
			if task, ok := stillThere(q, i, turn.Objects(w.Result.Result, "tasks")); ok {
				meant = append(meant, task)
			}
		}
		t.Late(func() { t.ChangeEach(m, meant) })
	}
	return nil, true
}

// untouched leaves out the tasks to which this turn does the same already.
func (t *Keeper) untouched(m interpret.Meaning, tasks []map[string]any) []map[string]any {
	var out []map[string]any
	for _, task := range tasks {
		key := string(m.Intent) + " " + turn.Str(task, "task")
		if !t.touched[key] {
			out = append(out, task)
		}
		if t.touched == nil {
			t.touched = map[string]bool{}
		}
		t.touched[key] = true
	}
	return out
}

// changeable are the tasks to which a meaning can happen.
func changeable(m interpret.Meaning, tasks []map[string]any) []map[string]any {
	if m.Clause != nil && len(m.Titles) < 2 && len(language.Listed(language.Tokenize(strings.Join(m.Titles, " ")))) < 2 {
		if whole := refer.Whole(m.Clause.Text(m.Clause.All), tasks); len(whole) > 0 {
			return slices.DeleteFunc(whole, func(task map[string]any) bool { return isOver(m, task) })
		}
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		if m.Intent == intent.DeleteTask && m.Clause != nil && refer.NthOf(m.Clause.All, turn.Str(task, "title")) {
			return true
		}
		partly := m.Intent == intent.CompleteTask && m.Clause != nil && !orders(m.Clause) && refer.Partly(m.Clause.Text(m.Clause.All), turn.Str(task, "title"))
		return partly || isOver(m, task)
	})
}

// isOver: what is to happen to a task can't any more.
func isOver(m interpret.Meaning, task map[string]any) bool {
	over := language.In("done|cancelled", turn.Str(task, "status"))
	return over && (m.Intent == intent.CompleteTask || m.Intent == intent.UpdateTask && m.Change.Status == "")
}
