package language

import (
	"strings"
	"time"
)

// A DateSpan is a date that was found in text: toks[start:end] name it,
// including a preposition that marks it as a due date.
type DateSpan struct {
	Start, End int
	Day        time.Time
	Due        bool // "by", "before", "due", "until": the words are about the date alone
}

// ISODay formats a day the way files hold it.
func ISODay(t time.Time) string { return t.Format("2006-01-02") }

// SayDay puts a day into words that show how the date was understood.
func SayDay(iso string, now time.Time) string {
	t, err := time.Parse("2006-01-02", iso)
	if err != nil {
		return iso
	}
	switch ISODay(now) {
	case iso:
		return "today"
	case ISODay(t.AddDate(0, 0, -1)):
		return "tomorrow, " + t.Format("Monday 2 January")
	}
	if t.Year() != now.Year() {
		return t.Format("Monday 2 January 2006")
	}
	return t.Format("Monday 2 January")
}

// FindDate looks for the date of a thing to do: the day that is meant by a period, its
// end, its Friday if it is a week. The last one wins: people say what first and when
// last. A weekday inside a name ("the Friday meeting") is none, and what is over is
// none, unless it has a number.
func FindDate(toks []Token, now time.Time) (span DateSpan, found bool) {
	r := newReader(toks, now)
	for i := 0; i < len(toks); i++ {
		p := r.read(i, 3, "")
		if p.end == 0 {
			continue
		}
		if s, ok := r.due(i, p); ok {
			span, found = s, true
		}
		i = p.end - 1
	}
	return span, found
}

// due is what a reading at i means as a due date.
func (r reader) due(i int, p reading) (DateSpan, bool) {
	s := DateSpan{Start: i, End: p.end, Day: p.day}
	core, lead := p, ""
	if p.rule.level == 3 && p.rule.name != "range" {
		core, lead = *p.of, r.norm(i)
	}
	for s.Start > 0 && In("due|latest|later|done|finished", r.norm(s.Start-1)) {
		s.Start--
		s.Due, lead = true, "due"
	}
	dated := In("numeric|date|dated", core.rule.name)
	if p.rule.name == "days" || core.rule.name == "days" || !dated && s.Day.Before(r.today) || In("since|from|beginning", lead) && p.rule.name == "from" {
		return s, false
	}
	if r.doubtful(p, core, lead) {
		return s, false
	}
	prev, alone := r.norm(s.Start-1), r.alone(p.end)
	switch {
	case lead == "" || In("this|of", lead):
		if In("the|a|my|our|last|every|each|previous|past|from|since", prev) && r.norm(s.Start) != "the" {
			return s, false
		}
		if s.Start == 0 || In("(|,|:|-", prev) {
			s.Due = s.Start > 0
			return s, lead == "" || alone
		}
		// Between other words only what can be nothing but a date.
		s.Due = true
		return s, alone || In("today|tomorrow|tonight", r.norm(i)) || p.end-i > 1
	case In("for|at|over|during|throughout|an", lead):
		s.Start = p.core
		return s, alone
	}
	s.Due = true
	return s, lead != "in" || alone || p.end-p.core > 1 || s.Start == 0
}

// alone: what is said ends at this position, goes on with a time of the day or with
// another clause.
func (r reader) alone(at int) bool {
	if at >= len(r.toks) || !r.toks[at].Word || In("and|or|but|then|because|so|if|otherwise|to|about|with|for|an", r.toks[at].Norm) {
		return true
	}
	for _, rule := range periods().rules[r.norm(at)] {
		if rule.name == "time" {
			if _, ok := r.match(rule, at, rule.parts, &values{n: map[string]int{}}, 0); ok {
				return true
			}
		}
	}
	return Digital(r.norm(at)) && strings.ContainsAny(r.norm(at), ":m")
}

