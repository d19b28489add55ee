package offline

import (
	"fmt"
	"strings"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/filter"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// placing settles in which project something belongs. It returns the arguments
// to add, and false if the user has to be asked first.
func (t *talk) placing(m interpret.Meaning, a *act) (args map[string]any, name string, ok bool) {
	args = map[string]any{}
	ref := m.Project
	switch {
	case len(ref.Found) > 1:
		t.which(ref.Found)
		return nil, "", false
	case len(ref.Found) == 1:
		p := ref.Found[0]
		if t.here != nil && t.here.Slug == p.Slug {
			return args, p.Name, true
		}
		args["project"] = p.Slug // outside the active project: will be asked
		return args, p.Name, true
	case ref.Named && ref.Phrase != "":
		t.unknown(ref)
		return nil, "", false
	case t.here != nil:
		return args, t.here.Name, true
	case t.isNew:
		return args, "", true
	}
	if found := refer.Mentioned(m.Clause.Toks, t.sit.Projects); len(found) == 1 {
		m.Project = refer.Reference{Found: found}
		return t.placing(m, a)
	}
	if len(t.sit.Projects) == 1 { // there is no other
		m.Project = refer.Reference{Found: t.sit.Projects}
		return t.placing(m, a)
	}
	t.belongs()
	return nil, "", false
}

// belongs asks for the project; the answer makes the message be read again.
func (t *talk) belongs() {
	if len(t.sit.Projects) == 0 {
		t.say("There is no project yet that this could belong to.")
		t.ask(askFirst, map[string]string{"text": orWord(t.meant, t.text)})
		return
	}
	var names []string
	for _, p := range t.sit.Projects[:min(6, len(t.sit.Projects))] {
		names = append(names, p.Name)
	}
	t.say("Your projects are %s.", strings.Join(names, ", "))
	t.ask(askBelongs, map[string]string{"text": orWord(t.meant, t.text)})
}

// addTasks makes one task for each thing to do.
func (t *talk) addTasks(m interpret.Meaning) {
	if len(m.Todos) == 0 {
		t.say("What is the task?")
		return
	}
	a := t.act(nil)
	place, name, ok := t.placing(m, a)
	if !ok {
		return
	}
	var wants []*want
	for _, item := range m.Todos[:min(len(m.Todos), 15)] {
		args := map[string]any{"title": item.Title, "reason": asAsked(t.offering, "add the task", item.Title)}
		if t.offering { // the reason is all that is shown
			args["reason"] = "add the task " + t.taskLine(todoLine(item))
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
		if said := toldAs(t.text, item); said != "" {
			args["details"] = said
		}
		wants = append(wants, a.want("create_task", args))
	}
	a.then = func() {
		var added, proposed []string
		for i, w := range wants {
			if t.failed(w) {
				continue
			}
			item := m.Todos[i]
			line := t.taskLine(todoLine(item))
			if w.res.Status == "proposed" {
				proposed = append(proposed, line)
			} else {
				added = append(added, line)
			}
		}
		t.bullets(fmt.Sprintf("Added to %s:", bold(name, "the new project")), added)
		t.proposed(fmt.Sprintf("Ready to add to %s:", bold(name, "the new project")), proposed, place)
	}
}

// toldAs is the sentence that told of a task, where its title hasn't all of it: "we have
// to sell the chairs on Saturday at ten". An order to add a task is no such sentence.
func toldAs(text string, item interpret.Todo) string {
	first, _, _ := strings.Cut(strings.ToLower(item.Title), " ")
	for _, s := range extract.Sentences(text) {
		low := strings.ToLower(s.Text)
		if s.Kind != extract.Statement || s.Order || !strings.Contains(low, first) {
			continue
		}
		if language.Covers(language.ContentWords(language.Tokenize(low)), language.ContentWords(language.Tokenize(item.Title))) && (item.Due != "" || !strings.Contains(low, strings.ToLower(item.Title))) {
			return s.Text
		}
	}
	return ""
}

// completing are the arguments of a call that completes a task.
func completing(task map[string]any, offered bool) map[string]any {
	reason := fmt.Sprintf("mark “%s” as done", language.Limit(str(task, "title"), 120))
	if !offered {
		reason += ", as you said"
	}
	return map[string]any{"task": str(task, "task"), "reason": reason}
}

// ofNoTask: a question for a date, person or amount that speaks of no task and narrows no
// list: "what's the entry deadline?".
func ofNoTask(t *talk, m interpret.Meaning, f filter.Filter) bool {
	return m.Clause != nil && !language.Has(m.Clause.Toks, "<taskword>|tasks") && !f.Count && len(f.Status)+len(f.Priority)+len(f.Periods) == 0 && f.Due == "" &&
		asking(t.sit, t.here, language.Topic(m.Clause.Toks), "", m).Want != ""
}

// lookedFor is a question for tasks as one for what the files say.
func lookedFor(m interpret.Meaning) interpret.Meaning {
	return interpret.Meaning{Intent: intent.Ask, Score: m.Score, Clause: m.Clause, Project: refer.Reference{Empty: true}, Text: language.Topic(m.Clause.Toks), Name: interpret.Span(m.Clause, m.Clause.Toks)}
}

// tasks lists tasks: of the project that is named or active, or of all, narrowed by
// what the question says. What it says and nobody understood is named. asked: what the
// question says beside tasks was looked for in vain.
func (t *talk) tasks(m interpret.Meaning, asked bool) {
	if len(m.Project.Found) > 1 {
		t.which(m.Project.Found)
		return
	}
	f := t.filterOf(&m)
	in := t.here
	switch {
	case len(m.Project.Found) == 1:
		in = &m.Project.Found[0]
	case f.Everywhere:
		in = nil
	case m.Project.Named && m.Project.Phrase != "":
		t.unknown(m.Project)
		return
	case t.here == nil || m.About == "everywhere":
		in = nil
	}
	place := func(args map[string]any) map[string]any {
		switch {
		case in == nil:
			args["everywhere"] = true
		case len(m.Project.Found) == 1:
			args["project"] = in.Slug
		}
		return args
	}
	a := t.act(nil)
	if len(f.Loose) > 0 {
		all := a.want("list_tasks", place(map[string]any{"status": "all"}))
		a.then = func() {
			if t.failed(all) {
				return
			}
			f.Settle(objects(all.res.Result, "tasks"))
			if len(f.Unknown) > 0 && !asked && ofNoTask(t, m, f) {
				t.late(func() { t.answer(lookedFor(m), func() { t.tasks(m, true) }) })
				return
			}
			if res, ok := t.more("list_tasks", place(f.Args(t.sit.Now))); ok && !t.failed(&want{res: res, ok: true}) {
				t.speakTasks(res.Result, in, f)
			}
		}
		return
	}
	w := a.want("list_tasks", place(f.Args(t.sit.Now)))
	a.then = func() {
		if !t.failed(w) {
			t.speakTasks(w.res.Result, in, f)
		}
	}
}

// filterOf reads what a question for tasks narrows the list by, and in m the project
// that only the filter's words name.
func (t *talk) filterOf(m *interpret.Meaning) filter.Filter {
	src, toks := t.text, language.Tokenize(t.text)
	if m.Clause != nil && len(m.Clause.All) > 0 {
		src, toks = m.Clause.Src, m.Clause.All
	}
	toks = language.SkipOpeners(toks)
	var known []string
	for _, p := range append(m.Project.Found, refer.MentionedWhole(toks, t.here)...) {
		known = append(known, refer.NameWords(p)...)
	}
	f := filter.Read(src, toks, known, t.sit.Now)
	if m.Clause != nil && len(f.Loose) > 0 {
		f.Loose = t.Narrowing(m.Clause, f.Loose)
	}
	if len(f.Loose) > 0 && len(m.Project.Found) == 0 {
		said := strings.Join(f.Loose, " ")
		if ref := refer.To(said, language.Tokenize(said), t.sit.Projects); len(ref.Found) == 1 && !ref.Partial {
			m.Project, f.Loose = ref, nil
		}
	}
	return f
}

// maxSpoken bounds a list in a reply; nobody reads more in a conversation.
const maxSpoken = 15

func (t *talk) speakTasks(r map[string]any, in *model.Project, f filter.Filter) {
	where := " in any project"
	if in != nil {
		where = " in **" + in.Name + "**"
	}
	if len(f.Unknown) > 0 {
		t.say("I can't narrow a list of tasks by “%s”; without that:", strings.Join(f.Unknown, "”, “"))
	}
	var fit, late []map[string]any
	for _, task := range objects(r, "tasks") {
		switch {
		case f.Fits(task):
			fit = append(fit, task)
		case f.Current(t.sit.Now) && f.Late(task, t.sit.Now):
			late = append(late, task)
		}
	}
	count := num(r, "count") - len(objects(r, "tasks")) + len(fit)
	switch {
	case count == 0:
		t.say("There are no %s%s.", f.Head(t.sit.Now, 0), where)
	case f.Count:
		t.say("%s%s.", capitalCount(count, f.Head(t.sit.Now, count)), where)
	default:
		t.listTasks(fit, count, in, f)
	}
	if len(late) > 0 {
		t.say("Overdue besides:\n- %s", strings.Join(t.taskLines(late, in), "\n- "))
	}
}

// capitalCount is how many there are, as a sentence begins.
func capitalCount(n int, of string) string {
	if n == 1 {
		return "There is 1 " + of
	}
	return fmt.Sprintf("There are %d %s", n, of)
}

// listTasks tells tasks of which there are count.
func (t *talk) listTasks(fit []map[string]any, count int, in *model.Project, f filter.Filter) {
	where := ""
	if in != nil {
		where = " in **" + in.Name + "**"
	}
	most := maxSpoken
	if f.Limit > 0 {
		most = min(most, f.Limit)
	}
	head := language.Capital(f.Head(t.sit.Now, count))
	switch {
	case f.Limit == 1 && count > 1:
		head = fmt.Sprintf("The first of %d %s", count, f.Head(t.sit.Now, count))
	case f.Limit > 0 && f.Limit < count:
		head = fmt.Sprintf("The first %d of %d %s", most, count, f.Head(t.sit.Now, count))
	}
	lines := t.taskLines(fit[:min(len(fit), most)], in)
	t.say("%s%s:\n- %s", head, where, strings.Join(lines, "\n- "))
	if more := count - len(lines); more > 0 && f.Limit == 0 {
		t.say("And %d more.", more)
	}
}

// taskLines are tasks with their projects, where they are of several.
func (t *talk) taskLines(tasks []map[string]any, in *model.Project) []string {
	var lines []string
	for _, task := range tasks[:min(len(tasks), maxSpoken)] {
		line := t.taskLine(task)
		if in == nil && str(task, "project") != "" {
			line += " (" + refer.NameIn(t.sit.Projects, str(task, "project")) + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// forTasks: a question that speaks of tasks, and of which every word narrows a list of
// them or means no more than one.
func (t *talk) forTasks(m interpret.Meaning) bool {
	if m.Clause == nil {
		return false
	}
	f := t.filterOf(&m)
	if !f.Overdue && !language.Has(m.Clause.Toks, "<taskword>") {
		return false
	}
	return len(f.Loose) == 0 && len(f.Unknown) == 0 && (f.Count || len(f.Status)+len(f.Priority)+len(f.Periods) > 0 || f.Due != "")
}
