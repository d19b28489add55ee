package record

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// ChangeKnown does the first of several meanings that is about tasks which are there,
// and otherwise what is given.
func (t *Keeper) ChangeKnown(meant []interpret.Meaning, otherwise func()) {
	if len(meant) == 0 {
		otherwise()
		return
	}
	a := t.Act(nil)
	args := map[string]any{"status": "all"}
	if t.Here == nil {
		args["everywhere"] = true
	}
	w := a.Want("list_tasks", args)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		for _, m := range meant {
			done, ok := false, true
			if m.Intent == intent.ForgetMemory {
				var fit []map[string]any
				if fit, ok = t.memoriesAbout(m, true); ok && len(fit) == 1 {
					t.doMemory(m, fit[0])
					done = true
				}
			} else {
				done, ok = t.changeNamed(m, args, turn.Objects(w.Result.Result, "tasks"))
			}
			if done || !ok {
				return
			}
		}
		t.Late(otherwise)
	}
}

// changeNamed changes the tasks that a meaning names. done is false where none of them
// is there, ok while a call is still to be answered.
func (t *Keeper) changeNamed(m interpret.Meaning, args map[string]any, here []map[string]any) (done, ok bool) {
	here = changeable(m, here)
	var sure, near []map[string]any
	var unknown []string
	for _, title := range eachOf(m, here) {
		found, certain, ok := t.meantBy(m, title, args, here)
		switch {
		case !ok:
			return false, false
		case m.Intent == interpret.MoveTask && !certain:
		case len(found) == 0:
			unknown = append(unknown, title)
		case len(found) > 1:
			t.askWhichTask(m, found)
			done = true
		case certain && !t.Offering && !tells(m):
			sure = append(sure, found[0])
		default:
			near = append(near, found[0])
		}
	}
	if last := pointedAt(m, here); len(last) > 0 && len(sure) != 1 { // the words point, and to no other
		sure, near = last, nil
	}
	if done = done || len(sure)+len(near) > 0; done && len(unknown) > 0 && (m.Intent == intent.DeleteTask || orders(m.Clause)) {
		unknownTask(t, unknown)
	}
	if m.Intent == interpret.SplitTask { // never without a go
		sure, near = nil, slices.Concat(sure, near)
	}
	sure, near = t.untouched(m, sure), t.untouched(m, near)
	t.Late(func() { t.changeEach(m, sure) })
	if len(near) > 0 {
		t.Offer(func() { t.changeEach(m, near) })
	}
	return done, true
}

// tells: it is rather news from which a change of a task follows than an order to change it.
func tells(m interpret.Meaning) bool {
	return m.Intent == intent.UpdateTask && m.Told > interpret.Likely
}

// meantBy finds the tasks that words of a meaning mean, which may stand all around them:
// "the journal checks them itself, so drop that". An order to tick something off needs no
// more than the one task that it can be.
func (t *Keeper) meantBy(m interpret.Meaning, title string, args map[string]any, here []map[string]any) (found []map[string]any, sure, ok bool) {
	found, sure, ok = t.tasksCalled(m, title, args, here)
	if ok && len(found) == 0 && len(m.Titles) == 1 && m.Intent != interpret.MoveTask && m.Clause != nil && m.Change.Title == "" {
		if !tells(m) { // what news changes it names
			found, sure = refer.LikeliestTask(refer.TaskWords(m.Clause.Text(m.Clause.All)), here), false
		}
		if before := m.Clause.Before(); len(found) == 0 && before != "" && (title == before || interpret.Pointing(title)) {
			found = refer.OnlyTask(before, here)
		}
	}
	return found, sure || m.Intent == intent.CompleteTask && orders(m.Clause), ok
}

// pointedAt is the task to which the words of a meaning point.
func pointedAt(m interpret.Meaning, tasks []map[string]any) []map[string]any {
	ordered := len(m.Titles) == 0 && (m.Intent == intent.DeleteTask || m.Intent == interpret.SplitTask || m.Intent == intent.CompleteTask && orders(m.Clause))
	if m.Task == "" || !m.Righted && !ordered {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return turn.Str(task, "task") != m.Task })
}

// orders: a clause says to tick something off, rather than that it is done.
func orders(c *interpret.Clause) bool {
	if c == nil {
		return false
	}
	_, _, both := language.Find(c.All, "those|these|the|them|my <taskword> are|is <doneword>")
	return both || language.Begins(c.Body, "<ticking>", "you can|may|could <ticking>", "can|could|would|will you <ticking>")
}

