package lookup

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// AsksDates: a question is for what is on which day, and not only for tasks.
func AsksDates(toks []language.Token) bool {
	_, _, ok := language.Find(toks, "what|which|any|the|these|those|our|my|all important|key|main|other? dates|appointments|deadlines", "dates|appointments|deadlines coming|ahead|are|do|have|for")
	return ok && !language.Has(toks, "<taskword>|tasks|without|no|today|tomorrow|week|weekend|month|year") && !slices.ContainsFunc(toks, func(t language.Token) bool { return language.IsMonth(t.Norm) || language.Digital(t.Norm) })
}

// Dates tells what is ahead in a project: its tasks that have a date, and what was told to
// be on one, the nearest first. What a later word took the place of isn't told.
func (t *Finder) Dates(p model.Project) {
	a := t.Act(nil)
	tasks := a.Want("list_tasks", map[string]any{"project": p.Slug, "due": "any"})
	own := a.Want("read_document", projectDocument(p))
	inbox := a.Want("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400})
	kept := a.Want("list_memories", map[string]any{"project": p.Slug, "days": language.ISODay(t.Situation.Now) + "/"})
	a.Then = func() {
		if t.Failed(tasks) {
			return
		}
		var list []dated
		for _, task := range turn.Objects(tasks.Result.Result, "tasks") {
			list = append(list, dated{turn.Str(task, "due"), fmt.Sprintf("“%s”", turn.Str(task, "title")), turn.Str(task, "title")})
		}
		list = append(list, t.datesTold(p, list, own, inbox)...)
		for _, each := range turn.Objects(kept.Result.Result, "told") {
			text := turn.Str(each, "content")
			if d := (dated{turn.Str(each, "day"), fmt.Sprintf("“%s” (%s)", text, turn.Str(each, "path")), text}); turn.Str(each, "project") == p.Slug && !d.isTask(list) {
				for _, also := range turn.Strs(each, "also_on") {
					list = append(list, dated{also, d.line, text})
				}
				list = append(list, d)
			}
		}
		sort.SliceStable(list, func(i, j int) bool { return list[i].day < list[j].day })
		var lines []string
		for _, d := range list[:min(len(list), turn.MaxSpoken)] {
			lines = append(lines, language.SayDay(d.day, t.Situation.Now)+": "+d.line)
		}
		if len(lines) == 0 {
			t.Say("Nothing in **%s** says that anything is on a day to come.", p.Name)
			return
		}
		t.Say("Coming up in **%s**:\n- %s", p.Name, strings.Join(lines, "\n- "))
		if more := len(list) - len(lines); more > 0 {
			t.Say("And %d more.", more)
		}
	}
}

// A dated is what is on a day.
type dated struct{ day, line, text string }

// isTask: a task of that day says what was told.
func (d dated) isTask(tasks []dated) bool {
	words := language.ContentWords(language.Tokenize(d.text))
	return slices.ContainsFunc(tasks, func(o dated) bool {
		return o.day == d.day && language.Covers(words, language.ContentWords(language.Tokenize(o.text)))
	})
}

// datesTold are the sentences of a project's document that say that something is on a
// day to come, without those that only say when a task is due.
func (t *Finder) datesTold(p model.Project, tasks []dated, from ...*turn.Want) []dated {
	var docs []passage.Document
	for _, w := range from {
		if w.Result.OK {
			docs = append(docs, documentOf(w.Result.Result))
		}
	}
	var out []dated
	for _, d := range docs[:min(len(docs), 1)] { // the others tell what moved
		_, list := passage.Read(d.Lines, 1)
		for _, each := range list {
			for _, s := range passage.Sentences(each.Text) {
				day, ok := passage.DayIn(s, t.Situation.Now)
				iso := language.ISODay(day)
				words := language.ContentWords(language.Tokenize(s))
				if !ok || iso < language.ISODay(t.Situation.Now) || wasThen(s, day, t.Situation.Now) || (dated{iso, "", s}).isTask(tasks) {
					continue
				}
				q := passage.Question{Want: passage.When, Words: words, Names: refer.NameWords(p), Now: t.Situation.Now}
				if _, gone := q.Newer(s, docs); !gone {
					out = append(out, dated{iso, fmt.Sprintf("“%s” (%s:%d)", language.Limit(s, passage.Longest), d.Path, each.Line), s})
				}
			}
		}
	}
	return out
}

// longAhead is after how many months a day without a year is rather the one that is past.
const longAhead = 9

// wasThen: a sentence tells what happened on a day, which has no year and seems to be next year's.
func wasThen(text string, day, now time.Time) bool {
	return day.After(now.AddDate(0, longAhead, 0)) && !strings.Contains(text, strconv.Itoa(day.Year())) &&
		slices.ContainsFunc(language.Tokenize(text), func(t language.Token) bool { return t.Word && language.Past(t.Norm) })
}
