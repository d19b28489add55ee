package lookup

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// dueOfProject tells when a project as a whole is due: by its own date, else by what was told.
func (t *Finder) dueOfProject(p model.Project) {
	a := t.Act(nil)
	show := a.Want("show_project", map[string]any{"project": p.Slug})
	own := a.Want("read_document", projectDocument(p))
	inbox := a.Want("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400})
	a.Then = func() {
		if t.Failed(show) {
			return
		}
		if due := turn.Str(show.Result.Result, "due"); due != "" {
			t.Say("**%s** is due %s (%s).", p.Name, language.SayDay(due, t.Situation.Now), turn.Str(show.Result.Result, "path"))
			return
		}
		q := passage.Question{Want: passage.When, Words: strings.Fields("due deadline submit launch opening extension"), Now: t.Situation.Now, Only: true}
		var docs []passage.Document
		for _, w := range []*turn.Want{own, inbox} {
			if w.Result.OK {
				docs = append(docs, documentOf(w.Result.Result))
			}
		}
		if t.dueOfLast(docs) {
			return
		}
		var lines []string
		for _, word := range q.Words { // any of them will do
			q.Words = []string{word}
			if quotes := q.Answer(docs); len(quotes) > 0 && quotes[0].Holds {
				lines = append(lines, fmt.Sprintf("“%s” (%s:%d)", quotes[0].Text, quotes[0].Path, quotes[0].Line))
			}
		}
		if lines = slices.Compact(lines); len(lines) > 0 {
			t.Say("**%s** has no date of its own, but:\n- %s", p.Name, strings.Join(lines[:min(len(lines), 3)], "\n- "))
			return
		}
		t.Nothing("Nothing says when **%s** is due. Say it like “it is due on 5 March”.", p.Name)
	}
}

// dueOfLast tells the days of what was spoken of in the message before, where the question says
// "he", "she" or "they", or "it" of a thing that was just told of.
func (t *Finder) dueOfLast(docs []passage.Document) bool {
	if !passage.Back(language.Tokenize(t.Text)) || len(extract.Telling(t.Before)) == 0 {
		return false
	}
	q := passage.Question{Want: passage.When, Words: strings.Fields(language.Topic(language.Tokenize(t.Before))), Now: t.Situation.Now, Only: true}
	quotes := q.Nearest(docs)
	if len(quotes) > 0 {
		t.sayQuotes(q, "Of what you told last:", quotes, docs)
	}
	return len(quotes) > 0
}

// dueOf tells when the task is due that a question for a date finds, where its words say
// nothing of it.
func (t *Finder) dueOf(q passage.Question, docs []passage.Document, tasks *turn.Want) bool {
	if q.Want != passage.When || tasks == nil {
		return false
	}
	best := q.Answer(docs)
	if len(best) == 0 || best[0].Holds {
		return false
	}
	for _, task := range turn.Objects(tasks.Result.Result, "tasks") {
		if turn.Str(task, "task") == best[0].Path && turn.Str(task, "due") != "" {
			t.Say("%s", t.TaskLine(task))
			return true
		}
	}
	return false
}

// dueDates answers a "when" from the tasks, with what was told since of what they are.
func dueDates(t *Finder, q passage.Question, query string, docs []passage.Document, tasks *turn.Want) bool {
	if tasks == nil || !tasks.Result.OK {
		return false
	}
	words := language.ContentWords(language.Tokenize(query))
	var lines []string
	var titles []passage.Quote
	for _, task := range turn.Objects(tasks.Result.Result, "tasks") {
		if turn.Str(task, "due") != "" && len(words) > 0 && language.Covers(language.ContentWords(language.Tokenize(turn.Str(task, "title"))), words) {
			lines = append(lines, t.TaskLine(task)+" ("+turn.Str(task, "task")+")")
			titles = append(titles, passage.Quote{Path: turn.Str(task, "task"), Text: turn.Str(task, "title")})
		}
	}
	if len(lines) == 0 {
		return false
	}
	lines = lines[:min(len(lines), 5)]
	later, instead := q.Later(titles, docs, t.Said)
	later = slices.DeleteFunc(later, func(c passage.Quote) bool { // that is why it is due then
		day, on := passage.DayIn(c.Text, t.Situation.Now)
		return on && strings.Contains(strings.Join(lines, "\n"), language.SayDay(language.ISODay(day), t.Situation.Now))
	})
	for i, c := range later {
		if i == 0 && instead {
			lines = append([]string{t.quoted(q, c, docs, true)}, lines...)
			lines[1] = "before that: " + lines[1]
			continue
		}
		lines = append(lines, "told since: "+t.quoted(q, c, docs, false))
	}
	t.Say("- %s", strings.Join(lines, "\n- "))
	return true
}
