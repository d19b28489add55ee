package offline

import (
	"fmt"
	"strings"

	"kist/agent/english"
	"kist/agent/model"
)

// placing settles in which project something belongs. It returns the arguments
// to add, and false if the user has to be asked first.
func (t *talk) placing(m meaning, a *act) (args map[string]any, name string, ok bool) {
	args = map[string]any{}
	ref := m.project
	switch {
	case len(ref.found) > 1:
		t.which(ref.found)
		return nil, "", false
	case len(ref.found) == 1:
		p := ref.found[0]
		if t.here != nil && t.here.Slug == p.Slug {
			return args, p.Name, true
		}
		if t.here == nil && !t.isNew {
			// From outside any project, naming one means going there.
			a.want(t, "switch_project", map[string]any{"project": p.Slug})
			t.here = &p
			return args, p.Name, true
		}
		args["project"] = p.Slug // outside the active project: will be asked
		return args, p.Name, true
	case ref.named && ref.phrase != "":
		t.unknown(ref)
		return nil, "", false
	case t.here != nil:
		return args, t.here.Name, true
	case t.isNew:
		return args, "", true
	}
	if found := mentioned(m.clause.toks, t.sit.Projects); len(found) == 1 {
		m.project = reference{found: found}
		return t.placing(m, a)
	}
	t.belongs()
	return nil, "", false
}

// belongs asks for the project; the answer makes the message be read again.
func (t *talk) belongs() {
	if len(t.sit.Projects) == 0 {
		t.say("There is no project yet that this could belong to. Tell me what it's for (“create a project for the garden”), then I'll add it.")
		return
	}
	var names []string
	for _, p := range t.sit.Projects[:min(6, len(t.sit.Projects))] {
		names = append(names, p.Name)
	}
	t.say("Your projects are %s.", strings.Join(names, ", "))
	t.question = askBelongs + inQuotes(orWord(t.meant, t.text)) + "?"
}

