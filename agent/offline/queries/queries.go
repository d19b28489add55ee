// Package queries reads the questions about kist's own doings: the words of them that aren't
// what they are about, and of which time they ask.
package queries

import (
	_ "embed"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

// Words are the words of these questions.
var Words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// InSession is what [When] says of the session itself.
const InSession = " in this session"

// When is the time of which a message asks what was changed, and that in words.
func When(said string, now time.Time) (from, to time.Time, when string) {
	day := func(n int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+n, 0, 0, 0, 0, now.Location())
	}
	to = now.Add(time.Hour)
	toks := language.Tokenize(said)
	for i := range toks {
		switch words := Words(); {
		case words.Is(toks[i:], "session") > 0:
			return from, to, InSession
		case words.Is(toks[i:], "today") > 0:
			return day(0), to, " today"
		case words.Is(toks[i:], "week") > 0:
			return day(-6), to, " in the last seven days"
		case words.Is(toks[i:], "from_yesterday") > 0:
			return day(-1), to, " since yesterday"
		case words.Is(toks[i:], "yesterday") > 0:
			return day(-1), day(0), " yesterday"
		case words.Is(toks[i:], "since") > 0:
			if d, ok := language.FindDay(toks[i+1:], now); ok {
				d.Day = lastOf(d.Day, now)
				return d.Day, to, " since " + language.SayDay(language.ISODay(d.Day), now)
			}
		}
	}
	if d, ok := language.FindDay(toks, now); ok {
		d.Day = lastOf(d.Day, now)
		return d.Day, d.Day.AddDate(0, 0, 1), " on " + language.SayDay(language.ISODay(d.Day), now)
	}
	return from, to, " lately"
}

// lastOf is a day that lies ahead as the last one that is called so: "on Monday", "on 19 November".
func lastOf(day, now time.Time) time.Time {
	switch {
	case !day.After(now):
		return day
	case day.Before(now.AddDate(0, 0, 8)): // of the week
		return day.AddDate(0, 0, -7)
	}
	return day.AddDate(-1, 0, 0)
}

// Belonging is the thing of which somebody asks where it belongs: what is quoted or stands
// behind a colon, else what the question says beside that.
func Belonging(src string, toks []language.Token) string {
	toks = language.TrimMarks(language.SkipOpeners(toks))
	for i, t := range toks {
		if t.Norm == ":" && i+1 < len(toks) {
			return strings.TrimSpace(language.Spell(src, toks[i+1:]))
		}
	}
	var quoted, words []string
	for _, t := range toks {
		switch {
		case t.Quoted && t.Word:
			quoted = append(quoted, t.Norm)
		case t.Word && !Words().List[t.Norm] && !language.Class("<stop>", t.Norm):
			words = append(words, strings.TrimSuffix(t.Norm, "'s"))
		}
	}
	if len(quoted) > 0 {
		words = quoted
	}
	return strings.Join(words, " ")
}

// LooksBack: what was done at some time is asked for, and not what there is to do, nor what
// was done about something: "what did I do today?".
func LooksBack(toks []language.Token, now time.Time) bool {
	toks = language.SkipOpeners(toks)
	n, ok := language.MatchAny(toks, "what did i|we|you|kist do|get|write|add|make done?", "what have i|we|you done|written|added", "what happened|changed", "what was|got done|changed")
	if !ok {
		return false
	}
	for n < len(toks) {
		if _, size, ok := language.ReadPeriod(toks[n:], now); ok {
			n += size
		} else if t := toks[n]; !t.Word || !t.Quoted && language.In("so|far|lately|recently|here|in|on|since|for|over|the|this|session|and|all", t.Norm) {
			n++
		} else {
			return false
		}
	}
	return true
}

// OfAmount: words ask what something costs or takes, or how many of it are left, and for no list of
// tasks.
func OfAmount(toks []language.Token) bool {
	said := language.SkipOpeners(toks)
	if language.Begins(said, "how many") && language.Has(toks, "left|missing|outstanding|remaining|remain") {
		return !language.Has(toks, "<taskword>|todos|things|jobs|days|weeks|months|hours|projects")
	}
	asks := language.Begins(said, "how much", "how many hours|days|weeks", "what would|does|do|did *? *? *? *? *? *? be|cost|come|make")
	return asks && !language.Has(toks, "<taskword>|due|done|open|left")
}