// eachOf are the titles, each of several things that were named in one go by itself: "the
// form and the cups aren't tasks" are two where each is a task.
func eachOf(m interpret.Meaning, tasks []map[string]any) []string {
	var out []string
	titles := m.Titles
	if m.Clause != nil && len(m.Clause.All) > 0 {
		titles = refer.Spelt(titles, m.Clause.Text(m.Clause.All), tasks)
	}
	for _, title := range titles {
		if slices.ContainsFunc(tasks, func(task map[string]any) bool { return strings.EqualFold(turn.Str(task, "title"), title) }) {
			out = append(out, title)
			continue
		}
		toks := language.SkipOpeners(language.Tokenize(title))
		if i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.Class("<aux>", t.Norm) }); i > 0 {
			toks = toks[:i]
		}
		var parts []string
		named := map[string]bool{}
		for i, part := range language.Listed(toks) {
			if i == 0 && len(part) == 1 && language.Class("<mend>", part[0].Norm) {
				continue // "no, the form and the cups"
			}
			parts = append(parts, language.Spell(title, part))
			if found, sure := refer.Tasks(parts[len(parts)-1], tasks); sure && len(found) == 1 {
				named[turn.Str(found[0], "task")] = true
			}
		}
		if len(parts) < 2 || len(named) < len(parts) {
			parts = []string{title}
		}
		out = append(out, parts...)
	}
	return out
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
	return slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		over := language.In("done|cancelled", turn.Str(task, "status"))
		return over && (m.Intent == intent.CompleteTask || m.Intent == intent.UpdateTask && m.Change.Status == "")
	})
}

// tasksCalled finds tasks in the project at hand, or else, without doubt, anywhere. ok is false while a
// call is still to be answered.
func (t *Keeper) tasksCalled(m interpret.Meaning, title string, args map[string]any, here []map[string]any) (found []map[string]any, sure, ok bool) {
	found, sure = refer.Tasks(title, here)
	if len(found) == 0 && len(here) >= wholeList {
		if here, ok = tasksWith(t, m, title, args); !ok {
			return nil, false, false
		}
		found, sure = refer.Tasks(title, here)
	}
	if len(found) > 0 || args["everywhere"] != nil {
		return found, sure, true
	}
	wider := maps.Clone(args)
	wider["everywhere"] = true
	res, ok := t.More("list_tasks", wider)
	if !ok {
		return nil, false, false
	}
	return refer.TasksElsewhere(title, changeable(m, turn.Objects(res.Result, "tasks")), here), true, true
}

// wholeList is how many tasks list_tasks tells of at once.
const wholeList = 300

