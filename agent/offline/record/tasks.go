package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/field"
	"kist/agent/offline/filter"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// placing settles in which project something belongs. It returns the arguments
// to add, and false if the user has to be asked first.
func (t *Keeper) placing(m interpret.Meaning, a *turn.Act) (args map[string]any, name string, ok bool) {
	args = map[string]any{}
	ref := m.Project
	switch {
	case t.Beside:
		args["project"] = turn.NoProject
		return args, "", true
	case len(ref.Found) > 1:
		t.which(ref.Found)
		return nil, "", false
	case len(ref.Found) == 1:
		p := ref.Found[0]
		args["project"] = p.Slug // outside the active project: will be asked
		return args, p.Name, true
	case ref.Named && ref.Phrase != "":
		t.unknown(ref)
		return nil, "", false
	}
	if slug, other := t.Elsewhere(m.Clause); other {
		args["project"] = slug
		return args, nameOf(t, slug), true
	}
	switch {
	case t.Here != nil:
		return args, t.Here.Name, true
	case t.IsNew:
		return args, "", true
	}
	for _, said := range [][]language.Token{m.Clause.Toks, language.Tokenize(t.Text)} { // "in Boat, ..."
		if found := refer.Mentioned(said, t.Situation.Projects); len(found) == 1 {
			m.Project = refer.Reference{Found: found}
			return t.placing(m, a)
		}
	}
	if len(t.Situation.Projects) <= 1 { // nobody has spoken of the one that there is
		return args, "", true
	}
	t.belongs()
	return nil, "", false
}

// nameOf is the name of a project; empty for none.
func nameOf(t *Keeper, slug string) string {
	if slug == turn.NoProject {
		return ""
	}
	return refer.NameIn(t.Situation.Projects, slug)
}

// belongs asks for the project; the answer makes the message be read again.
func (t *Keeper) belongs() {
	var names []string
	for _, p := range t.Situation.Projects[:min(6, len(t.Situation.Projects))] {
		names = append(names, p.Name)
	}
	t.Say("Your projects are %s.", strings.Join(names, ", "))
	t.Ask(turn.AskBelongs, map[string]string{"text": turn.OrWord(t.Meant, t.Text)})
}

// addTasks makes one task for each thing to do.
func (t *Keeper) addTasks(m interpret.Meaning) {
	if len(m.Todos) == 0 {
		t.Say("What is the task?")
		return
	}
	if !t.Offering {
		m.Todos = worth(m)
	}
	m.Todos = wholly(turn.OrWord(t.Meant, t.Text), m)
	if len(m.Todos) == 0 {
		t.Heard = true // the engine keeps the sentence
		return
	}
	m = counted(t, m)
	a := t.Act(nil)
	place, name, ok := t.placing(m, a)
	if !ok {
		return
	}
	var wants []*turn.Want
	var befores []string
	for _, item := range m.Todos[:min(len(m.Todos), 15)] {
		args := map[string]any{"title": item.Title, "reason": turn.AsAsked(t.Offering, "add the task", item.Title)}
		if t.Offering { // the reason is all that is shown
			args["reason"] = "add the task " + t.TaskLine(turn.TodoLine(item))
		}
		for k, v := range place {
			args[k] = v
		}
		if item.Due != "" {
			args["due"] = item.Due
		}
		if item.Priority != "" {
			args["priority"] = item.Priority
		}
		said, after := ofWhat(t, item)
		if said != "" {
			args["details"] = said
		}
		befores = append(befores, after)
		wants = append(wants, a.Want("create_task", args))
	}
	a.Then = func() {
		var added, proposed []string
		for i, w := range wants {
			if t.Failed(w) {
				continue
			}
			item := m.Todos[i]
			if there := w.Result.Result; t.Already(w, "On your list already: "+t.TaskLine(there)) {
				continue
			}
			line := t.TaskLine(turn.TodoLine(item)) + befores[i]
			if w.Result.Status == "proposed" {
				proposed = append(proposed, line)
			} else {
				added = append(added, line)
			}
		}
		t.Bullets(fmt.Sprintf("Added to %s:", turn.Bold(name, newPlace(t))), added)
		t.Proposed(fmt.Sprintf("Ready to add to %s:", turn.Bold(name, newPlace(t))), proposed, place)
	}
}

