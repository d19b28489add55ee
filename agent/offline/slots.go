package offline

import (
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/model"
)

// A todo is one thing to do, with what was said about it.
type todo struct {
	title    string
	due      string // YYYY-MM-DD
	priority string
	status   string // of a task that is there
}

// readTodo takes date and priority out of a phrase; the rest is the title.
func readTodo(src string, toks []language.Token, now time.Time) todo {
	var t todo
	toks = language.TrimMarks(toks)
	if level, s, e, ok := language.FindPriority(toks); ok {
		t.priority = level
		toks = language.TrimMarks(language.Cut(toks, s, e))
	}
	if d, ok := language.FindDate(toks, now); ok {
		t.due = language.ISODay(d.Day)
		if d.Due || d.Start == 0 {
			toks = language.TrimMarks(language.Cut(toks, d.Start, d.End))
		}
	}
	for len(toks) > 0 && !toks[len(toks)-1].Quoted && language.In("due|by|on|and|with|for|then|please|too|also|it|is", toks[len(toks)-1].Norm) {
		if language.In("it|is|for|on|with", toks[len(toks)-1].Norm) && t.due == "" && t.priority == "" {
			break
		}
		toks = language.TrimMarks(toks[:len(toks)-1])
	}
	for len(toks) > 0 && !toks[0].Quoted && (language.In("to|that|and|then|also", toks[0].Norm) || language.IsFiller(toks[0])) {
		toks = language.TrimMarks(toks[1:])
	}
	t.title = language.Capital(language.Limit(language.Unwrap(strings.TrimRight(language.Spell(src, toks), " ,;.!")), 200))
	return t
}

// dateIn is the day that the words of a slot for one name, where "mon" and "dec" are
// nothing else.
func dateIn(toks []language.Token, now time.Time) (language.DateSpan, bool) {
	d, ok := language.FindDate(toks, now)
	for !ok && len(toks) > 1 && language.In("to|on|for|at|until|till|the|due", toks[0].Norm) {
		toks = toks[1:]
	}
	if !ok && language.HasWord(toks) {
		d, ok = language.FindDate(append(language.Tokenize("by"), toks...), now)
	}
	return d, ok
}

// placeOf looks for the project that a command names at its end ("add X to the
// houseboat"), and returns the tokens without that phrase. Only a whole name
// counts, or a long and telling part of one: in "go to the shop" the shop is
// not the Coffee Shop.
func placeOf(c *clause, toks []language.Token, projects []model.Project) (reference, []language.Token) {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].Quoted || !language.In("to|for|in|on|under|into", toks[i].Norm) || i+1 == len(toks) {
			continue
		}
		r := refer(c, toks[i+1:], projects)
		if r.partial || len(language.ContentWords(toks[i+1:])) == 0 {
			continue
		}
		if len(r.found) > 0 && (r.exact || r.named || telling(toks[i+1:], r.found)) {
			return r, language.TrimMarks(toks[:i])
		}
		if r.named && language.In("to|in|under|into", toks[i].Norm) && len(toks)-i <= 6 && toks[len(toks)-1].Norm == "project" {
			return r, language.TrimMarks(toks[:i]) // a project that doesn't exist
		}
	}
	return reference{empty: true}, toks
}

// telling: "the houseboat" for the project Houseboat Renovation.
func telling(toks []language.Token, found []model.Project) bool {
	toks = trimPhrase(toks)
	if len(found) != 1 || len(toks) != 2 || !language.In("the|my|our", toks[0].Norm) {
		return false
	}
	name := nameWords(found[0])
	return len(name) > 0 && len(name[0]) >= 7 && language.Alike(toks[1].Norm, name[0]) == 1
}
