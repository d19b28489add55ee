package offline

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
)

// changeKnown does the first of several meanings that is about tasks which are there,
// and otherwise what is given.
func (t *talk) changeKnown(meant []meaning, otherwise func()) {
	if len(meant) == 0 {
		otherwise()
		return
	}
	a := t.act(nil)
	args := map[string]any{"status": "all"}
	if t.here == nil {
		args["everywhere"] = true
	}
	w := a.want(t, "list_tasks", args)
	a.then = func() {
		if t.failed(w) {
			return
		}
		for _, m := range meant {
			done, ok := false, true
			if m.intent == intent.ForgetMemory {
				var fit []map[string]any
				if fit, ok = t.memoriesAbout(m, true); ok && len(fit) == 1 {
					t.doMemory(m, fit[0])
					done = true
				}
			} else {
				done, ok = t.changeNamed(m, args, objects(w.res.Result, "tasks"))
			}
			if done || !ok {
				return
			}
		}
		t.late(otherwise)
	}
}

// changeNamed changes the tasks that a meaning names. done is false where none of them
// is there, ok while a call is still to be answered.
func (t *talk) changeNamed(m meaning, args map[string]any, here []map[string]any) (done, ok bool) {
	here = changeable(m, here)
	var sure, near []map[string]any
	for _, title := range m.titles {
		found, certain, ok := t.tasksCalled(m, title, args, here)
		switch {
		case !ok:
			return false, false
		case m.intent == moveTask && !certain:
			continue
		case len(found) == 0 && len(m.titles) == 1 && m.clause != nil && m.change.title == "":
			// What was said of it may stand all around: "the journal checks them itself, so drop that".
			found, certain = refer.LikeliestTask(refer.TaskWords(m.clause.text(m.clause.all)), here), false
			if before := m.clause.before(); len(found) == 0 && before != "" && pointing(title) {
				found = refer.LikeliestTask(refer.TaskWords(before), here)
			}
		}
		switch {
		case len(found) == 0:
		case len(found) > 1:
			askWhichTask(t, m, found)
			done = true
		case certain && !t.offering:
			sure = append(sure, found[0])
		default:
			near = append(near, found[0])
		}
	}
	done = done || len(sure)+len(near) > 0
	sure, near = t.untouched(m, sure), t.untouched(m, near)
	t.late(func() { t.changeEach(m, sure) })
	if len(near) > 0 {
		t.offer(func() { t.changeEach(m, near) })
	}
	return done, true
}

// untouched leaves out the tasks to which this turn does the same already.
func (t *talk) untouched(m meaning, tasks []map[string]any) []map[string]any {
	var out []map[string]any
	for _, task := range tasks {
		key := string(m.intent) + " " + str(task, "task")
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
func changeable(m meaning, tasks []map[string]any) []map[string]any {
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		over := language.In("done|cancelled", str(task, "status"))
		return over && (m.intent == intent.CompleteTask || m.intent == intent.UpdateTask && m.change.status == "")
	})
}

// tasksCalled finds tasks in the project at hand, or else anywhere. ok is false while a
// call is still to be answered.
func (t *talk) tasksCalled(m meaning, title string, args map[string]any, here []map[string]any) (found []map[string]any, sure, ok bool) {
	found, sure = refer.Tasks(title, here)
	if len(found) > 0 || args["everywhere"] != nil {
		return found, sure, true
	}
	wider := maps.Clone(args)
	wider["everywhere"] = true
	res, ok := t.more("list_tasks", wider)
	if !ok {
		return nil, false, false
	}
	if found, sure = refer.Tasks(title, changeable(m, objects(res.Result, "tasks"))); !sure {
		found = nil // elsewhere, only what leaves no doubt
	}
	return found, sure, true
}

// pointed is what a meaning says of "it", with the task that the message before told of.
func pointed(t *talk, m meaning) meaning {
	if !m.points {
		return m
	}
	for _, each := range t.sit.Settled {
		if toks := language.Tokenize(each.Reason); slices.ContainsFunc(toks, func(tok language.Token) bool { return tok.Quoted }) {
			m.titles = quotedIn(&clause{src: each.Reason, all: toks})
			return m
		}
	}
	said := t.before
	if consent.Read(said) != consent.Other && len(t.said) > 1 {
		said = t.said[1] // a yes tells of none
	}
	for _, before := range t.read(said) {
		if moved, ok := movedAway(nil, &before); ok {
			before = moved
		}
		if ofTasks(before.intent) || before.intent == moveTask {
			m.titles = append(m.titles, before.titles...)
		}
		for _, item := range before.todos {
			m.titles = append(m.titles, item.title)
		}
	}
	if len(m.titles) != 1 { // of several, it is none
		m.titles = nil
	}
	return m
}

// missing answers what is said of a task that isn't there: what has a day or a priority is
// a new one, unless it was to move. What was only told of is news.
func (t *talk) missing(m meaning) {
	moves := m.moved.set() || m.change.title != "" || m.change.status != "" || m.clause != nil && language.Has(m.clause.all, "<later>|<sooner>|<shifted>")
	switch {
	case m.clause == nil || m.points && len(m.titles) == 0:
		t.fallback()
	case m.intent == intent.UpdateTask && !moves && m.told < 0.25 && len(m.titles) == 1 && (m.change.due != "" || m.change.priority != ""):
		t.addTasks(t.asNew(m))
	case !language.Begins(language.SkipOpeners(m.clause.body), "<verb>|<deleteverb>|<later>|<sooner>|<shifted>|tick|mark|check|cross|strike|bump|set|raise|lower"):
		t.fallback()
	default:
		t.say("I found no open task “%s”.", strings.Join(m.titles, "”, “"))
	}
}

