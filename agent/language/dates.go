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

// FindDate looks for the date of a thing to do. The last one wins: people say
// what first and when last. A weekday inside a name ("the Friday meeting") is
// none.
func FindDate(toks []Token, now time.Time) (DateSpan, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	for i := len(toks) - 1; i >= 0; i-- {
		if toks[i].Quoted || i > 0 && StartsInside(toks, i) {
			continue
		}
		day, n, ok := parseDate(toks[i:], today)
		if !ok {
			continue
		}
		if _, _, feast := feastDate(toks[i:], today); doubtful(toks, i, n, feast) {
			continue
		}
		span := DateSpan{Start: i, End: i + n, Day: day}
		if i > 0 && !withPreposition(toks, &span) {
			continue
		}
		return span, true
	}
	return DateSpan{}, false
}

// doubtful: what can be a date is one only behind the right word: "decorate the hall for
// Christmas", "version 2.1", "the second floor", "we march on".
func doubtful(toks []Token, i, n int, feast bool) bool {
	prev := ""
	if i > 0 {
		prev = toks[i-1].Norm
	}
	switch w := toks[i].Norm; {
	case feast:
		return !In("by|before|until|till|due|to", prev)
	case n == 1 && strings.Count(w, ".") == 1:
		return !In("by|before|until|till|due|on|the|th", prev)
	case n == 1 && In("may|march|mar", w):
		return !In("in|by|before|until|till|due|end|mid", prev) && len(toks) > 1
	case w == "the" && n == 2:
		return !In("by|on|before|until|till|due|for", prev)
	}
	return false
}

// StartsInside: position i is the middle of a longer date, which is found from
// its start.
func StartsInside(toks []Token, i int) bool {
	if _, n, feast := feastDate(toks[i-1:], time.Time{}); feast && n > 1 {
		return true
	}
	prev, before := toks[i-1].Norm, ""
	if i > 1 {
		before = toks[i-2].Norm
	}
	return insideDay(prev, before, toks[i].Norm) || insidePeriod(toks, i)
}

// insideDay: within "5 December", "5th of December", "December 5", "after tomorrow".
func insideDay(prev, before, w string) bool {
	if _, month := monthOf(w); month && (DayNumber(prev) > 0 || prev == "of" && DayNumber(before) > 0) {
		return true
	}
	_, month := monthOf(prev)
	return month && DayNumber(w) > 0 || prev == "after" && w == "tomorrow"
}

// insidePeriod: within "next week", "end of the month", "in two weeks".
func insidePeriod(toks []Token, i int) bool {
	const parts = "end|middle|start|beginning"
	prev, w := toks[i-1].Norm, toks[i].Norm
	switch {
	case In("next|this|coming|end|within|mid", prev) && !IsDigits(w):
		return true
	case prev == "of" && i > 1 && In(parts, toks[i-2].Norm):
		return true
	case prev == "the" && i > 2 && toks[i-2].Norm == "of" && In(parts, toks[i-3].Norm):
		return true
	}
	return In("in|within", prev) && isCount(w) && i+1 < len(toks) && Unit(toks[i+1].Norm) > 0
}

// withPreposition widens the span by its preposition, and says whether what
// stands there is a date of the thing and not part of its name.
func withPreposition(toks []Token, s *DateSpan) bool {
	prev := toks[s.Start-1]
	atEnd := s.End == len(toks) || !toks[s.End].Word
	if prev.Norm == "the" && s.Start > 1 && In("by|on|before|until|till|due|for", toks[s.Start-2].Norm) {
		s.Start--
		prev = toks[s.Start-1]
	}
	switch {
	case In("by|before|until|till|due|on|until", prev.Norm):
		s.Due = true
		s.Start--
		if s.Start > 0 && In("due|is|latest|later|done|finished", toks[s.Start-1].Norm) && !In("is", toks[s.Start-1].Norm) {
			s.Start--
		}
		return true
	case prev.Norm == "in" && atEnd:
		s.Due = true
		s.Start--
		return true
	case In("for|at|from|since", prev.Norm):
		return atEnd && prev.Norm != "since" && prev.Norm != "from"
	case In("the|a|my|our|last|every|each|previous|past", prev.Norm):
		return false
	case prev.Norm == "(" || prev.Norm == "," || prev.Norm == ":" || prev.Norm == "-":
		s.Due = true
		return true
	}
	s.Due = true
	// Between other words only what can be nothing but a date.
	return atEnd || In("today|tomorrow|tonight", toks[s.Start].Norm) || s.End-s.Start > 1
}