// newPlace is where things go that belong to no project that is there.
func newPlace(t *Keeper) string {
	if t.IsNew {
		return "the new project"
	}
	return "your inbox, outside of any project"
}

// completing are the arguments of a call that completes a task.
func completing(task map[string]any, offered bool) map[string]any {
	reason := fmt.Sprintf("mark “%s” as done", language.Limit(turn.Str(task, "title"), 120))
	if !offered {
		reason += ", as you said"
	}
	return map[string]any{"task": turn.Str(task, "task"), "reason": reason}
}

// ofNoTask: a question speaks of nothing to do and narrows no list: "what's the entry deadline?", "what do I owe
// Paul?".
func ofNoTask(m interpret.Meaning, f filter.Filter) bool {
	if m.Clause == nil || f.Count || f.Narrows() {
		return false
	}
	_, _, ofTasks := language.Find(m.Clause.Toks, "<taskword>|tasks|left|open", "to do")
	return !ofTasks || ofThing(m)
}

// ofThing: a question says nothing of tasks, and names what no task does: "what is left with Baz?".
func ofThing(m interpret.Meaning) bool {
	toks := m.Clause.All
	return language.Asks(toks) && len(toks) > 2 && !language.Has(toks[2:], "do") && !language.Has(toks, "<taskword>|tasks|list|todo|due|open|next|finish|finished")
}

// pointing: a question is about what a word only points to.
func pointing(m interpret.Meaning) bool {
	_, _, ok := language.Find(m.Clause.Toks, "that|this|it|they|<aux> <aux>? that|this|it|they|<aux>")
	return ok && !language.Has(m.Clause.Toks, "do|left|open|due|next|todo")
}

// orList lists tasks where a question finds nothing; nil: no list answers it.
func (t *Keeper) orList(m interpret.Meaning) func() {
	if pointing(m) || ofThing(m) {
		return nil
	}
	return func() { t.ListTasks(m, true) }
}

// LookedFor is a question for tasks as one for what the files say.
func LookedFor(m interpret.Meaning) interpret.Meaning {
	return interpret.Meaning{Intent: intent.Ask, Score: m.Score, Clause: m.Clause, Project: refer.Reference{Empty: true}, Text: language.Topic(m.Clause.Toks), Name: interpret.Span(m.Clause, m.Clause.Toks)}
}

// ticksCalled: what reads as a question for a list orders, word for word, to tick off a task that
// is there: "complete draw plan".
func ticksCalled(t *Keeper, m interpret.Meaning) bool {
	if m.Clause == nil || m.Clause.Question || !language.Begins(m.Clause.Body, "<ticking>") {
		return false
	}
	title := m.Clause.Text(m.Clause.Body[1:])
	res, ok := t.More("list_tasks", map[string]any{"everywhere": true, "text": language.Limit(title, 200)})
	called := slices.DeleteFunc(turn.Objects(res.Result, "tasks"), func(task map[string]any) bool {
		return !strings.EqualFold(field.Untagged(turn.Str(task, "title"), ""), title)
	})
	switch m.Intent = intent.CompleteTask; len(called) {
	case 0:
		return !ok
	case 1:
		t.Late(func() { t.ChangeEach(m, t.untouched(m, called)) })
	default:
		t.AskWhichTask(m, called)
	}
	return true
}

// ListTasks lists tasks: of the project that is named or active, or of all, narrowed by
// what the question says. What it says and nobody understood is named. asked: what the
// question says beside tasks was looked for in vain.
func (t *Keeper) ListTasks(m interpret.Meaning, asked bool) {
	if len(m.Project.Found) > 1 {
		t.which(m.Project.Found)
		return
	}
	if ticksCalled(t, m) {
		return
	}
	Narrowed(t, m, t.FilterOf(&m), asked, t.listed)
}

// A Placed does something with the tasks that a filter leaves in a project, nil: in any; place
// adds to the arguments of list_tasks where that is.
type Placed func(place func(map[string]any) map[string]any, in *model.Project, f filter.Filter)