// tasksWith lists the tasks that have the longest word of a title in theirs, where there
// are too many to be looked through.
func tasksWith(t *Keeper, m interpret.Meaning, title string, args map[string]any) ([]map[string]any, bool) {
	longest := ""
	for _, w := range language.ContentWords(language.Tokenize(title)) {
		if len(w) > len(longest) {
			longest = w
		}
	}
	if longest == "" {
		return nil, true
	}
	narrow := maps.Clone(args)
	narrow["text"] = longest
	res, ok := t.More("list_tasks", narrow)
	if !ok {
		return nil, false
	}
	return changeable(m, turn.Objects(res.Result, "tasks")), true
}

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
		if ch.Session == t.Situation.Session && strings.Contains(ch.Path, "/tasks/") {
			return ch.Path
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

// missing answers what is said of a task that isn't there: what has a day or a priority is
// a new one, unless it was to move. What was only told of is news.
func (t *Keeper) missing(m interpret.Meaning) {
	if m.Righted {
		t.Say("I don't see which task you mean, so nothing was changed.")
		return
	}
	switch it := m.Clause != nil && language.Has(m.Clause.All, "it|this"); {
	case it && m.Change.Title != "" && m.Change.Due == "" && t.Here != nil: // no task is told of: it is the project
		t.rename(interpret.Meaning{Intent: intent.RenameProject, Score: m.Score, Clause: m.Clause, Name: language.TitleCase(m.Change.Title)})
	case m.Clause == nil || m.Points && len(m.Titles) == 0:
		t.fallback()
	case ordersChange(m.Clause):
		unknownTask(t, m.Titles)
	case m.Intent == intent.UpdateTask && !moves(m) && m.Told < 0.25 && len(m.Titles) == 1 && !language.Has(m.Clause.All, "not|never") && (m.Change.Due != "" || m.Change.Priority != ""):
		if one, ok := t.asNew(m); ok {
			t.addTasks(one)
		} else {
			t.fallback()
		}
	case m.Also || language.Begins(language.SkipOpeners(m.Clause.Body), "<verb>"):
		unknownTask(t, m.Titles)
	default:
		t.fallback()
	}
}

// ordersChange: a clause orders a change of something that is there.
func ordersChange(c *interpret.Clause) bool {
	return language.Begins(language.SkipOpeners(c.Body), "<deleteverb>|<later>|<sooner>|<shifted>|tick|mark|check|cross|strike|bump|set|raise|lower|change|move|make|push|shift")
}

// unknownTask says that a task isn't there.
func unknownTask(t *Keeper, titles []string) {
	t.Say("I found no open task “%s”.", strings.Join(titles, "”, “"))
	if len(titles) == 1 {
		t.Late(func() { t.find(lookedFor(interpret.Meaning{Clause: interpret.ClauseOf(titles[0])}), func() {}) })
	}
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
	return interpret.Meaning{Intent: intent.AddTask, Score: m.Score, Clause: m.Clause, Project: m.Project, Todos: []todo.Todo{one}}, ok
}

// changeEach does to each task what a meaning says.
func (t *Keeper) changeEach(m interpret.Meaning, tasks []map[string]any) {
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
	a := t.Act(nil)
	var wants []*turn.Want
	for _, task := range tasks {
		wants = append(wants, a.Want(string(m.Intent), t.changing(m, task)))
	}
	a.Then = func() {
		did, ready := "Done:", "Ready to mark as done:"
		switch to, _ := m.Project.One(); m.Intent {
		case interpret.MoveTask:
			did, ready = "Moved to **"+to.Name+"**:", "Ready to move to **"+to.Name+"**:"
		case intent.UpdateTask:
			did, ready = "Changed:", "Ready to change:"
			if m.Change.Status == "todo" {
				did = "Open again:"
			}
		case intent.DeleteTask:
			did, ready = "Deleted the task", "Ready to delete the task"
		}
		for i, w := range wants {
			t.SpeakChange(w, did, ready, t.TaskLine(tasks[i]))
		}
	}
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
	if m.Change.Due != "" {
		m.Change.Due = newDay(m, datedTask(task, false), t.Situation.Now)
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

// askWhichTask asks which of several tasks is meant.
func (t *Keeper) askWhichTask(m interpret.Meaning, found []map[string]any) {
	args, names := amongTasks(found)
	to, _ := m.Project.One()
	for key, value := range map[string]string{"project": to.Slug, "intent": string(m.Intent), "due": m.Change.Due, "priority": m.Change.Priority, "status": m.Change.Status, "title": m.Change.Title} {
		if value != "" {
			args[key] = value
		}
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
	m := interpret.Meaning{Intent: intent.Name(turn.OrWord(q.Args["intent"], string(intent.CompleteTask))), Change: todo.Todo{Title: q.Args["title"], Due: q.Args["due"], Priority: q.Args["priority"], Status: q.Args["status"]}, Clause: interpret.ClauseOf(t.Text)}
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
		t.Late(func() { t.changeEach(m, meant) })
	}
	return nil, true
}

// MovedAway takes from a meaning that it may move a task, and is that where the task is named, or
// the message before told of it.
func (t *Keeper) MovedAway(m *interpret.Meaning) (interpret.Meaning, bool) {
	moved, ok := takeMove(m)
	if !ok {
		return interpret.Meaning{}, false
	}
	if moved = t.Pointed(moved); moved.Points && len(moved.Titles) == 0 && consent.Read(t.Before) == consent.Other && t.Before != "" {
		moved.Titles = []string{t.Before} // which told of no task
	}
	return moved, len(moved.Titles) == 1
}

// takeMove takes from a meaning that it may move a task.
func takeMove(m *interpret.Meaning) (interpret.Meaning, bool) {
	if len(m.Known) == 0 || m.Known[0].Intent != interpret.MoveTask {
		return interpret.Meaning{}, false
	}
	moved := m.Known[0]
	m.Known = m.Known[1:]
	return moved, true
}
