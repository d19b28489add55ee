package offline

import (
	"fmt"
	"strings"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/draft"
	"kist/agent/offline/interpret"
	"kist/agent/offline/naming"
	"kist/agent/offline/record"
	"kist/agent/offline/refer"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// What a long message or an outline would become is told first, and done on "go".
// The question keeps the message, which is read again then.

// A branch is a task with its parts.
type branch struct {
	todo.Todo
	parts []string
}

// A plan is what a message would become.
type plan struct {
	name      string         // of a project to make; empty: none
	about     string         // its description
	into      *model.Project // where the rest goes; nil: the new one, or no project
	decisions []string
	tasks     []branch
	note      string
}

func (p plan) size() int { return len(p.decisions) + len(p.tasks) }

// proposing tells what a long message or an outline would become. false: it is
// neither.
func (t *talk) proposing() bool {
	if t.Situation.Mode == "project_create" {
		return false
	}
	_, drawn := outline(t.Text)
	if !drawn && !guide.IsBrainDump(t.Text, false) {
		return false
	}
	p, ok := t.planOf(t.Text)
	if len(t.Calls) > 0 {
		return true
	}
	if !ok || p.size() == 0 {
		return false
	}
	if drawn && p.into == nil && p.name == "" {
		t.Say("Which project is this for? Say “let's talk about ...” or “create a project for ...”, then send it again.")
		t.ListProjects()
		return true
	}
	t.speakPlan(p)
	if p.into != nil && p.into.CreatedBy != "agent" {
		t.Offer(func() { t.carryOut(p) }) // there, each would be asked about again
		return true
	}
	t.Ask(turn.AskPlan, map[string]string{"text": t.Text})
	return true
}

func (t *talk) speakPlan(p plan) {
	switch {
	case p.name != "":
		t.Say("I'd start a project **%s** with this in it:", p.name)
	case p.into != nil:
		t.Say("I'd put this into **%s**:", p.into.Name)
	default:
		t.Say("I'd write this down in your vault, outside any project:")
	}
	t.Bullets("As decided:", p.decisions)
	t.Bullets("To do:", t.branchLines(p.tasks))
	if p.note != "" {
		t.Say("And a note with the rest: “%s”", language.Limit(language.OneLine(p.note), 160))
	}
	t.Say("Nothing is written yet.")
}

func (t *talk) branchLines(tasks []branch) []string {
	var out []string
	for _, b := range tasks {
		line := t.TaskLine(turn.TodoLine(b.Todo))
		if len(b.parts) > 0 {
			line += ": " + strings.Join(b.parts, ", ")
		}
		out = append(out, line)
	}
	return out
}

// planOf reads a message as a plan.
func (t *talk) planOf(text string) (plan, bool) {
	p := plan{into: t.Here}
	if tasks, ok := outline(text); ok {
		p.tasks = tasks
		return p, true
	}
	before := ""
	var rest []string
	for _, s := range guide.Sentences(text) {
		if !t.sort(&p, s, before) {
			rest = append(rest, s)
		}
		before = s
	}
	p.note = strings.Join(rest, " ")
	return p, p.into != nil || t.home(&p, text)
}

// planAnswered does what was laid out, all of it or nothing: what doesn't belong can be taken out then.
// The message that it was laid out of is read again.
func planAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	toks := language.Tokenize(t.Text)
	switch {
	case consent.Read(t.Text) == consent.No:
		t.Say("All right, nothing was written.")
	case agrees(t.Text) && q.Args["amended"] == "": // as a kist of before may have kept it
		p, ok := t.planOf(q.Args["text"])
		if len(t.Calls) > 0 {
			return nil, true
		} else if !ok {
			return nil, false
		}
		t.carryOut(p)
	case len(toks) < longestAnswer && !language.Asks(toks) && language.Begins(language.TrimMarks(toks), "yes|ok|okay|no|nope|nah|go|just|only|but|without|not|ja|nein|nur|ohne"):
		t.Say("Nothing is written yet, and I can do all of it or nothing. Say just “go”, and then what to change or take out; or “no”.")
		t.Ask(turn.AskPlan, map[string]string{"text": q.Args["text"]})
	default:
		return nil, false // it tells more, or wants to know something
	}
	return nil, true
}