// Narrowed does something with the tasks that a filter leaves, in the folder that a word of it may name.
func Narrowed(t *Keeper, m interpret.Meaning, f filter.Filter, asked bool, do Placed) {
	if f.Folder == "" || f.Place.Path != "" || f.NoProject {
		t.list(m, f, asked, do)
		return
	}
	a := t.Act(nil)
	within := a.Want("list_tasks", map[string]any{"everywhere": true, "path": f.Folder, "status": "all", "limit": 1})
	a.Then = func() {
		if t.Failed(within) {
			return
		}
		if turn.Num(within.Result.Result, "count") == 0 { // it may be a note's name
			note, ok := t.More("read_document", map[string]any{"path": strings.Join(f.Loose, " "), "from": 1, "lines": 1})
			if !ok {
				return
			}
			if note.OK {
				f.Place.Path, f.Loose = turn.Str(note.Result, "path"), nil
			}
		} else {
			f.Within()
		}
		t.Late(func() { t.list(m, f, asked, do) })
	}
}

// list does something with the tasks that a filter leaves, where the question asks for them.
func (t *Keeper) list(m interpret.Meaning, f filter.Filter, asked bool, do Placed) {
	in := t.Here
	switch {
	case f.Place.Path != "", f.NoProject:
		in, m.Project = nil, refer.Reference{Empty: true} // wherever that is
	case len(m.Project.Found) == 1:
		in = &m.Project.Found[0]
	case f.Everywhere:
		in = nil
	case m.Project.Named && m.Project.Phrase != "":
		t.unknown(m.Project)
		return
	case t.Here == nil || m.About == "everywhere":
		in = nil
	}
	place := placing(m, f, in)
	a := t.Act(nil)
	if f.Unsettled() {
		all := a.Want("list_tasks", place(map[string]any{"status": "all"}))
		a.Then = func() {
			if t.Failed(all) {
				return
			}
			f.Settle(turn.Objects(all.Result.Result, "tasks"))
			if len(f.Unknown) > 0 && !asked && ofNoTask(m, f) {
				t.Late(func() { t.Answer(LookedFor(m), t.orList(m)) })
				return
			}
			if in == nil || len(f.Unknown) == 0 || !ofOther(t, m, *in, &f, asked, do) {
				do(place, in, f)
			}
		}
		return
	}
	w := a.Want("list_tasks", place(f.Args(t.Situation.Now)))
	a.Then = func() {
		if !t.Failed(w) {
			do(place, in, f)
		}
	}
}

// ofOther does something with the tasks of where the words are spoken of that narrow no list of a
// project. false: nowhere else.
func ofOther(t *Keeper, m interpret.Meaning, in model.Project, f *filter.Filter, asked bool, do Placed) bool {
	doc, read := t.More("read_document", map[string]any{"path": cmp.Or(in.Path, "projects/"+in.Slug+"/project.md"), "from": 1, "lines": 60})
	if !read {
		return true
	}
	if f.Kin(refer.NameWords(in), lookup.Begins(turn.Strs(doc.Result, "lines"))); len(f.Unknown) == 0 || len(m.Project.Found) > 0 {
		return false
	}
	slug, line, ok := lookup.Spoken(t.Turn, f.Unknown)
	if !ok || line == "" || slug == in.Slug {
		return !ok
	}
	p, found := refer.BySlug(t.Situation.Projects, slug)
	if m.Project = refer.Exactly(p); !found {
		m.Project, f.NoProject = refer.Reference{Empty: true}, true
	}
	t.Say("Of “%s” I found something in %s: %s", strings.Join(f.Unknown, "”, “"), turn.Bold(p.Name, "your vault, outside of any project"), line)
	f.Unknown = nil
	t.Late(func() { t.list(m, *f, asked, do) })
	return true
}

// placing adds to the arguments of a list of tasks where they are.
func placing(m interpret.Meaning, f filter.Filter, in *model.Project) func(map[string]any) map[string]any {
	return func(args map[string]any) map[string]any {
		switch {
		case f.NoProject:
			args["project"] = "-"
		case in == nil:
			args["everywhere"] = true
		case len(m.Project.Found) == 1, m.Clause != nil && isFor(m.Clause.All):
			args["project"] = in.Slug
		}
		return args
	}
}

