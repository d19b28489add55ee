package offline

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
)

// A moved date as it was said, beside an absolute day: by how much, and which one.
type moved struct {
	days, months int  // by which it moves; earlier if negative
	start        bool // it is the start that moves, not the end
	stated       bool // said as news rather than as an order
	unclear      bool // by how much is known, but not in which direction
}

// set: it is said by how much.
func (m moved) set() bool { return m.days != 0 || m.months != 0 }

// movedBy reads by how much something moves; the words around it say in which
// direction.
func movedBy(by, around []language.Token) moved {
	var m moved
	for i := range by {
		days, months, n := amountOf(by[i:])
		if n == 0 {
			continue
		}
		m.days, m.months = days, months
		sooner := language.Has(around, "earlier|sooner|forward|ahead|früher|vor|vorne|<sooner>")
		switch later := language.Has(around, "later|back|off|out|hinten|später|more|another|extra|longer|<later>"); {
		case sooner && !language.Has(around, "later|off"):
			m.days, m.months = -days, -months
		case !later:
			m.unclear = true
		}
		return m
	}
	return m
}

// datesMoved reads news of another date: "the deadline slipped by two weeks". Whether
// something has that date is for the files to tell. p is how probable it is that something
// has changed.
func (r *reader) datesMoved(c *clause, otherwise meaning, p float64) meaning {
	if otherwise.about != string(intent.News) && (otherwise.about != "" || p < likely) || c.question || c.supposed {
		return otherwise
	}
	args := r.arguments(c, intent.News)
	m := meaning{intent: intent.UpdateTask, score: max(otherwise.score, p), clause: c, project: refer.Reference{Empty: true}}
	for _, slot := range []string{"value", "due"} {
		if d, ok := dateIn(args.first(slot), r.sit.Now); ok {
			m.change.due = language.ISODay(d.Day)
		}
	}
	if by := args.first("by"); by != nil {
		m.moved, m.change.due = movedBy(by, c.all), ""
	}
	what := args.first("what")
	if what == nil || m.change.due == "" && !m.moved.set() {
		return otherwise
	}
	m.title, m.moved.start = r.datedThing(c, what)
	m.moved.stated = true
	return m
}

// datedThing spells what has another date now: "" for the project as a whole. start
// says that it is its beginning.
func (r *reader) datedThing(c *clause, toks []language.Token) (title string, start bool) {
	start = language.Has(toks, "start|starting|beginning|kickoff|kick-off")
	if ref := refer.To(c.src, toks, r.sit.Projects); len(ref.Found) == 1 && ref.Exact && !ref.Partial {
		return "", start
	}
	words := slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool {
		return !t.Quoted && (!t.Word || language.Class("<dateword>", t.Norm) || language.Class("<det>", t.Norm) || language.In("of|for|by|on|new|old|final|planned|extension|now", t.Norm))
	})
	return language.Spell(c.src, words), start
}

// amountOf reads "two weeks", "a couple of days"; n is how many tokens it takes.
func amountOf(toks []language.Token) (days, months, n int) {
	k := 0
	if m, ok := language.MatchAny(toks, "a? couple of", "another couple of"); ok {
		k, n = 2, m
	} else if m, ok := language.MatchAny(toks, "a|one whole|full|further|more", "another|about|around|roughly|some a?"); ok && m < len(toks) && language.Unit(toks[m].Norm) > 0 {
		k, n = 1, m
	} else if len(toks) > 1 {
		m := 0
		if language.In("about|around|roughly|another|some", toks[0].Norm) {
			m = 1
		}
		k, n = language.Count(toks[m].Norm), m+1
		if n < len(toks) && language.In("more|whole|full|further", toks[n].Norm) {
			n++
		}
	}
	if k == 0 || n >= len(toks) {
		return 0, 0, 0
	}
	switch u := language.Unit(toks[n].Norm); u {
	case 0:
		return 0, 0, 0
	case 30:
		return 0, k, n + 1
	case 365:
		return 0, 12 * k, n + 1
	default:
		return k * u, 0, n + 1
	}
}