// parseDate reads a date at the start of toks and returns the day and how many
// tokens it takes.
func parseDate(toks []Token, today time.Time) (time.Time, int, bool) {
	for _, read := range []func([]Token, time.Time) (time.Time, int, bool){
		relativeDate, feastDate, NumericDate, MonthDate, weekdayDate, periodEnd, inSome,
	} {
		if day, n, ok := read(toks, today); ok {
			return day, n, true
		}
	}
	return time.Time{}, 0, false
}

func relativeDate(toks []Token, today time.Time) (time.Time, int, bool) {
	for _, r := range []struct {
		pattern string
		days    int
	}{
		{"day after tomorrow", 2}, {"the day after tomorrow", 2}, {"tomorrow morning|afternoon|evening|night", 1}, {"tomorrow", 1}, {"tmrw|tmr", 1},
		{"today|tonight", 0}, {"this morning|afternoon|evening", 0}, {"end of day|today", 0}, {"eod", 0}, {"in a week", 7}, {"a week from now|today", 7}, {"in a fortnight", 14},
	} {
		if n, ok := strict(toks, r.pattern); ok {
			return today.AddDate(0, 0, r.days), n, true
		}
	}
	return time.Time{}, 0, false
}

// strict matches without passing over fillers at the start.
func strict(toks []Token, pattern string) (int, bool) {
	if len(toks) == 0 || IsFiller(toks[0]) {
		return 0, false
	}
	return Match(toks, pattern)
}

// NumericDate reads 2026-12-05, 5.12.2026, 5.12. and, where only one reading is
// possible, 12/25/2026.
func NumericDate(toks []Token, today time.Time) (time.Time, int, bool) {
	t := toks[0].Norm
	if day, err := time.Parse("2006-1-2", t); err == nil {
		return day, 1, true
	}
	if day, err := time.Parse("2.1.2006", t); err == nil {
		return day, 1, true
	}
	if a, b, ok := strings.Cut(t, "."); ok && !strings.Contains(b, ".") {
		d, m := DayNumber(a), DayNumber(b)
		if m >= 1 && m <= 12 && d > 0 && d == number(a) {
			day, ok := upcoming(d, time.Month(m), today)
			if len(toks) > 1 && toks[1].Norm == "." && !toks[1].Gap {
				return day, 2, ok
			}
			return day, 1, ok
		}
	}
	parts := strings.Split(t, "/")
	if len(parts) < 2 || len(parts) > 3 {
		return time.Time{}, 0, false
	}
	a, b := number(parts[0]), number(parts[1])
	if a > 12 {
		a, b = b, a // 25/12
	}
	if a < 1 || a > 12 || b <= 12 || b > 31 {
		return time.Time{}, 0, false // 5/6 is anybody's guess
	}
	if len(parts) == 3 {
		day, ok := valid(number(parts[2]), time.Month(a), b)
		return day, 1, ok
	}
	day, ok := upcoming(b, time.Month(a), today)
	return day, 1, ok
}

// MonthDate reads "5 December", "December 5th, 2026", "the 5th of Dec", "the
// 5th" and a bare month, which means its last day.
func MonthDate(toks []Token, today time.Time) (time.Time, int, bool) {
	at := 0
	if toks[0].Norm == "the" && len(toks) > 1 {
		at = 1
	}
	d, m, n := 0, time.Month(0), at
	if d = DayNumber(toks[at].Norm); d > 0 {
		n++
		if n < len(toks) && toks[n].Norm == "of" {
			n++
		}
		month, ok := monthAt(toks, n)
		if !ok {
			ordinal := !IsDigits(toks[at].Norm)
			if !ordinal || at == 0 {
				return time.Time{}, 0, false
			}
			day, ok := comingDay(d, today)
			return day, at + 1, ok
		}
		m, n = month, n+1
	} else if month, ok := monthAt(toks, at); ok {
		m, n = month, at+1
		if n < len(toks) {
			if d = DayNumber(toks[n].Norm); d > 0 {
				n++
			}
		}
	} else {
		return time.Time{}, 0, false
	}
	return withYear(toks, n, d, m, today)
}

func withYear(toks []Token, n, d int, m time.Month, today time.Time) (time.Time, int, bool) {
	at := n
	if at < len(toks) && toks[at].Norm == "," {
		at++
	}
	if at < len(toks) && len(toks[at].Norm) == 4 && number(toks[at].Norm) >= 1900 {
		year := number(toks[at].Norm)
		if d == 0 {
			return LastOfMonth(year, m), at + 1, true
		}
		day, ok := valid(year, m, d)
		return day, at + 1, ok
	}
	if d == 0 {
		day := LastOfMonth(today.Year(), m)
		if day.Before(today) {
			day = LastOfMonth(today.Year()+1, m)
		}
		return day, n, true
	}
	day, ok := upcoming(d, m, today)
	return day, n, ok
}