// listed tells the tasks that a filter leaves, and below them those without a date, where
// those may be meant too.
func (t *Keeper) listed(place func(map[string]any) map[string]any, in *model.Project, f filter.Filter) {
	res, ok := t.More("list_tasks", place(f.Args(t.Situation.Now)))
	if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
		return
	}
	var undated []map[string]any
	if f.Undated(t.Situation.Now) {
		args := f.Args(t.Situation.Now)
		delete(args, "due_to")
		args["due"] = "none"
		rest, ok := t.More("list_tasks", place(args))
		if !ok {
			return
		}
		undated = turn.Objects(rest.Result, "tasks")
	}
	unknown, ok := undatedDone(t, place, f)
	if !ok {
		return
	}
	others, ok := elsewhere(t, place, in, f)
	if !ok {
		return
	}
	tasks := slices.Concat(turn.Objects(res.Result, "tasks"), others, undated)
	told, ok := toldOf(t, in, f, tasks)
	if !ok {
		return
	}
	if len(told) > 0 && len(tasks) == 0 {
		t.Say("No tasks, but this was told:\n- %s", strings.Join(told, "\n- "))
		return
	}
	t.speakTasks(res.Result, in, f)
	if len(others) > 0 {
		t.Say("Outside of **%s**:\n- %s", in.Name, strings.Join(t.TaskLines(others, nil, f), "\n- "))
	}
	if len(undated) > 0 {
		t.Say("Without a date:\n- %s", strings.Join(t.TaskLines(undated, in, f), "\n- "))
	}
	if unknown > 0 {
		t.Say("Of %d more that are done, the files don't tell on which day.", unknown)
	}
	t.Bullets("Also told:", told)
}

// undatedDone is how many of the tasks that are done say no day, where one is asked for; ok is
// false until that is known.
func undatedDone(t *Keeper, place func(map[string]any) map[string]any, f filter.Filter) (n int, ok bool) {
	if f.Date != "done" || len(f.Periods) == 0 {
		return 0, true
	}
	args := f.Args(t.Situation.Now)
	delete(args, "due_from")
	delete(args, "due_to")
	args["due"] = "none"
	rest, ok := t.More("list_tasks", place(args))
	return turn.Num(rest.Result, "count"), ok
}

// FilterOf reads what a question for tasks narrows the list by, and in m the project
// that only the filter's words name.
func (t *Keeper) FilterOf(m *interpret.Meaning) filter.Filter {
	src, toks := t.Text, language.Tokenize(t.Text)
	if m.Clause != nil && len(m.Clause.All) > 0 {
		src, toks = m.Clause.Src, m.Clause.All
	}
	toks = askedOf(language.SkipOpeners(toks))
	var known []string
	for _, p := range append(m.Project.Found, refer.MentionedWhole(toks, t.Here)...) {
		known = append(known, refer.NameWords(p)...)
	}
	f := filter.Read(src, toks, known, t.Situation.Now)
	if m.Clause != nil && len(f.Loose) > 0 {
		f.Loose = t.Narrowing(m.Clause, f.Loose)
	}
	if len(f.Loose) > 0 && len(m.Project.Found) == 0 {
		said := strings.Join(f.Loose, " ")
		if ref := refer.To(said, language.Tokenize(said), t.Situation.Projects); len(ref.Found) == 1 && !ref.Partial {
			m.Project, f.Loose = ref, nil
		} else if found := refer.About(language.Tokenize(said), t.Situation.Projects); len(found) == 1 && saidFor(toks, f.Loose[0]) {
			m.Project, f.Loose = refer.Exactly(found[0]), nil // "what is there to do for dad?"
		}
	}
	return f
}

