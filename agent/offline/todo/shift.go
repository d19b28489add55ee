package todo

import "kist/agent/language"

// A Shift of a date as it was said, beside an absolute day: by how much, and which one.
type Shift struct {
	Days, Months int  // by which it moves; earlier if negative
	Start        bool // it is the start that moves, not the end
	Stated       bool // said as news rather than as an order
	Unclear      bool // by how much is known, but not in which direction
}

// Set: it is said by how much.
func (s Shift) Set() bool { return s.Days != 0 || s.Months != 0 }

// MovedBy reads by how much something moves; the words around it say in which
// direction.
func MovedBy(by, around []language.Token) Shift {
	var m Shift
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