// longestAnswer is how many words an answer to a plan has.
const longestAnswer = 60

// sort puts a sentence of a brain dump where it belongs; false: into the note. What it
// points to the one before may have named.
func (t *talk) sort(p *plan, s, before string) bool {
	placed, left := false, false
	for _, m := range t.Read(s) {
		switch m.Intent {
		case intent.AddTask:
			for _, item := range m.Todos {
				if item.Title != "" && len(p.tasks) < 40 {
					item.Title = title.Named(item.Title, before+"\n"+s)
					p.tasks = append(p.tasks, branch{Todo: item})
					placed = true
				}
			}
		case intent.AddDecision:
			p.decisions = append(p.decisions, record.OwnWords(m))
			placed = true
		case intent.CreateProject:
			if p.into == nil && p.name == "" {
				p.name, p.about = language.Limit(m.Name, 100), s
				placed = true
			}
		case intent.Switch:
			if to, ok := m.Project.One(); ok {
				p.into, placed = &to, true // "back to the organ: ..."
			}
		default:
			left = left || m.Intent != intent.Greet && m.Intent != intent.Thanks
		}
	}
	if !placed && t.tellsDate(s) {
		if item := todo.Read(s, language.Tokenize(s), t.Situation.Now); item.Due >= language.ISODay(t.Situation.Now) && item.Title != "" {
			worded, ok := title.OfTask(item.Title)
			if item.Title = worded; ok {
				p.tasks = append(p.tasks, branch{Todo: item})
			}
			return ok
		}
	}
	return placed && !left
}

// tellsDate: a sentence names a day by which something is to be done.
func (t *talk) tellsDate(s string) bool {
	ends := language.Has(language.Tokenize(s), "deadline|deadlines|due|ends|expires|expire|runs|run")
	return plainDate().MatchString(s) && (ends || interpret.Probable(t.Readings(s), intent.AddTask) >= interpret.Choice)
}

var plainDate = language.Pattern(`(?i)\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(st|nd|rd|th)?\s+(of\s+)?(january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(january|february|march|april|june|july|august|september|october|november|december)\s+\d{1,2}\b`)

// home finds the project that a brain dump belongs to where none is active: the one
// it names, or the one it begins.
func (t *talk) home(p *plan, text string) bool {
	if found := refer.Mentioned(language.Tokenize(text), t.Situation.Projects); len(found) == 1 {
		p.into, p.name = &found[0], ""
		return true
	}
	if p.name == "" {
		p.name = naming.Thing(text)
		p.about = draft.About(text)
	}
	if p.name != "" {
		if own, ok := refer.ByName(t.Situation.Projects, p.name); ok {
			p.into, p.name = &own, ""
		} else if flat, known := t.LikesFlat(); !known {
			return false
		} else if flat {
			p.name = ""
		}
	}
	return true
}

// carryOut does what a plan says.
func (t *talk) carryOut(p plan) {
	a := t.Act(nil)
	var wants []*turn.Want
	add := func(tool string, args map[string]any) { wants = append(wants, a.Want(tool, args)) }
	switch {
	case p.name != "":
		add("create_project", map[string]any{"name": p.name, "description": language.Limit(p.about, 1500), "reason": "start the project " + p.name + ", as you agreed"})
		t.Here, t.IsNew = nil, true
	case p.into != nil && (t.Here == nil || t.Here.Slug != p.into.Slug):
		add("switch_project", map[string]any{"project": p.into.Slug})
		t.Here = p.into
	}
	for _, d := range p.decisions[:min(len(p.decisions), 10)] {
		add("add_decision", map[string]any{"text": d, "reason": fmt.Sprintf("record the decision “%s”", language.Limit(language.OneLine(d), 120))})
	}
	if p.name == "" && p.into == nil { // tasks belong to projects; anywhere else they are checkboxes
		for _, b := range p.tasks {
			p.note += "\n- [ ] " + b.Title
		}
		p.tasks = nil
	}
	if len(p.tasks) > 0 {
		add("build_subtree", map[string]any{"tasks": treeOf(p.tasks)})
	}
	if p.note != "" {
		add("create_note", map[string]any{"title": turn.NoteTitle(p.note), "text": strings.TrimSpace(p.note) + "\n", "reason": turn.AsAsked(t.Offering, "write the note", turn.NoteTitle(p.note))})
	}
	a.Then = func() {
		for _, w := range wants {
			t.Failed(w)
			t.Waits = t.Waits || w.Result.Status == "proposed"
		}
		switch {
		case t.Offering:
			return
		case t.Waits:
			t.Say("It's prepared.")
			return
		}
		t.Say("Done: %s. “Undo” takes all of it back.", p.sum())
	}
}

