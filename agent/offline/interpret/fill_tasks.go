package interpret

import (
	"slices"
	"strings"
	"time"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/value"
)

// fillTask finds what is said of tasks that are there, or are to be.
func (r *Reader) fillTask(c *Clause, m Meaning) Meaning {
	args := r.arguments(c, m.Intent)
	if where := args.first("project"); where != nil {
		m.Project = refer.To(c.Src, where, r.sit.Projects)
	}
	if of := r.Scope().Heading(c.Src, c.All); m.Project.Empty && !of.Empty {
		m.Project = of
	}
	if m.Intent == intent.AddTask {
		m = r.fillTodos(c, m, args)
		m.Todos = todo.Marked(c.Src, c.All, m.Todos, r.sit.Now)
		return m
	}
	m = c.withTitles(m, args)
	if m.Intent == intent.UpdateTask {
		return r.fillChange(c, m, args)
	}
	if i := slices.IndexFunc(c.All, func(t language.Token) bool { return language.Class("<aux>", t.Norm) }); i > 0 {
		if day, _ := todo.WholeDate(language.SkipOpeners(c.All[:i]), r.sit.Now); day != "" {
			return m.Nothing() // "the 21st is out"
		}
	}
	if len(m.Titles) == 0 {
		return ofHead(c, m)
	}
	return m
}

// withTitles is what a clause says of tasks with their titles.
func (c *Clause) withTitles(m Meaning, args arguments) Meaning {
	for i, toks := range args.every("task") {
		if i > 0 && c.besideTask(m, toks) || m.Intent == intent.UpdateTask && !c.Negated && language.Has(c.ahead(toks, 3), "not") {
			continue // "by car this time, not the train"
		}
		titles := c.counted(toks)
		if quoted := language.QuotationAround(c.Src, c.All, toks); quoted != "" {
			titles = []string{quoted}
		}
		m.Titles = append(m.Titles, slices.DeleteFunc(titles, func(title string) bool { return title == "" || slices.Contains(m.Titles, title) })...)
	}
	quoted := language.Quotations(c.Src, c.All)
	if title := args.first("title"); m.Intent == intent.UpdateTask && len(quoted) == 2 && (title == nil || language.QuotationAround(c.Src, c.All, title) == quoted[0]) { // "rename "X" to "Y""
		m.Titles, m.Change.Title = quoted[:1], language.Capital(quoted[1])
	} else if len(m.Titles) == 0 || m.Intent != intent.UpdateTask {
		m.Titles = append(notIn(quoted, m.Titles), m.Titles...)
	}
	return m
}

// besideTask: words that look like one more task say something of those before: "pay the fee by Tuesday, the
// number is 4471", "drop the saw, bought one off Bo for 240", or are the number of one.
func (c *Clause) besideTask(m Meaning, toks []language.Token) bool {
	past := func(t language.Token) bool { return t.Word && language.Past(t.Norm) }
	return m.Intent == intent.UpdateTask && language.Begins(c.behind(toks), "is|are|was|were") || m.Intent == intent.DeleteTask && slices.ContainsFunc(c.ahead(toks, 3), past) ||
		len(m.Titles) > 1 && len(toks) == 1 && language.IsDigits(toks[0].Norm)
}

// counted are the titles that words of a clause are: one, or several of a kind by their numbers.
func (c *Clause) counted(toks []language.Token) (titles []string) {
	for _, one := range language.Numbered(toks, c.behind(toks)) {
		titles = append(titles, titleOf(c, one))
	}
	return titles
}

// ofHead is about what the clause tells before its comma: "tiles picked, so tick that off", or
// what was told before it.
func ofHead(c *Clause, m Meaning) Meaning {
	i := slices.IndexFunc(c.All, func(t language.Token) bool { return t.Norm == "," && !t.Quoted })
	if i < 1 || m.Score < surely || len(language.ContentWords(c.All[:i])) == 0 {
		return ofBefore(c, m)
	}
	m.Titles = []string{titleOf(c, language.SkipOpeners(c.All[:i]))}
	return m
}

