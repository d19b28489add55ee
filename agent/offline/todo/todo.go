// Package todo reads a thing to do: its title, its day, its priority, and by how much a day
// moves. It sees words alone; whether there is such a task is for others to find.
package todo

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

// Read takes date and priority out of a phrase; the rest is the title.
func Read(src string, toks []language.Token, now time.Time) Todo {
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
	} else if i := bareDay(toks); i > 0 {
		d, _ := DateIn(toks[i:i+1], now)
		t.Due, toks = language.ISODay(d.Day), language.Cut(toks, i, i+1)
	}
	for len(toks) > 0 && !toks[len(toks)-1].Quoted && language.In("due|by|on|and|with|for|then|please|too|also|it|is|starting", toks[len(toks)-1].Norm) {
		if language.In("it|is|for|on|with|starting", toks[len(toks)-1].Norm) && t.Due == "" && t.Priority == "" {
			break
		}
		toks = language.TrimMarks(toks[:len(toks)-1])
	}
	for len(toks) > 0 && !toks[0].Quoted && (language.In("to|that|and|then|also", toks[0].Norm) || language.Fills(toks)) {
		toks = language.TrimMarks(toks[1:])
	}
	toks = language.Paired(toks)
	t.Title = language.Capital(language.Limit(language.Unwrap(strings.TrimRight(language.Spell(src, toks), " ,;.!")), 200))
	return t
}

// bareDay is where the name of a weekday stands alone behind what is to be done: "refelt the roof sun",
// "ring Jan mon about the dog"; 0: nowhere. Short ones that are words count at the end alone.
func bareDay(toks []language.Token) int {
	for i := 2; i < len(toks); i++ {
		t, before := toks[i], toks[i-1]
		if t.Quoted || !before.Word || language.In("the|a|an|in|of|from|for|against|every|each|and|or|to", before.Norm) {
			continue
		}
		if language.In("mon|tue|tues|weds|thu|thur|thurs|fri", t.Norm) || i == len(toks)-1 && language.In("wed|sat|sun", t.Norm) {
			return i
		}
	}
	return 0
}

// Unordered is a thing to do without the words that have it kept: "remind me tomorrow to ask
// for one", "put down that I should ask them".
func Unordered(toks []language.Token, now time.Time) []language.Token {
	n, ok := language.MatchAny(toks, "remind|erinner|erinnere me|us|mich|uns|myself", "put|write|note|jot|get down? that? i|we have|need|ought|must|should to?")
	if !ok || n == len(toks) || toks[0].Quoted {
		return toks
	}
	if d, dated := language.FindDay(toks[n:], now); dated && d.Start == 0 {
		n += d.End
	}
	if language.Begins(toks[n:], "to *") {
		n++
	}
	return toks[n:]
}

// DateIn is the day that the words of a slot for one name, where "mon" and "dec" are
// nothing else.
func DateIn(toks []language.Token, now time.Time) (language.DateSpan, bool) {
	d, ok := language.FindDay(toks, now)
	for !ok && len(toks) > 1 && language.In("to|on|for|at|until|till|the|due", toks[0].Norm) {
		toks = toks[1:]
	}
	if !ok && language.HasWord(toks) {
		d, ok = language.FindDay(append(language.Tokenize("by"), toks...), now)
	}
	return d, ok
}

// LastDay is the last day that is named, or the one before it.
func LastDay(toks []language.Token, before bool, now time.Time) (last language.DateSpan, ok bool) {
	for at := 0; at < len(toks); {
		d, found := language.FindDay(toks[at:], now)
		if !found || d.End <= d.Start {
			break
		}
		last, ok = d, true
		at += d.End
	}
	if ok && before {
		last.Day = last.Day.AddDate(0, 0, -1)
	}
	return last, ok
}

// BesideDay is what the words of a slot for a day say besides it: all, where it isn't known, or those of another thing to do
// before it: "buy milk, [eggs and bread tomorrow]".
func BesideDay(toks []language.Token, known bool, now time.Time) []language.Token {
	if !known {
		return toks
	}
	if d, ok := language.FindDay(toks, now); ok && language.Has(toks[:d.Start], "and|or|und|oder") {
		return toks[:d.Start]
	}
	return nil
}

// WholeDate is the day that words name which say nothing else; alone: by no more than its
// number. What it is instead of may follow: "Friday, not today".
func WholeDate(toks []language.Token, now time.Time) (day string, alone bool) {
	if i, _, ok := language.Find(toks, "not|instead|rather"); ok {
		toks = toks[:i]
	}
	toks = language.TrimMarks(toks)
	for len(toks) > 0 && language.In("due|for|by|till|until|to|on|be|now|then", toks[0].Norm) {
		toks = toks[1:]
	}
	d, ok := DateIn(toks, now)
	if !ok {
		return "", false
	}
	by := append(language.Tokenize("by"), toks...)
	span, ok := language.FindDay(by, now)
	if !ok || len(language.ContentWords(by[span.End:])) > 0 || span.Start > 1 {
		return "", false
	}
	return language.ISODay(d.Day), DayAlone(toks)
}

// DayAlone: a date is no more than a number: "the 22nd".
func DayAlone(toks []language.Token) bool {
	n := 0
	for _, t := range toks {
		switch {
		case language.DayNumber(t.Norm) > 0:
			n++
		case t.Word && !language.In("the|by|on|to|for|till|until|due|before|at", t.Norm):
			return false
		}
	}
	return n == 1
}

// With is a task with what another says of it, where it says nothing itself.
func (t Todo) With(other Todo) Todo {
	if t.Due == "" {
		t.Due = other.Due
	}
	if t.Priority == "" {
		t.Priority = other.Priority
	}
	return t
}