// askedOf is a question without what is told behind it: "what is left to send, I've done some of it".
func askedOf(toks []language.Token) []language.Token {
	for i, t := range toks {
		if t.Norm == "," && !t.Quoted && language.Asks(toks[:i]) && language.Begins(toks[i+1:], "but|though|because? i|we <aux>|already|did|think|know", "some|most|half|part of|is|are|was|were") {
			return toks[:i]
		}
	}
	return toks
}

// isFor: a question says what the tasks are for: "for the tour".
func isFor(toks []language.Token) bool {
	_, _, ok := language.Find(toks, "for the|my|our *")
	return ok
}

// saidFor: a word stands where it says for whom or what something is.
func saidFor(toks []language.Token, word string) bool {
	_, _, ok := language.Find(toks, "for|with <det>? "+word, "for|with <det>? "+word+"'s")
	return ok
}

// WhereOf says where tasks were looked for.
func WhereOf(in *model.Project, f filter.Filter) string {
	switch {
	case in != nil:
		return " in **" + in.Name + "**"
	case f.Place.Path != "" || f.NoProject:
		return ""
	}
	return " in any project"
}

func (t *Keeper) speakTasks(r map[string]any, in *model.Project, f filter.Filter) {
	where := WhereOf(in, f)
	if len(f.Unknown) > 0 {
		t.Say("I can't narrow a list of tasks by “%s”; without that:", strings.Join(f.Unknown, "”, “"))
	}
	var fit, late []map[string]any
	for _, task := range turn.Objects(r, "tasks") {
		switch {
		case f.Fits(task):
			fit = append(fit, task)
		case f.Current(t.Situation.Now) && f.Late(task, t.Situation.Now):
			late = append(late, task)
		}
	}
	f.Sort(fit)
	count := turn.Num(r, "count") - len(turn.Objects(r, "tasks")) + len(fit)
	switch {
	case count == 0:
		t.Say("There are no %s%s.", f.Head(t.Situation.Now, 0), where)
	case f.Count:
		t.Say("%s%s.", capitalCount(count, f.Head(t.Situation.Now, count)), where)
	default:
		t.speakList(fit, count, in, f)
	}
	if len(late) > 0 {
		t.Say("Overdue besides:\n- %s", strings.Join(t.TaskLines(late, in, f), "\n- "))
	}
}

// capitalCount is how many there are, as a sentence begins.
func capitalCount(n int, of string) string {
	if n == 1 {
		return "There is 1 " + of
	}
	return fmt.Sprintf("There are %d %s", n, of)
}

// speakList tells tasks of which there are count.
func (t *Keeper) speakList(fit []map[string]any, count int, in *model.Project, f filter.Filter) {
	where := ""
	if in != nil {
		where = " in **" + in.Name + "**"
	}
	most := turn.MaxSpoken
	if f.Limit > 0 {
		most = min(most, f.Limit)
	}
	head := language.Capital(f.Head(t.Situation.Now, count))
	switch {
	case f.Limit == 1 && count > 1:
		head = fmt.Sprintf("The first of %d %s", count, f.Head(t.Situation.Now, count))
	case f.Limit > 0 && f.Limit < count:
		head = fmt.Sprintf("The first %d of %d %s", most, count, f.Head(t.Situation.Now, count))
	}
	lines := t.TaskLines(fit[:min(len(fit), most)], in, f)
	t.Say("%s%s:\n- %s", head, where, strings.Join(lines, "\n- "))
	if more := count - len(lines); more > 0 && f.Limit == 0 {
		t.Say("And %d more.", more)
	}
}

// TaskLines are tasks with their projects, where they are of several.
func (t *Keeper) TaskLines(tasks []map[string]any, in *model.Project, f filter.Filter) []string {
	var lines []string
	for _, task := range tasks[:min(len(tasks), turn.MaxSpoken)] {
		line := t.TaskLine(task) + f.Day(task, t.Situation.Now)
		if in == nil && turn.Str(task, "project") != "" {
			line += " (" + refer.NameIn(t.Situation.Projects, turn.Str(task, "project")) + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// Answer answers a question: from the tasks where it is about no more than these, else by
// what the files say. Where nothing is found it does something else; nil: it says so.
func (t *Keeper) Answer(m interpret.Meaning, otherwise func()) {
	t.find(m, otherwise)
}
