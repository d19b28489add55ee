package record

import (
	"maps"
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/filter"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// Which tasks the words of a message mean.

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
	} else if slug := tickedElsewhere(t, meant[0].Clause); slug != "" {
		args["project"] = slug
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
			} else if tasks := turn.Objects(w.Result.Result, "tasks"); changeByRef(t, m, tasks) {
				done = true
			} else {
				done, ok = t.changeNamed(m, args, tasks)
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
	if m.Intent == intent.CompleteTask && !t.Offering && !saysDone(m.Clause) {
		return false, true
	}
	if m.Intent == intent.DeleteTask && m.Clause != nil && language.Begins(m.Clause.Body, "cancel|abandon", "call off", "storniere") {
		m.Intent, m.Change.Status = intent.UpdateTask, "cancelled" // its line stays
	}
	all := here
	t.more = len(all) >= wholeList
	here = changeable(m, here)
	if n := nthOf(m); n > 0 {
		return changeNth(t, m, n, here), true
	}
	sure, near, unknown, done, ok := t.namedBy(m, args, here)
	if !ok {
		return false, false
	}
	if last := pointedAt(m, here); len(last) > 0 && len(sure) != 1 { // the words point, and to no other
		sure, near = last, nil
	}
	if done = done || len(sure)+len(near) > 0; done && len(unknown) > 0 && (m.Intent == intent.DeleteTask || orders(m.Clause)) {
		unknownTask(t, unknown)
	}
	if !done && overAlready(t, m, unknown, all) {
		return true, true
	}
	if m.Intent == interpret.SplitTask { // never without a go
		sure, near = nil, slices.Concat(sure, near)
	}
	m, sure, near = givenUp(m, sure, near)
	sure, near = t.untouched(m, sure), t.untouched(m, near)
	t.Late(func() { t.ChangeEach(m, sure) })
	if len(near) > 0 {
		t.Offer(func() { t.ChangeEach(m, near) })
	}
	return done, true
}

// changeByRef changes the task that a message names as lists do. false: it names none so.
func changeByRef(t *Keeper, m interpret.Meaning, tasks []map[string]any) bool {
	task := refer.ByRef(t.Text, tasks)
	if task == nil || len(m.Titles) > 1 || m.Moved.Set() {
		return false
	}
	t.Late(func() { t.ChangeEach(m, t.untouched(m, []map[string]any{task})) })
	return true
}

// overAlready says of tasks that are to be ticked off, and were, that they are. false: they aren't
// there either.
func overAlready(t *Keeper, m interpret.Meaning, titles []string, tasks []map[string]any) bool {
	if m.Intent != intent.CompleteTask || !orders(m.Clause) || t.Offering {
		return false
	}
	over := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return turn.Str(task, "status") != "done" })
	var all []map[string]any
	for _, title := range titles {
		found, sure := refer.Tasks(title, over)
		if len(found) != 1 || !sure {
			return false
		}
		all = append(all, found[0])
	}
	t.Late(func() { t.ChangeEach(m, all) })
	return len(all) > 0
}

// namedBy are the tasks that the titles of a meaning name: for sure, nearly, and the titles of which
// none does. asked: which of several is meant is asked about.
func (t *Keeper) namedBy(m interpret.Meaning, args map[string]any, here []map[string]any) (sure, near []map[string]any, unknown []string, asked, ok bool) {
	for _, title := range eachOf(m, here) {
		found, certain, ok := t.meantBy(m, title, args, here)
		switch {
		case !ok:
			return nil, nil, nil, false, false
		case m.Intent == interpret.MoveTask && !certain:
		case len(found) == 0:
			unknown = append(unknown, title)
		case len(found) > 1:
			t.AskWhichTask(m, found)
			asked = true
		case certain && !t.Offering && !tells(m):
			sure = append(sure, found[0])
		case m.Intent == intent.CompleteTask && !t.Offering: // nothing is ticked on a guess, nor asked about
			unknown = append(unknown, title)
		default:
			near = append(near, found[0])
		}
	}
	return sure, near, unknown, asked, true
}

