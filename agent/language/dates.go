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

// FullDay puts a day into words that mean the same whenever they are read.
func FullDay(iso string) string { return SayDay(iso, time.Time{}) }

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
	if p.rule.name == "before" && In("weekday|feast|dom|date|dated|numeric", core.rule.name) && s.Day.After(r.today) {
		s.Day = s.Day.AddDate(0, 0, -1) // "before Christmas" is over by then
	}
	for s.Start > 0 && In("due|latest|later|done|finished", r.norm(s.Start-1)) {
		s.Start--
		s.Due, lead = true, "due"
	}
	switch {
	case core.rule.name == "days", !In("numeric|date|dated", core.rule.name) && s.Day.Before(r.today):
		return s, false
	case p.rule.name == "from" && In("since|from|beginning", lead), r.doubtful(p, core, lead):
		return s, false
	case lead == "" || lead == "of":
		return r.unled(i, p, s, lead)
	case In("for|at|over|during|throughout", lead):
		s.Start = p.core
		return s, r.alone(p.end)
	}
	s.Due = true
	return s, lead != "in" || s.Start == 0 || p.end-p.core > 1 || r.alone(p.end)
}

// unled judges a date without a preposition: between other words only what can be
// nothing but a date is one.
func (r reader) unled(i int, p reading, s DateSpan, lead string) (DateSpan, bool) {
	prev, alone := r.norm(s.Start-1), r.alone(p.end)
	if In("the|a|my|our|last|every|each|previous|past|from|since", prev) && r.norm(s.Start) != "the" {
		return s, false
	}
	s.Due = s.Start > 0
	if s.Start == 0 || In("(|,|:|-", prev) {
		return s, lead == "" || alone
	}
	return s, alone || In("today|tomorrow|tonight", r.norm(i)) || p.end-i > 1
}

// alone: what is said ends at this position, goes on with a time of the day or with
// another clause.
func (r reader) alone(at int) bool {
	if at >= len(r.toks) || !r.toks[at].Word || In("and|or|but|then|because|so|if|otherwise|to|about|with|for|on", r.toks[at].Norm) {
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
	w, one := r.norm(p.core), core.end-p.core == 1
	if lead == "" {
		lead = r.norm(p.core - 1)
	}
	led := named("lead", lead)
	switch core.rule.name {
	case "feast":
		return one && (led < 2 || lead == "for")
	case "dom":
		return r.ordinal(p.end, led) || led < 5 && lead != "for" && DayNumber(r.norm(core.end-1)) < 13
	case "numeric":
		return led < 5 && strings.Contains(w, ".") && len(w)-strings.LastIndexByte(w, '.') < 5 && w[0] != '0'
	case "year":
		return led < 4 || !r.alone(p.end)
	}
	return r.ambiguous(p, core.rule.name, led, one) || w == "the" && core.end-p.core == 2 && led < 2
}

// ambiguous: "may I", "31 February", "in the sun", "Friday the dog".
func (r reader) ambiguous(p reading, kind string, led int, one bool) bool {
	w, prev := r.norm(p.core), r.norm(p.core-1)
	weak := one && named("weak", w) > 0
	apposed := one && r.norm(p.end) == "the" && len(r.toks) < p.end+3 && !germanWord(r.toks[p.core])
	return weak && led < 4 && !Digital(r.norm(p.end)) || kind == "month" && DayNumber(prev) > 0 || kind == "weekday" && (weak && prev == "the" || apposed)
}

// ordinal: what stands behind a day's number has that number, "on the 2nd floor".
func (r reader) ordinal(end, led int) bool {
	if led == 6 && DayNumber(r.norm(end-1)) > 12 {
		return false
	}
	return !r.alone(end) && (!Class("<stop>", r.norm(end)) || In("of|one", r.norm(end)))
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
