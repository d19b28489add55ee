package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// A dated thing is a task or a project, with the day that it would move to.
type dated struct {
	title   string
	ref     string // of a task
	project string // slug, of a project
	was     string // the day it has now
	to      string
	start   bool
}

// reschedule gives the task or the project that a message is about another day. It
// asks where several fit, and calls otherwise where none does.
func (t *Keeper) reschedule(m interpret.Meaning, otherwise func()) {
	a := t.Act(nil)
	args := map[string]any{}
	if p, ok := m.Project.One(); ok && t.Here != nil && p.Slug != t.Here.Slug {
		args["project"] = p.Slug
	} else if t.Here == nil {
		args["everywhere"] = true
	}
	w := a.Want("list_tasks", args)
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		found, sure, ok := t.movable(m, turn.Objects(w.Result.Result, "tasks"))
		switch {
		case !ok:
		case len(found) == 0:
			t.Late(otherwise)
		case m.Moved.Unclear:
			t.Say("Later or earlier? Say it like “%s two weeks later”.", found[0].title)
		default:
			t.moveOrAsk(m, found, sure)
		}
	}
}

// Update changes tasks, or the date of whatever is meant.
func (t *Keeper) Update(m interpret.Meaning) {
	Dates(t, m, func(m interpret.Meaning) { updateTasks(t, m) })
}

func updateTasks(t *Keeper, m interpret.Meaning) {
	if m.Righted && m.ByPronoun() && m.Change.Title != "" && !t.ofTaskBefore() {
		t.rename(interpret.Meaning{Intent: intent.RenameProject, Score: m.Score, Clause: m.Clause, Name: language.TitleCase(m.Change.Title)})
		return
	}
	if len(m.Titles) == 1 && m.Title == "" {
		m.Title = m.Titles[0]
	}
	if also := m.Change; m.Righted || len(m.Titles) > 1 || also.Due == "" && !m.Moved.Set() || also.Title != "" || also.Priority != "" || also.Status != "" {
		t.ChangeKnown([]interpret.Meaning{m}, func() { t.missing(m) })
		return
	}
	t.reschedule(m, func() {
		switch {
		case !m.Moved.Stated && m.Title != "":
			t.missing(m)
		default:
			t.fallback()
		}
	})
}

// Obligation adds what has to be done, or gives what is there its day. "We have to push the
// launch to 30 June" is about the launch, where there is one.
func (t *Keeper) Obligation(m interpret.Meaning) {
	Dates(t, m, func(m interpret.Meaning) { oblige(t, m) })
}

func oblige(t *Keeper, m interpret.Meaning) {
	if c := m.Clause; c != nil && len(m.Todos) == 1 && len(c.Body) > 0 && language.Fits(c.Body[0], "<later>|<sooner>|<shifted>") {
		if mm := t.Filled(c, intent.UpdateTask, m.Score); mm.Intent == intent.UpdateTask && len(mm.Titles) > 0 {
			mm.Title = mm.Titles[0]
			t.reschedule(mm, func() { t.addTasks(m) })
			return
		}
	}
	t.addTasks(m)
}

// movable finds what may be meant. sure says that a single one needs no question; ok
// is false while calls are still to be answered.
func (t *Keeper) movable(m interpret.Meaning, tasks []map[string]any) (found []dated, sure, ok bool) {
	if whole := refer.Whole(t.Text, tasks); len(whole) > 0 {
		tasks = whole
	}
	if m.Title != "" {
		args := map[string]any{}
		if t.Here == nil {
			args["everywhere"] = true
		}
		list, sure, answered := t.tasksCalled(m, m.Title, args, tasks)
		if !answered {
			return nil, false, false
		}
		for _, task := range list {
			if d := datedTask(task, m.Moved.Start); !m.Moved.Stated && !d.start || tellsOf(m, d, t.Situation.Now) {
				found = append(found, d)
			}
		}
		if len(found) > 0 {
			return found, sure, true
		}
	}
	slug := projectOf(t, m)
	if slug == "" {
		return nil, false, true
	}
	res, answered := t.More("show_project", map[string]any{"project": slug})
	if !answered {
		return nil, false, false
	}
	whole := dated{title: turn.Str(res.Result, "name"), project: slug, was: turn.Str(res.Result, "due"), start: m.Moved.Start}
	if whole.start {
		whole.was = turn.Str(res.Result, "start")
	}
	switch {
	case whole.was != "":
		return []dated{whole}, m.Title == "", true
	case m.Title != "":
		return nil, false, true // "the launch", and nothing of that name has a date
	case m.Change.Due != "":
		return []dated{whole}, !m.Points || t.lastTask() == "", true // the first one it gets
	}
	for _, task := range tasks {
		if d := datedTask(task, m.Moved.Start); d.was != "" {
			found = append(found, d)
		}
	}
	return found, false, true
}