// givenUp offers for deletion the tasks that a meaning takes for done and its clause says were given
// up, where that isn't what they ask for: "we've dropped the raffle", "the raffle is off".
func givenUp(m interpret.Meaning, sure, near []map[string]any) (interpret.Meaning, []map[string]any, []map[string]any) {
	if m.Intent != intent.CompleteTask || m.Clause == nil || orders(m.Clause) {
		return m, sure, near
	}
	if _, n, off := language.Find(m.Clause.All, "<aux> off"); (!off || n < len(m.Clause.All)) && !language.Has(m.Clause.All, "<gone>") {
		return m, sure, near
	}
	given := slices.DeleteFunc(slices.Concat(sure, near), func(task map[string]any) bool {
		done, _, _ := refer.Finished(m.Clause.Text(m.Clause.All), []map[string]any{task})
		return len(done) > 0
	})
	if len(given) > 0 {
		m.Intent, sure, near = intent.DeleteTask, nil, given
	}
	return m, sure, near
}

// saysDone: a clause orders something to be ticked off, or has a word for its being done. A thing
// that is only named isn't.
func saysDone(c *interpret.Clause) bool {
	return c == nil || orders(c) || c.Happened() > 0 || language.Has(c.All, "<doneword>|<ticking>|<finishverb>") || refer.MayFinish(c.All) || language.Has(c.All, "up|in|there|here|over|ready|off|away|back|through|gone|behind|erledigt|fertig")
}

// nthOf is the place in a list by which alone a meaning names its task; 0: it doesn't.
func nthOf(m interpret.Meaning) int {
	if m.Clause == nil || len(m.Titles) > 1 || len(m.Titles) == 1 && len(language.Tokenize(m.Titles[0])) > 2 {
		return 0
	}
	return refer.Nth(m.Clause.All)
}

// changeNth changes one of the tasks by its place in the list that was just shown; where none was,
// it asks which.
func changeNth(t *Keeper, m interpret.Meaning, n int, open []map[string]any) bool {
	listed := slices.ContainsFunc(t.Read(t.Before), func(before interpret.Meaning) bool {
		f := t.FilterOf(&before)
		return before.Intent == intent.ListTasks && before.Project.Empty && f.Limit == 0 && len(f.Loose)+len(f.Unknown) == 0 && f.Head(t.Situation.Now, 2) == (filter.Filter{}).Head(t.Situation.Now, 2)
	})
	switch {
	case listed && n <= len(open):
		t.Late(func() { t.ChangeEach(m, t.untouched(m, open[n-1:n])) })
	case !listed && len(open) > 1:
		t.AskWhichTask(m, open)
	default:
		return false
	}
	return true
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
		if m.Intent != intent.UpdateTask || ordersChange(m.Clause) { // what news changes it names
			found, sure = refer.LikeliestTask(refer.TaskWords(m.Clause.Text(m.Clause.All)), here), false
		}
		if len(found) == 0 && ticksIt(m.Clause) {
			found = refer.OnlyAbout(m.Clause.Text(m.Clause.All), here)
		}
		if before := m.Clause.Before(); len(found) == 0 && before != "" && (title == before || interpret.Pointing(title)) {
			found = refer.OnlySharing(before, here)
		}
	}
	if m.Intent == intent.DeleteTask && sure {
		return found, sure, ok
	}
	found = slices.DeleteFunc(slices.Clone(found), func(task map[string]any) bool { return !enoughOf(t, m, title, task) })
	return found, sure || m.Intent == intent.CompleteTask && orders(m.Clause), ok
}