// addTasks makes one task for each thing to do.
func (t *talk) addTasks(m meaning) {
	if len(m.todos) == 0 {
		t.say("What is the task?")
		return
	}
	a := t.act(nil)
	place, name, ok := t.placing(m, a)
	if !ok {
		return
	}
	var wants []*want
	for _, item := range m.todos[:min(len(m.todos), 15)] {
		args := map[string]any{"title": item.title, "reason": asAsked("add the task", item.title)}
		for k, v := range place {
			args[k] = v
		}
		if item.due != "" {
			args["due"] = item.due
		}
		if item.priority != "" {
			args["priority"] = item.priority
		}
		wants = append(wants, a.want(t, "create_task", args))
	}
	a.then = func() {
		var added, proposed []string
		for i, w := range wants {
			if t.failed(w) {
				continue
			}
			item := m.todos[i]
			line := t.taskLine(map[string]any{"title": item.title, "due": item.due, "priority": item.priority})
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

// asAsked is the reason of an operation: what it does, and on whose word.
func asAsked(doing, what string) string {
	return fmt.Sprintf("%s “%s”, as you asked", doing, limit(oneLine(what), 120))
}

func bold(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return "**" + name + "**"
}

// proposed says what waits, and why it does.
func (t *talk) proposed(head string, lines []string, place map[string]any) {
	if len(lines) == 0 {
		return
	}
	t.waits = true
	t.bullets(head, lines)
	switch {
	case place["project"] != nil && t.here != nil:
		t.say("I ask first because we're in **%s**.", t.here.Name)
	case t.here != nil && t.here.CreatedBy != "agent":
		t.say("I ask first because you made this project yourself.")
	}
}

// taskLine is a task in a list.
func (t *talk) taskLine(task map[string]any) string {
	line := "“" + str(task, "title") + "”"
	var more []string
	if due := str(task, "due"); due != "" {
		more = append(more, "due "+sayDay(due, t.sit.Now))
	}
	if p := str(task, "priority"); p != "" && p != "medium" {
		more = append(more, p+" priority")
	}
	if s := str(task, "status"); s != "" && s != "todo" && s != "backlog" {
		more = append(more, strings.ReplaceAll(s, "_", " "))
	}
	if len(more) > 0 {
		line += ", " + strings.Join(more, ", ")
	}
	return line
}

// changeTask completes or updates the one open task that is meant: the title
// must be the same, or be the only one that has all the words.
func (t *talk) changeTask(m meaning) {
	a := t.act(nil)
	args := map[string]any{}
	if t.here == nil {
		args["everywhere"] = true
	}
	w := a.want(t, "list_tasks", args)
	a.then = func() {
		if t.failed(w) {
			return
		}
		found := matchTasks(m.title, objects(w.res.Result, "tasks"))
		if len(found) == 0 && t.here != nil {
			res, ok := t.more("list_tasks", map[string]any{"everywhere": true})
			if !ok {
				return
			}
			found = matchTasks(m.title, objects(res.Result, "tasks"))
		}
		switch len(found) {
		case 0:
			t.say("I found no open task “%s”.", m.title)
			if near := nearTask(m.title, objects(w.res.Result, "tasks")); near != "" {
				t.question = askMean + inQuotes(near) + "?"
			}
		case 1:
			t.changeOne(m, found[0])
		default:
			var lines []string
			for _, task := range found[:min(len(found), 6)] {
				lines = append(lines, t.taskLine(task))
			}
			t.say("More than one open task could be meant; which one?\n- %s", strings.Join(lines, "\n- "))
		}
	}
}

func (t *talk) changeOne(m meaning, task map[string]any) {
	if m.intent == updateTask && m.change == (todo{}) {
		t.say("To which day? Say it like “move it to 5 March”, with the task's name.")
		return
	}
	tool, did, ready := "complete_task", "Done:", "Ready to mark as done:"
	args := map[string]any{"task": str(task, "task"), "reason": fmt.Sprintf("mark “%s” as done, as you said", limit(str(task, "title"), 120))}
	if m.intent == updateTask {
		tool, did, ready = "update_task", "Changed:", "Ready to change:"
		args["reason"] = asAsked("change the task", str(task, "title"))
		if m.change.title != "" {
			args["title"], task["title"] = m.change.title, m.change.title
		}
		if m.change.due != "" {
			args["due"], task["due"] = m.change.due, m.change.due
		}
		if m.change.priority != "" {
			args["priority"], task["priority"] = m.change.priority, m.change.priority
		}
	}
	res, ok := t.more(tool, args)
	if !ok {
		return
	}
	w := &want{res: res}
	switch {
	case t.failed(w):
	case res.Status == "proposed":
		t.proposed(ready, []string{t.taskLine(task)}, nil)
	default:
		t.say("%s %s", did, t.taskLine(task))
	}
}

// matchTasks finds the tasks with that title, else those that have all its
// words.
func matchTasks(title string, tasks []map[string]any) []map[string]any {
	var exact, loose []map[string]any
	words := contentWords(tokenize(title))
	for _, task := range tasks {
		if strings.EqualFold(str(task, "title"), title) {
			exact = append(exact, task)
		} else if len(words) > 0 && covers(contentWords(tokenize(str(task, "title"))), words) {
			loose = append(loose, task)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return loose
}

// nearTask is the title that shares most words with what was said, typing errors
// forgiven; it is only ever asked about.
func nearTask(title string, tasks []map[string]any) string {
	best, most := "", 0.4
	words := contentWords(tokenize(title))
	for _, task := range tasks {
		hit := 0.0
		other := contentWords(tokenize(str(task, "title")))
		for _, w := range words {
			for _, o := range other {
				if same(w, o) > 0 || oneApart(w, o) {
					hit++
					break
				}
			}
		}
		if share := 2 * hit / float64(max(1, len(words)+len(other))); share > most {
			best, most = str(task, "title"), share
		}
	}
	return best
}

// covers: every word asked for is in the title, in whatever form.
func covers(title, asked []string) bool {
	for _, w := range asked {
		found := false
		for _, other := range title {
			found = found || same(w, other) >= 0.9 || irregular(w) == english.Stem(other)
		}
		if !found {
			return false
		}
	}
	return true
}

// irregular gives the base of past forms that stem can't know.
func irregular(w string) string {
	pairs := strings.Fields("bought buy paid pay sent send wrote write written write made make built build found find got get took take booked book told tell drew draw chose choose brought bring sold sell met meet read read cut cut put put fixed fix hung hang spoke speak")
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == w {
			return english.Stem(pairs[i+1])
		}
	}
	return english.Stem(w)
}

// tasks lists open tasks: of the project that is named or active, or of all.
func (t *talk) tasks(m meaning) {
	if len(m.project.found) > 1 {
		t.which(m.project.found)
		return
	}
	args, in := map[string]any{}, t.here
	switch {
	case len(m.project.found) == 1:
		in = &m.project.found[0]
		args["project"] = in.Slug
	case m.project.named && m.project.phrase != "":
		t.unknown(m.project)
		return
	case t.here == nil || m.about == "everywhere":
		in = nil
		args["everywhere"] = true
	}
	today := isoDay(t.sit.Now)
	when := ""
	switch m.scope {
	case "overdue":
		args["due_before"], when = today, " that are overdue"
	case "today":
		args["due_before"], when = isoDay(t.sit.Now.AddDate(0, 0, 1)), " due by today"
	case "tomorrow":
		args["due_before"], when = isoDay(t.sit.Now.AddDate(0, 0, 2)), " due by tomorrow"
	case "week":
		args["due_before"], when = isoDay(endOfWeek(t.sit.Now).AddDate(0, 0, 1)), " due this week"
	}
	a := t.act(nil)
	w := a.want(t, "list_tasks", args)
	a.then = func() {
		if !t.failed(w) {
			t.speakTasks(w.res.Result, in, when)
		}
	}
}

// maxSpoken bounds a list in a reply; nobody reads more in a conversation.
const maxSpoken = 15

func (t *talk) speakTasks(r map[string]any, in *model.Project, when string) {
	where := " in any project"
	if in != nil {
		where = " in **" + in.Name + "**"
	}
	tasks := objects(r, "tasks")
	if len(tasks) == 0 {
		t.say("There are no open tasks%s%s.", when, where)
		return
	}
	var lines []string
	for _, task := range tasks[:min(len(tasks), maxSpoken)] {
		line := t.taskLine(task)
		if in == nil && str(task, "project") != "" {
			line += " (" + t.nameOf(str(task, "project")) + ")"
		}
		lines = append(lines, line)
	}
	if in == nil {
		where = ""
	}
	t.say("Open tasks%s%s:\n- %s", when, where, strings.Join(lines, "\n- "))
	if more := num(r, "count") - len(lines); more > 0 {
		t.say("And %d more.", more)
	}
}

func (t *talk) nameOf(slug string) string {
	for _, p := range t.sit.Projects {
		if p.Slug == slug {
			return p.Name
		}
	}
	return slug
}