// doubtful: what can be a date is one only behind the right word: "decorate the hall for
// Christmas", "version 2.1", "the second floor", "we march on".
func (r reader) doubtful(p, core reading, lead string) bool {
	w, n := r.norm(p.core), core.end-p.core
	if lead == "" {
		lead = r.norm(p.core - 1)
	}
	switch {
	case core.rule.name == "feast" && n == 1:
		return In("|for|the|a", lead) || !In("by|before|until|till|due|to|on|at|in|over|after|an|latest", lead)
	case core.rule.name == "dom":
		return !r.alone(p.end) && (!Class("<stop>", r.norm(p.end)) || In("of|one", r.norm(p.end))) || !In("by|on|before|until|till|due|for|after", lead) && named("rank", r.norm(p.core+1)) > 0 && DayNumber(r.norm(p.core+1)) < 13
	case core.rule.name == "numeric" && strings.Contains(w, ".") && len(w)-strings.LastIndexByte(w, '.') < 5 && w[0] != '0':
		return !In("by|before|until|till|due|on|the|th|after", lead)
	case core.rule.name == "month" && DayNumber(r.norm(p.core-1)) > 0:
		return true // 31 February
	case n == 1 && named("weak", w) > 0:
		return !In("in|by|before|until|till|due|end|mid|after|on", lead) || r.norm(p.core-1) == "the" && named("weekday", w) > 0
	case core.rule.name == "year":
		return !In("in|by|before|until|till|due|after", lead) || !r.alone(p.end)
	case w == "the" && n == 2:
		return !In("by|on|before|until|till|due|for|in|over|after|during", lead)
	case n == 1 && core.rule.name == "weekday" && p.end < len(r.toks) && r.norm(p.end) == "the" && len(r.toks) < p.end+3:
		return !germanWord(r.toks[p.core]) // "Friday the dog"
	}
	return false
}

// StartsInside: position i is the middle of a longer date, which is found from
// its start.
func StartsInside(toks []Token, i int) bool {
	from := max(0, i-window)
	r := newReader(toks[from:min(len(toks), i+window)], date(2000, 1, 1))
	for at := range i - from {
		if r.read(at, 3, "").end > i-from {
			return true
		}
	}
	return false
}

// NumericDate reads 2026-12-05, 5.12.2026, 5.12. and, where only one reading is
// possible, 12/25/2026.
func NumericDate(toks []Token, today time.Time) (time.Time, int, bool) {
	day, n := numericDate(toks, today)
	return day, n, n > 0
}

func numericDate(toks []Token, today time.Time) (time.Time, int) {
	t := toks[0].Norm
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2.1.2006", "2.1.06"} {
		if day, err := time.Parse(layout, t); err == nil {
			return day, 1
		}
	}
	day, ok := time.Time{}, false
	if a, b, dot := strings.Cut(t, "."); dot {
		if day, ok = upcoming(number(a), time.Month(number(b)), today); !ok || len(b) > 2 {
			return day, 0
		}
		if len(toks) > 1 && toks[1].Norm == "." && !toks[1].Gap {
			return day, 2
		}
		return day, 1
	}
	parts := strings.Split(t, "/")
	if len(parts) < 2 || len(parts) > 3 {
		return day, 0
	}
	a, b := number(parts[0]), number(parts[1])
	if a > 12 {
		a, b = b, a // 25/12
	}
	if a < 1 || a > 12 || b <= 12 && a != b || b > 31 {
		return day, 0 // 5/6 is anybody's guess
	}
	if len(parts) == 3 {
		day, ok = valid(number(parts[2]), time.Month(a), b)
	} else {
		day, ok = upcoming(b, time.Month(a), today)
	}
	if !ok {
		return day, 0
	}
	return day, 1
}

// MonthDate reads "5 December", "December 5th, 2026", "the 5th of Dec", "the
// 5th" and a bare month, which means its last day.
func MonthDate(toks []Token, today time.Time) (time.Time, int, bool) {
	p := newReader(toks[:min(window, len(toks))], today).read(0, 1, "date|dom|month")
	return p.day, p.end, p.end > 0
}