// projectOf is the project whose day a meaning may move: the one it names, or that at hand, unless
// it is told of something else. Empty: none.
func projectOf(t *Keeper, m interpret.Meaning) string {
	if _, other := t.Elsewhere(m.Clause); other || !ofWhole(m) {
		return ""
	}
	if p, one := m.Project.One(); one {
		return p.Slug
	}
	if t.Here == nil {
		return ""
	}
	return t.Here.Slug
}

// tellsOf: news of a day is of a task where it is about all that the task is about, or says that
// its date changes: the day on which "Mick can do the electrics" is not that of "ask Mick about
// the electrics". What begins on a day had one on which it began.
func tellsOf(m interpret.Meaning, d dated, now time.Time) bool {
	if d.start {
		return d.was != "" || m.Clause != nil && ordersChange(m.Clause)
	}
	return m.Clause == nil || moves(m) || language.Has(m.Clause.All, "due|deadline|until|till") || refer.Same(m.Title, d.title) && onlyDates(m.Clause, d.title, now)
}

// onlyDates: of what a title names a clause says a day and no more: "the soprano is ill on
// Friday" does, and "the church is booked for the 12th" says that something was done.
func onlyDates(c *interpret.Clause, title string, now time.Time) bool {
	day, ok := language.FindDay(c.All, now)
	if !ok {
		return true
	}
	rest := language.ContentWords(append(slices.Clone(c.All[:day.Start]), c.All[day.End:]...))
	return c.Happened() == 0 && language.Covers(language.ContentWords(language.Tokenize(title)), rest)
}

func datedTask(task map[string]any, start bool) dated {
	d := dated{title: turn.Str(task, "title"), ref: turn.Str(task, "task"), was: turn.Str(task, "due"), start: start}
	if start {
		d.was = turn.Str(task, "start")
	}
	return d
}

// DayMoved is where a task moves to, as newDay tells, and its day before.
func DayMoved(m interpret.Meaning, task map[string]any, now time.Time) (to, was string) {
	d := datedTask(task, false)
	return newDay(m, d, now), d.was
}

// newDay is where a thing moves to; "" where that can't be told.
func newDay(m interpret.Meaning, d dated, now time.Time) string {
	was, err := time.Parse("2006-01-02", d.was)
	if due, e := time.Parse("2006-01-02", m.Change.Due); e == nil {
		// "Push it to the 22nd": of the month in which it is.
		if same := time.Date(was.Year(), was.Month(), due.Day(), 0, 0, 0, 0, time.UTC); err == nil && m.DayAlone && same.Day() == due.Day() && language.ISODay(same) >= language.ISODay(now) {
			return language.ISODay(same)
		}
		later := err == nil && m.Clause != nil && language.Has(m.Clause.All, "after|following")
		for later && !due.After(was) { // "push that to the Saturday after": that of its own day
			due = due.AddDate(0, 0, 7)
		}
		return language.ISODay(due)
	}
	if err != nil {
		return ""
	}
	day := was.AddDate(0, m.Moved.Months, m.Moved.Days)
	if m.Moved.Months != 0 && day.Day() != was.Day() {
		day = language.LastOfMonth(was.Year(), was.Month()+time.Month(m.Moved.Months)) // a month after 31 January
	}
	return language.ISODay(day)
}

func (t *Keeper) moveOrAsk(m interpret.Meaning, found []dated, sure bool) {
	var able []dated
	for _, d := range found {
		if d.to = newDay(m, d, t.Situation.Now); d.to != "" {
			able = append(able, d)
		}
	}
	switch {
	case len(able) == 0:
		t.Say("“%s” has no date yet. To which day? Say it like “%s is due on 5 March”.", found[0].title, found[0].title)
	case len(able) == 1 && (sure || len(found) > 1 && m.Title != ""):
		t.move(able[0])
	case len(able) == 1:
		t.Offer(func() { t.move(able[0]) })
	default:
		t.whichMoves(able[:min(len(able), 6)])
	}
}

// option is how a question names a thing: what it is, and the day it would have.
func (d dated) option() string {
	day, kind := d.to, "to "
	if at, err := time.Parse("2006-01-02", d.to); err == nil {
		day = at.Format("2 January 2006")
	}
	if d.start {
		kind = "to begin on "
	}
	if d.project != "" {
		kind = "the project, " + kind
	}
	return turn.InQuotes(d.title) + " (" + kind + day + ")"
}

// whichMoves asks which of several things gets its new day.
func (t *Keeper) whichMoves(able []dated) {
	args := map[string]string{}
	var names, shown []string
	for i, d := range able {
		names, shown = append(names, d.title), append(shown, d.option())
		for key, value := range map[string]string{"task": d.ref, "project": d.project, "to": d.to} {
			if value != "" {
				args[turn.Nth(key, i)] = value
			}
		}
		if d.start {
			args[turn.Nth("start", i)] = "yes"
		}
	}
	t.Choose(turn.AskMove, args, names, shown)
}