// asNew is a change to a task that isn't there as a task to add.
func (t *talk) asNew(m meaning) meaning {
	one := todo{title: language.Capital(m.titles[0]), due: m.change.due, priority: m.change.priority}
	add := t.filled(m.clause, intent.AddTask, m.score)
	if len(add.todos) == 1 && strings.Contains(strings.ToLower(add.todos[0].title), strings.ToLower(m.titles[0])) {
		one.title = add.todos[0].title
	}
	return meaning{intent: intent.AddTask, score: m.score, clause: m.clause, project: m.project, todos: []todo{one}}
}

// changeEach does to each task what a meaning says.
func (t *talk) changeEach(m meaning, tasks []map[string]any) {
	if len(tasks) == 0 {
		return
	}
	if m.intent == intent.UpdateTask && m.moved.set() {
		var able []dated
		for _, task := range tasks {
			able = append(able, datedTask(task, m.moved.start))
		}
		t.moveOrAsk(m, able, true)
		return
	}
	a := t.act(nil)
	var wants []*want
	for _, task := range tasks {
		wants = append(wants, a.want(t, string(m.intent), t.changing(m, task)))
	}
	a.then = func() {
		did, ready := "Done:", "Ready to mark as done:"
		switch to, _ := m.project.One(); m.intent {
		case moveTask:
			did, ready = "Moved to **"+to.Name+"**:", "Ready to move to **"+to.Name+"**:"
		case intent.UpdateTask:
			did, ready = "Changed:", "Ready to change:"
		case intent.DeleteTask:
			did, ready = "Deleted the task", "Ready to delete the task"
		}
		for i, w := range wants {
			t.speakChange(w, did, ready, t.taskLine(tasks[i]))
		}
	}
}

// changing are the arguments of a call that does to a task what a meaning says. The task
// is then as it would be.
func (t *talk) changing(m meaning, task map[string]any) map[string]any {
	args := map[string]any{"task": str(task, "task")}
	switch to, _ := m.project.One(); m.intent {
	case intent.CompleteTask:
		return completing(task, t.offering)
	case intent.DeleteTask:
		return args
	case moveTask:
		args["project"], args["reason"] = to.Slug, asAsked(t.offering, "move to "+to.Name+":", str(task, "title"))
		return args
	}
	args["reason"] = asAsked(t.offering, "change the task", str(task, "title"))
	for key, value := range map[string]string{"title": m.change.title, "due": m.change.due, "priority": m.change.priority, "status": m.change.status} {
		if value != "" {
			args[key], task[key] = value, value
		}
	}
	if t.offering {
		args["reason"] = "change the task " + t.taskLine(task)
	}
	return args
}

// askWhichTask asks which of several tasks is meant.
func askWhichTask(t *talk, m meaning, found []map[string]any) {
	args, names := amongTasks(found)
	to, _ := m.project.One()
	for key, value := range map[string]string{"project": to.Slug, "intent": string(m.intent), "due": m.change.due, "priority": m.change.priority, "status": m.change.status, "title": m.change.title} {
		if value != "" {
			args[key] = value
		}
	}
	if m.moved.set() {
		args["days"], args["months"] = strconv.Itoa(m.moved.days), strconv.Itoa(m.moved.months)
	}
	t.choose(askAmong, args, names, nil)
}

// amongAnswered does what was asked to the tasks that were chosen.
func amongAnswered(t *talk, q model.Question) ([]meaning, bool) {
	chosen := refer.Pick(t.text, q.Choices)
	declined := consent.Read(t.text) == consent.No
	if len(chosen) == 0 && !declined {
		return nil, false
	}
	if t.sit.Mode == "project_update" {
		t.goOn()
	}
	if declined {
		t.say("All right, it stays as it is.")
		return nil, true
	}
	m := meaning{intent: intent.Name(orWord(q.Args["intent"], string(intent.CompleteTask))), change: todo{title: q.Args["title"], due: q.Args["due"], priority: q.Args["priority"], status: q.Args["status"]}, clause: clauseOf(t.text)}
	m.project.Found = slices.DeleteFunc(slices.Clone(t.sit.Projects), func(p model.Project) bool { return p.Slug != q.Args["project"] }) // where it moves
	m.moved.days, _ = strconv.Atoi(q.Args["days"])                                                                                       // absent: it doesn't move by days
	m.moved.months, _ = strconv.Atoi(q.Args["months"])
	a := t.act(nil)
	w := a.want(t, "list_tasks", map[string]any{"everywhere": t.here == nil || len(m.project.Found) > 0, "status": "all"})
	a.then = func() {
		if t.failed(w) {
			return
		}
		var meant []map[string]any
		for _, i := range chosen {
			if task, ok := stillThere(q, i, objects(w.res.Result, "tasks")); ok {
				meant = append(meant, task)
			}
		}
		t.late(func() { t.changeEach(m, meant) })
	}
	return nil, true
}

// movedAway takes from a meaning that it may move a task, and is that where the task is named or,
// with a talk, the message before told of it.
func movedAway(t *talk, m *meaning) (meaning, bool) {
	if len(m.known) == 0 || m.known[0].intent != moveTask {
		return meaning{}, false
	}
	moved := m.known[0]
	m.known = m.known[1:]
	if t != nil {
		moved = pointed(t, moved)
	}
	return moved, len(moved.titles) == 1
}