// enoughOf: the words of a meaning are enough about a task for what they say of it: a word in common is
// too little to delete it, and to give it the day of which somebody tells.
func enoughOf(t *Keeper, m interpret.Meaning, title string, task map[string]any) bool {
	called := turn.Str(task, "title")
	switch {
	case m.Intent == intent.DeleteTask:
		return refer.Mostly(title, called)
	case m.Intent != intent.UpdateTask || m.Change.Due == "" || m.Righted || m.Clause != nil && ordersChange(m.Clause):
		return true
	}
	m.Title = title
	return m.Score >= interpret.Likely && refer.Same(title, called) || tellsOf(m, datedTask(task, false), t.Situation.Now)
}

// orders: a clause says to tick something off, rather than that it is done.
func orders(c *interpret.Clause) bool {
	if c == nil {
		return false
	}
	_, _, both := language.Find(c.All, "those|these|that|this|the|them|my <taskword> are|is <doneword>")
	return both || ticksIt(c) || language.Begins(c.Body, "<ticking>", "you can|may|could <ticking>", "can|could|would|will you <ticking>")
}

// tickedElsewhere is the other project that a clause names which says to tick off what it tells:
// "Pete said yes for the fair, tick it".
func tickedElsewhere(t *Keeper, c *interpret.Clause) string {
	if c == nil || !ticksIt(c) {
		return ""
	}
	told := c.All[:slices.IndexFunc(c.All, func(t language.Token) bool { return language.Fits(t, "<ticking>") })]
	of, _ := refer.PlaceOf(c.Src, language.TrimMarks(told), t.Situation.Projects)
	if _, n, led := language.Find(told, "for|in|at|of the|my|our"); led && of.Empty {
		of.Found = refer.About(language.TrimMarks(told[n:]), t.Situation.Projects)
	}
	if p, ok := of.One(); ok && p.Slug != t.Here.Slug {
		return p.Slug
	}
	return ""
}

// ticksIt: behind what it tells, a clause says to tick that off: "Pete said yes, tick it".
func ticksIt(c *interpret.Clause) bool {
	i, n, ok := language.Find(c.All, "<ticking> it|that|this|them off?", "<ticking> off it|that|this|them", "mark it|that as? <doneword>")
	return ok && i > 0 && n == len(c.All)
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
		if slices.ContainsFunc(tasks, func(task map[string]any) bool { return refer.Called(title, turn.Str(task, "title")) }) {
			out = append(out, title)
			continue
		}
		toks := language.SkipOpeners(language.Tokenize(title))
		if i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.Class("<aux>", t.Norm) }); i > 0 {
			toks = toks[:i]
		}
		var parts []string
		named := map[string]bool{}
		for _, part := range language.ListedNames(toks) {
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

// tasksCalled finds tasks in the project at hand, or else, without doubt, anywhere. ok is false while a
// call is still to be answered.
func (t *Keeper) tasksCalled(m interpret.Meaning, title string, args map[string]any, here []map[string]any) (found []map[string]any, sure, ok bool) {
	found, sure = refer.Tasks(title, here)
	exact := func(task map[string]any) bool { return refer.Called(title, turn.Str(task, "title")) }
	if t.more && !slices.ContainsFunc(found, exact) { // there may be nearer ones that weren't told of
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
	all := changeable(m, turn.Objects(res.Result, "tasks"))
	if found = refer.TasksElsewhere(title, all, here); len(found) == 0 && m.Intent == intent.CompleteTask && orders(m.Clause) && refer.OnlySharing(title, here) == nil {
		found = refer.OnlySharing(title, all) // "cross off the card for Toby": it is only “Post his card”
	}
	return found, true, true
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
	for _, text := range []string{title, longest} {
		narrow := maps.Clone(args)
		narrow["text"] = language.Limit(text, 200)
		res, ok := t.More("list_tasks", narrow)
		if list := turn.Objects(res.Result, "tasks"); !ok || len(list) > 0 {
			return changeable(m, list), ok
		}
	}
	return nil, true
}
