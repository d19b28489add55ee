package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
)

// A Moved date as it was said, beside an absolute day: by how much, and which one.
type Moved struct {
	Days, Months int  // by which it moves; earlier if negative
	Start        bool // it is the start that moves, not the end
	Stated       bool // said as news rather than as an order
	Unclear      bool // by how much is known, but not in which direction
}

// Set: it is said by how much.
func (m Moved) Set() bool { return m.Days != 0 || m.Months != 0 }

// movedBy reads by how much something moves; the words around it say in which
// direction.
func movedBy(by, around []language.Token) Moved {
	var m Moved
	for i := range by {
		days, months, n := amountOf(by[i:])
		if n == 0 {
			continue
		}
		m.Days, m.Months = days, months
		sooner := language.Has(around, "earlier|sooner|forward|ahead|früher|vor|vorne|<sooner>")
		switch later := language.Has(around, "later|back|off|out|hinten|später|more|another|extra|longer|<later>"); {
		case sooner && !language.Has(around, "later|off"):
			m.Days, m.Months = -days, -months
		case !later:
			m.Unclear = true
		}
		return m
	}
	return m
}

// datesMoved reads news of another date: "the deadline slipped by two weeks". Whether
// something has that date is for the files to tell. p is how probable it is that something
// has changed.
func (r *Reader) datesMoved(c *Clause, otherwise Meaning, p float64) Meaning {
	if otherwise.About != string(intent.News) && (otherwise.About != "" || p < Likely) || c.Question || c.supposed {
		return otherwise
	}
	args := r.arguments(c, intent.News)
	m := Meaning{Intent: intent.UpdateTask, Score: max(otherwise.Score, p), Clause: c, Project: refer.Reference{Empty: true}}
	for _, slot := range []string{"value", "due"} {
		if d, ok := dateIn(args.first(slot), r.sit.Now); ok {
			m.Change.Due = language.ISODay(d.Day)
		}
	}
	if by := args.first("by"); by != nil {
		m.Moved, m.Change.Due = movedBy(by, c.All), ""
	}
	what := args.first("what")
	if what == nil || m.Change.Due == "" && !m.Moved.Set() {
		return otherwise
	}
	m.Title, m.Moved.Start = r.datedThing(c, what)
	m.Moved.Stated = true
	return m
}

// datedThing spells what has another date now: "" for the project as a whole. start
// says that it is its beginning.
func (r *Reader) datedThing(c *Clause, toks []language.Token) (title string, start bool) {
	start = language.Has(toks, "start|starting|beginning|kickoff|kick-off")
	if ref := refer.To(c.Src, toks, r.sit.Projects); len(ref.Found) == 1 && ref.Exact && !ref.Partial {
		return "", start
	}
	words := slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool {
		return !t.Quoted && (!t.Word || language.Class("<dateword>", t.Norm) || language.Class("<det>", t.Norm) || language.In("of|for|by|on|new|old|final|planned|extension|now", t.Norm))
	})
	return language.Spell(c.Src, words), start
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