// weekdayDate: "Friday" is the next one after today, "next Friday" the one in
// the week after this (weeks begin on Monday).
func weekdayDate(toks []Token, today time.Time) (time.Time, int, bool) {
	at, next := 0, false
	switch toks[0].Norm {
	case "next":
		at, next = 1, true
	case "this", "coming":
		at = 1
	}
	if at >= len(toks) {
		return time.Time{}, 0, false
	}
	if next || at == 1 || toks[0].Norm == "weekend" {
		if day, ok := weekPart(toks[at].Norm, next, today); ok {
			return day, at + 1, true
		}
	}
	w, ok := weekdayOf(toks[at].Norm)
	if !ok || In("sun|sat|mon", toks[at].Norm) && at == 0 && toks[at].Norm == "sun" {
		return time.Time{}, 0, false
	}
	n := at + 1
	if n < len(toks) && In("morning|afternoon|evening|night", toks[n].Norm) {
		n++
	}
	if n < len(toks) && toks[n].Norm == "week" {
		return EndOfWeek(today).AddDate(0, 0, isoWeekday(w)), n + 1, true
	}
	if next {
		return EndOfWeek(today).AddDate(0, 0, isoWeekday(w)), n, true
	}
	ahead := (int(w) - int(today.Weekday()) + 7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return today.AddDate(0, 0, ahead), n, true
}

// weekPart: a week is done by its Friday, a month and longer by the last day.
func weekPart(w string, next bool, today time.Time) (time.Time, bool) {
	sunday := EndOfWeek(today)
	add := 0
	if next {
		add = 1
	}
	switch w {
	case "week":
		friday := sunday.AddDate(0, 0, -2+7*add)
		if friday.Before(today) {
			return sunday, true
		}
		return friday, true
	case "weekend":
		return sunday.AddDate(0, 0, 7*add), true
	case "month":
		return LastOfMonth(today.Year(), today.Month()+time.Month(add)), true
	case "quarter":
		q := (int(today.Month())-1)/3 + 1 + add
		return LastOfMonth(today.Year(), time.Month(3*q)), true
	case "year":
		return LastOfMonth(today.Year()+add, time.December), true
	}
	return time.Time{}, false
}

// periodEnd reads "end of the month", "mid December", "Q3", "Q3 2027".
func periodEnd(toks []Token, today time.Time) (time.Time, int, bool) {
	if q := toks[0].Norm; len(q) == 2 && q[0] == 'q' && q[1] >= '1' && q[1] <= '4' {
		month := time.Month(3 * int(q[1]-'0'))
		return withYear(toks, 1, 0, month, today)
	}
	n, ok := strict(toks, "the? end|close of the?")
	if !ok {
		n, ok = strict(toks, "end")
	}
	if ok && n < len(toks) {
		if n+1 < len(toks) && In("this|next", toks[n].Norm) {
			if day, found := weekPart(toks[n+1].Norm, toks[n].Norm == "next", today); found {
				return day, n + 2, true
			}
		}
		if day, found := weekPart(toks[n].Norm, false, today); found {
			return day, n + 1, true
		}
		if m, found := monthOf(toks[n].Norm); found {
			return withYear(toks, n+1, 0, m, today)
		}
	}
	if n, ok := strict(toks, "mid|middle of?"); ok {
		if m, found := monthAt(toks, n); found {
			return withYear(toks, n+1, 15, m, today)
		}
	}
	return time.Time{}, 0, false
}

// inSome reads "in two weeks", "within 10 days", "three months from now".
func inSome(toks []Token, today time.Time) (time.Time, int, bool) {
	at := 0
	if In("in|within", toks[0].Norm) {
		at = 1
	}
	if at < len(toks) && In("about|around|roughly", toks[at].Norm) {
		at++
	}
	if at+1 >= len(toks) {
		return time.Time{}, 0, false
	}
	k, u := Count(toks[at].Norm), Unit(toks[at+1].Norm)
	n := at + 2
	if k == 0 || u == 0 {
		return time.Time{}, 0, false
	}
	if m, ok := Match(toks[n:], "from now|today"); ok {
		n += m
	} else if at == 0 {
		return time.Time{}, 0, false
	}
	switch u {
	case 30:
		return today.AddDate(0, k, 0), n, true
	case 365:
		return today.AddDate(k, 0, 0), n, true
	}
	return today.AddDate(0, 0, k*u), n, true
}