func treeOf(tasks []branch) []map[string]any {
	var out []map[string]any
	for _, b := range tasks[:min(len(tasks), 60)] {
		m := map[string]any{"title": language.Limit(b.Title, 200)}
		if b.Due != "" {
			m["due"] = b.Due
		}
		if b.Priority != "" {
			m["priority"] = b.Priority
		}
		if len(b.parts) > 0 {
			m["children"] = b.parts[:min(len(b.parts), 40)]
		}
		out = append(out, m)
	}
	return out
}

// sum counts what a plan made.
func (p plan) sum() string {
	var parts []string
	if p.name != "" {
		parts = append(parts, "the project **"+p.name+"**")
	}
	if n := len(p.decisions); n > 0 {
		parts = append(parts, turn.Plural(n, "decision"))
	}
	if n := len(p.tasks); n > 0 {
		within := 0
		for _, b := range p.tasks {
			within += len(b.parts)
		}
		line := turn.Plural(n, "task")
		if within > 0 {
			line += " with " + turn.Plural(within, "part")
		}
		parts = append(parts, line)
	}
	if p.note != "" {
		parts = append(parts, "a note")
	}
	if n := len(parts); n > 1 {
		parts = append(parts[:n-2], parts[n-2]+" and "+parts[n-1])
	}
	return strings.Join(parts, ", ")
}

var (
	listMark = language.Pattern(`^(\s*)(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(.+)$`)
	partMark = language.Pattern(`(?i)^(?:chapter|part|phase|section|step|week|module|act|stage|unit|lesson|sprint|milestone)\s+[\w]+\b`)
)

// outline reads headings with points below them, or a row of "Chapter 1: a, b, c;
// chapter 2: d, e". A plain list is no outline.
func outline(text string) ([]branch, bool) {
	if tasks := inline(text); len(tasks) > 1 {
		return tasks, true
	}
	var tasks []branch
	base, headed, parts, other := -1, false, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		plain := strings.TrimSpace(line)
		m := listMark().FindStringSubmatch(line)
		switch {
		case plain == "":
		case m != nil && len(tasks) > 0 && (headed || len(m[1]) > base):
			last := &tasks[len(tasks)-1]
			last.parts = append(last.parts, language.Limit(strings.TrimSpace(m[2]), 200))
			parts++
		case m != nil:
			tasks, base = append(tasks, branch{Todo: todo.Todo{Title: language.Limit(strings.TrimSuffix(m[2], ":"), 200)}}), len(m[1])
		case partMark().MatchString(plain), strings.HasSuffix(plain, ":") && other > 0:
			tasks, headed = append(tasks, branch{Todo: todo.Todo{Title: language.Limit(strings.TrimSuffix(plain, ":"), 200)}}), true
		default:
			other++
		}
	}
	return tasks, len(tasks) > 0 && parts > 0 && parts+len(tasks) > 2 && other < 2
}

func inline(text string) []branch {
	var tasks []branch
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' || r == '.' }) {
		piece = strings.TrimSpace(piece)
		head, tail, ok := strings.Cut(piece, ": ")
		if !ok || !partMark().MatchString(head) || !strings.Contains(tail, ",") {
			continue
		}
		b := branch{Todo: todo.Todo{Title: language.Capital(head)}}
		for part := range strings.SplitSeq(strings.ReplaceAll(tail, " and ", ", "), ",") {
			if part = strings.TrimSpace(part); part != "" {
				b.parts = append(b.parts, part)
			}
		}
		tasks = append(tasks, b)
	}
	return tasks
}