// MoveAnswered moves those that were chosen.
func (t *Keeper) MoveAnswered(q model.Question) ([]interpret.Meaning, bool) {
	chosen := refer.Pick(t.Text, q.Choices)
	declined := consent.Read(t.Text) == consent.No
	if t.Situation.Mode == "project_update" {
		defer t.GoOn()
	}
	switch {
	case declined:
		t.Say("All right, the dates stay as they are.")
	case len(chosen) > 0:
		t.moveChosen(q, chosen)
	}
	return nil, declined || len(chosen) > 0
}

// moveChosen moves what was chosen, as it is now.
func (t *Keeper) moveChosen(q model.Question, chosen []int) {
	a := t.Act(nil)
	w := a.Want("list_tasks", map[string]any{"everywhere": true})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		for _, i := range chosen {
			d := dated{title: q.Choices[i], project: q.Args[turn.Nth("project", i)], start: q.Args[turn.Nth("start", i)] != ""}
			if d.project == "" {
				task, ok := stillThere(q, i, turn.Objects(w.Result.Result, "tasks"))
				if !ok {
					continue
				}
				d = datedTask(task, d.start)
			}
			if d.to = q.Args[turn.Nth("to", i)]; d.to == "" {
				continue // the session's file was edited
			}
			t.move(d)
			if len(t.Calls) > 0 {
				return
			}
		}
	}
}

// move gives one thing its new day.
func (t *Keeper) move(d dated) {
	key, word := "due", "due"
	if d.start {
		key, word = "start", "beginning"
	}
	line := func(what string, day func(string) string) string {
		line := what + ", " + word + " " + day(d.to)
		if d.was != "" && d.was != d.to {
			line += " (it was " + day(d.was) + ")"
		}
		return line
	}
	tool, what, asked := "update_task", "“"+d.title+"”", ", as you asked"
	args := map[string]any{"task": d.ref, key: d.to, "reason": "change the task " + line(what, language.FullDay)}
	if d.project != "" {
		tool, what, asked = "update_project", "**"+d.title+"**", ", as you told me"
		args = map[string]any{"project": d.project, key: d.to, "reason": "change " + line(d.title, language.FullDay)}
	}
	if !t.Offering {
		args["reason"] = args["reason"].(string) + asked
	}
	res, ok := t.More(tool, args)
	if !ok {
		return
	}
	switch w := (&turn.Want{Result: res, Answered: true}); {
	case t.Failed(w), t.Already(w, "That's so already: "+line(what, t.day)):
		return
	case res.Status == "proposed":
		t.Proposed("Ready to change:", []string{line(what, t.day)}, nil)
	default:
		t.Say("Changed: %s", line(what, t.day))
	}
	t.leftAsItIs(d)
}

// day puts a day into words for a reply.
func (t *Keeper) day(iso string) string { return language.SayDay(iso, t.Situation.Now) }

// leftAsItIs names a line of the project's page that still tells the old date: what
// the user wrote there is theirs to change.
func (t *Keeper) leftAsItIs(d dated) {
	if t.Here == nil || d.was == "" || d.was == d.to {
		return
	}
	res, ok := t.More("read_document", map[string]any{"path": cmp.Or(t.Here.Path, "projects/"+t.Here.Slug+"/project.md"), "from": 1, "lines": 400})
	if !ok || !res.OK {
		return
	}
	lines, path := turn.Strs(res.Result, "lines"), turn.Str(res.Result, "path")
	past, front := false, false
	for i, line := range lines {
		if i == 0 && line == "---" || front {
			front = i == 0 || line != "---"
			continue
		}
		if strings.HasPrefix(line, "#") {
			past = language.Has(language.Tokenize(line), "decisions|history|log|conversations|notes|done")
			continue
		}
		if d.ref == fmt.Sprintf("%s:%d", path, i+1) {
			continue // the checkbox that moves
		}
		if text := lookup.PlainLine(line); !past && text != "" && tellsDay(text, d.was, t.Situation.Now) {
			t.Say("I left this line as it is: “%s” (%s:%d)", language.Limit(text, 160), path, i+1)
			return
		}
	}
}

// tellsDay reports whether a text names that day, by its number and month.
func tellsDay(text, iso string, now time.Time) bool {
	toks := language.Tokenize(text)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	for i := range toks {
		if i > 0 && language.StartsInside(toks, i) {
			continue
		}
		for _, read := range []func([]language.Token, time.Time) (time.Time, int, bool){language.NumericDate, language.MonthDate} {
			if day, n, ok := read(toks[i:], today); ok && language.ISODay(day) == iso && (n > 1 || toks[i].Norm == iso) {
				return true
			}
		}
	}
	return false
}