// fillChange finds what is to change of a task. Without a title it is the project's own
// date that moves.
func (r *Reader) fillChange(c *Clause, m Meaning, args arguments) Meaning {
	if by := args.first("by"); by != nil {
		m.Moved = todo.MovedBy(by, c.All)
	}
	if day, alone := dayIn(c, args, r.sit.Now); !m.Moved.Set() {
		m.Change.Due, m.DayAlone = day, alone
	}
	m.Change.Priority = value.Of("priority", args.first("priority"))
	if m.Change.Priority != "" && c.denied(args.first("priority")) {
		m.Change.Priority = "" // "it isn't so urgent"
	}
	m.Change.Status = value.Of("state", args.first("state"))
	if m.Change.Status == "" && language.Begins(c.Body, "reopen|untick|uncheck|re-open") {
		m.Change.Status = "todo" // its verb says it
	} else if m.Change.Status != "" && c.denied(args.first("state")) { // "the oven isn't in progress"
		m.Change.Status = map[string]string{"in_progress": "todo"}[m.Change.Status]
	}
	if title := args.first("title"); title != nil && m.Change.Title == "" && !m.otherThanTitle(c, title) && todo.Retitles(c.ahead(title, 3), title) {
		m.Change.Title = language.Capital(language.Unwrap(language.Spell(c.Src, language.Paired(title))))
	}
	if moved := todo.MovedThing(c.All, r.sit.Now); moved != nil {
		m.Titles = c.counted(moved)
	}
	m.Moved.Start = language.Has(c.All, "start|starts|starting|beginning|kickoff|kick-off|begin|begins")
	if m.Change == (todo.Todo{}) && !m.Moved.Set() {
		return m.Nothing()
	}
	if len(m.Titles) == 0 && (m.Change.Due == "" && !m.Moved.Set() || !ownDate(r, c)) {
		return ofBefore(c, m)
	}
	return m
}

// denied: what stands right before some tokens takes them back.
func (c *Clause) denied(toks []language.Token) bool {
	return language.Has(c.ahead(toks, 3), "not|never|nobody|no|less|hardly|nicht|kein|keine|weniger")
}

// otherThanTitle: what was taken for a new title says by how much the task moves, or what
// it is now: "push back a week".
func (m *Meaning) otherThanTitle(c *Clause, title []language.Token) bool {
	if len(title) > 5 || title[0].Quoted || language.Has(c.All, "<renameverb>|title|called|named|read|say|word") {
		return false
	}
	if by := todo.MovedBy(title, c.All); by.Set() {
		m.Moved = by
		return true
	}
	if state := value.Of("state", title); state != "" {
		m.Change.Status = state
		return true
	}
	return false
}

// dateOwners are words for all of a project, or its end.
const dateOwners = "deadline|deadlines|end|finish|project|everything|schedule|timeline|timetable|kickoff|kick-off|launch|opening|release|extension|frist|termin"

// ownDate: it is the project's own date that is spoken of, and hardly anything else.
func ownDate(r *Reader, c *Clause) bool {
	toks := c.All
	if d, ok := language.FindDay(toks, r.sit.Now); ok {
		toks = language.Cut(toks, d.Start, d.End)
	}
	if !language.Has(toks, dateOwners) {
		return false
	}
	var name []string
	if r.sit.Project != nil {
		name = refer.NameWords(*r.sit.Project)
	}
	n := 0
	for _, w := range language.ContentWords(toks) {
		if !language.In(dateOwners, w) && !slices.Contains(name, w) && !language.Light(w) && !slices.ContainsFunc([]string{"<later>", "<sooner>", "<shifted>", "<ordering>", "<timeunit>", "<timeword>", "<verb>"}, func(class string) bool { return language.Class(class, w) }) {
			n++
		}
	}
	return n <= 3
}

// ofBefore is about what was told just before: "started the CAN tests. Due 3 December".
func ofBefore(c *Clause, m Meaning) Meaning {
	follows := takesAway(m.Intent) && language.Begins(c.All, "so|therefore|thus|hence|deshalb|daher") // what follows from something leaves it as it is
	if before := c.Before(); before != "" && saysMore(before) && !follows {
		m.Titles = []string{before}
		return m
	}
	if m.Points = language.Has(c.All, "it|that|this|them|das|es"); m.Points {
		return m
	}
	return m.Nothing()
}

// Before is the sentence that stands before the clause.
func (c *Clause) Before() string {
	if len(c.All) == 0 {
		return ""
	}
	toks := language.Tokenize(c.Src[:c.All[0].Start])
	list := sentences(c.Src[:c.All[0].Start], toks)
	if len(list) == 0 {
		return ""
	}
	return language.Limit(strings.Trim(language.Spell(c.Src, toks[list[len(list)-1].from:]), " ,;:-"), 200)
}

// due is the day that is named, rather that to which something goes: "not before the 3rd,
// push it to the 5th".
func (a arguments) due() []language.Token {
	for _, due := range a.every("due") {
		if language.Begins(due, "to|till|until") {
			return due
		}
	}
	return a.first("due")
}

// dayIn is the day that stands in the slot for it, or else beside the other slots; alone:
// by no more than its number.
func dayIn(c *Clause, args arguments, now time.Time) (day string, alone bool) {
	if d, ok := todo.DateIn(args.due(), now); ok {
		return language.ISODay(d.Day), todo.DayAlone(args.due())
	}
	toks := c.All
	for _, slot := range []string{"task", "title", "project", "due"} {
		toks = language.Without(toks, args.every(slot))
	}
	if d, ok := language.FindDay(toks, now); ok {
		return language.ISODay(d.Day), todo.DayAlone(toks[d.Start:d.End])
	}
	return "", false
}
