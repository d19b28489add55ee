package interpret

import (
	"strings"
	"time"

	"kist/agent/language"
)

// A Todo is one thing to do, with what was said about it.
type Todo struct {
	Title    string
	Due      string // YYYY-MM-DD
	Priority string
	Status   string // of a task that is there
	Said     bool   // what was said tells more of it
}

// ReadTodo takes date and priority out of a phrase; the rest is the title.
func ReadTodo(src string, toks []language.Token, now time.Time) Todo {
	var t Todo
	toks = language.TrimMarks(toks)
	if level, s, e, ok := language.FindPriority(toks); ok {
		t.Priority = level
		toks = language.TrimMarks(language.Cut(toks, s, e))
	}
	if d, ok := language.FindDay(toks, now); ok {
		t.Due = language.ISODay(d.Day)
		if d.Due || d.Start == 0 {
			toks = language.TrimMarks(language.Cut(toks, d.Start, d.End))
		}
	}
	for len(toks) > 0 && !toks[len(toks)-1].Quoted && language.In("due|by|on|and|with|for|then|please|too|also|it|is", toks[len(toks)-1].Norm) {
		if language.In("it|is|for|on|with", toks[len(toks)-1].Norm) && t.Due == "" && t.Priority == "" {
			break
		}
		toks = language.TrimMarks(toks[:len(toks)-1])
	}
	for len(toks) > 0 && !toks[0].Quoted && (language.In("to|that|and|then|also", toks[0].Norm) || language.IsFiller(toks[0])) {
		toks = language.TrimMarks(toks[1:])
	}
	toks = language.Paired(toks)
	t.Title = language.Capital(language.Limit(language.Unwrap(strings.TrimRight(language.Spell(src, toks), " ,;.!")), 200))
	return t
}

// dateIn is the day that the words of a slot for one name, where "mon" and "dec" are
// nothing else.
func dateIn(toks []language.Token, now time.Time) (language.DateSpan, bool) {
	d, ok := language.FindDay(toks, now)
	for !ok && len(toks) > 1 && language.In("to|on|for|at|until|till|the|due", toks[0].Norm) {
		toks = toks[1:]
	}
	if !ok && language.HasWord(toks) {
		d, ok = language.FindDay(append(language.Tokenize("by"), toks...), now)
	}
	return d, ok
}
