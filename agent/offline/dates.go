package offline

import (
	"strings"
	"time"
)

// A dateSpan is a date that was found in text: toks[start:end] name it,
// including a preposition that marks it as a due date.
type dateSpan struct {
	start, end int
	day        time.Time
	due        bool // "by", "before", "due", "until": the words are about the date alone
}

// isoDay formats a day the way files hold it.
func isoDay(t time.Time) string { return t.Format("2006-01-02") }

// sayDay puts a day into words that show how the date was understood.
func sayDay(iso string, now time.Time) string {
	t, err := time.Parse("2006-01-02", iso)
	if err != nil {
		return iso
	}
	switch isoDay(now) {
	case iso:
		return "today"
	case isoDay(t.AddDate(0, 0, -1)):
		return "tomorrow, " + t.Format("Monday 2 January")
	}
	if t.Year() != now.Year() {
		return t.Format("Monday 2 January 2006")
	}
	return t.Format("Monday 2 January")
}

// findDate looks for the date of a thing to do. The last one wins: people say
// what first and when last. A weekday inside a name ("the Friday meeting") is
// none.
func findDate(toks []token, now time.Time) (dateSpan, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	for i := len(toks) - 1; i >= 0; i-- {
		if toks[i].quoted || i > 0 && startsInside(toks, i) {
			continue
		}
		day, n, ok := parseDate(toks[i:], today)
		if !ok {
			continue
		}
		if _, _, feast := feastDate(toks[i:], today); feast && (i == 0 || !in("by|before|until|till|due|to", toks[i-1].norm)) {
			continue // "decorate the hall for Christmas"
		}
		if toks[i].norm == "the" && n == 2 && (i == 0 || !in("by|on|before|until|till|due|for", toks[i-1].norm)) {
			continue // "the second floor"
		}
		span := dateSpan{start: i, end: i + n, day: day}
		if i > 0 && !withPreposition(toks, &span) {
			continue
		}
		return span, true
	}
	return dateSpan{}, false
}

// startsInside: position i is the middle of a longer date, which is found from
// its start.
func startsInside(toks []token, i int) bool {
	prev := toks[i-1].norm
	_, month := monthOf(toks[i].norm)
	if month && (dayNumber(prev) > 0 || prev == "of" && i > 1 && dayNumber(toks[i-2].norm) > 0) {
		return true
	}
	if prev == "after" && toks[i].norm == "tomorrow" {
		return true
	}
	_, prevMonth := monthOf(prev)
	return prevMonth && dayNumber(toks[i].norm) > 0 || in("next|this|coming|end|in|within|mid", prev) && !isDigits(toks[i].norm) && prev != "in" ||
		prev == "of" && i > 1 && in("end|middle|start|beginning", toks[i-2].norm) || prev == "the" && i > 2 && toks[i-2].norm == "of" && in("end|middle|start|beginning", toks[i-3].norm) ||
		in("in|within", prev) && isCount(toks[i].norm) && i+1 < len(toks) && unit(toks[i+1].norm) > 0
}

// withPreposition widens the span by its preposition, and says whether what
// stands there is a date of the thing and not part of its name.
func withPreposition(toks []token, s *dateSpan) bool {
	prev := toks[s.start-1]
	atEnd := s.end == len(toks) || !toks[s.end].word
	if prev.norm == "the" && s.start > 1 && in("by|on|before|until|till|due|for", toks[s.start-2].norm) {
		s.start--
		prev = toks[s.start-1]
	}
	switch {
	case in("by|before|until|till|due|on|until", prev.norm):
		s.due = true
		s.start--
		if s.start > 0 && in("due|is|latest|later|done|finished", toks[s.start-1].norm) && !in("is", toks[s.start-1].norm) {
			s.start--
		}
		return true
	case prev.norm == "in" && atEnd:
		s.due = true
		s.start--
		return true
	case in("for|at|from|since", prev.norm):
		return atEnd && prev.norm != "since" && prev.norm != "from"
	case in("the|a|my|our|last|every|each|previous|past", prev.norm):
		return false
	case prev.norm == "(" || prev.norm == "," || prev.norm == ":" || prev.norm == "-":
		s.due = true
		return true
	}
	s.due = true
	// Between other words only what can be nothing but a date.
	return atEnd || in("today|tomorrow|tonight", toks[s.start].norm) || s.end-s.start > 1
}

// parseDate reads a date at the start of toks and returns the day and how many
// tokens it takes.
func parseDate(toks []token, today time.Time) (time.Time, int, bool) {
	for _, read := range []func([]token, time.Time) (time.Time, int, bool){
		relativeDate, feastDate, numericDate, monthDate, weekdayDate, periodEnd, inSome,
	} {
		if day, n, ok := read(toks, today); ok {
			return day, n, true
		}
	}
	return time.Time{}, 0, false
}

func relativeDate(toks []token, today time.Time) (time.Time, int, bool) {
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
func strict(toks []token, pattern string) (int, bool) {
	if len(toks) == 0 || isFiller(toks[0]) {
		return 0, false
	}
	return match(toks, pattern)
}

// numericDate reads 2026-12-05, 5.12.2026, 5.12. and, where only one reading is
// possible, 12/25/2026.
func numericDate(toks []token, today time.Time) (time.Time, int, bool) {
	t := toks[0].norm
	if day, err := time.Parse("2006-1-2", t); err == nil {
		return day, 1, true
	}
	if day, err := time.Parse("2.1.2006", t); err == nil {
		return day, 1, true
	}
	if a, b, ok := strings.Cut(t, "."); ok && len(toks) > 1 && toks[1].norm == "." && !toks[1].gap {
		d, m := dayNumber(a), dayNumber(b)
		if m >= 1 && m <= 12 && d > 0 && d == number(a) {
			day, ok := upcoming(d, time.Month(m), today)
			return day, 2, ok
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

// monthDate reads "5 December", "December 5th, 2026", "the 5th of Dec", "the
// 5th" and a bare month, which means its last day.
func monthDate(toks []token, today time.Time) (time.Time, int, bool) {
	at := 0
	if toks[0].norm == "the" && len(toks) > 1 {
		at = 1
	}
	d, m, n := 0, time.Month(0), at
	if d = dayNumber(toks[at].norm); d > 0 {
		n++
		if n < len(toks) && toks[n].norm == "of" {
			n++
		}
		month, ok := monthAt(toks, n)
		if !ok {
			ordinal := !isDigits(toks[at].norm)
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
			if d = dayNumber(toks[n].norm); d > 0 {
				n++
			}
		}
		if d == 0 && in("may|march|mar|sun|sat|dec|jan", toks[at].norm) && at == 0 && toks[at].norm != "dec" && toks[at].norm != "jan" {
			return time.Time{}, 0, false // "may" and "march" are verbs more often
		}
	} else {
		return time.Time{}, 0, false
	}
	return withYear(toks, n, d, m, today)
}

func withYear(toks []token, n, d int, m time.Month, today time.Time) (time.Time, int, bool) {
	at := n
	if at < len(toks) && toks[at].norm == "," {
		at++
	}
	if at < len(toks) && len(toks[at].norm) == 4 && number(toks[at].norm) >= 1900 {
		year := number(toks[at].norm)
		if d == 0 {
			return lastOfMonth(year, m), at + 1, true
		}
		day, ok := valid(year, m, d)
		return day, at + 1, ok
	}
	if d == 0 {
		day := lastOfMonth(today.Year(), m)
		if day.Before(today) {
			day = lastOfMonth(today.Year()+1, m)
		}
		return day, n, true
	}
	day, ok := upcoming(d, m, today)
	return day, n, ok
}

// weekdayDate: "Friday" is the next one after today, "next Friday" the one in
// the week after this (weeks begin on Monday).
func weekdayDate(toks []token, today time.Time) (time.Time, int, bool) {
	at, next := 0, false
	switch toks[0].norm {
	case "next":
		at, next = 1, true
	case "this", "coming":
		at = 1
	}
	if at >= len(toks) {
		return time.Time{}, 0, false
	}
	if next || at == 1 || toks[0].norm == "weekend" {
		if day, ok := weekPart(toks[at].norm, next, today); ok {
			return day, at + 1, true
		}
	}
	w, ok := weekdayOf(toks[at].norm)
	if !ok || in("sun|sat|mon", toks[at].norm) && at == 0 && toks[at].norm == "sun" {
		return time.Time{}, 0, false
	}
	n := at + 1
	if n < len(toks) && in("morning|afternoon|evening|night", toks[n].norm) {
		n++
	}
	if n < len(toks) && toks[n].norm == "week" {
		return endOfWeek(today).AddDate(0, 0, isoWeekday(w)), n + 1, true
	}
	if next {
		return endOfWeek(today).AddDate(0, 0, isoWeekday(w)), n, true
	}
	ahead := (int(w) - int(today.Weekday()) + 7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return today.AddDate(0, 0, ahead), n, true
}

// weekPart: a week is done by its Friday, a month and longer by the last day.
func weekPart(w string, next bool, today time.Time) (time.Time, bool) {
	sunday := endOfWeek(today)
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
		return lastOfMonth(today.Year(), today.Month()+time.Month(add)), true
	case "quarter":
		q := (int(today.Month())-1)/3 + 1 + add
		return lastOfMonth(today.Year(), time.Month(3*q)), true
	case "year":
		return lastOfMonth(today.Year()+add, time.December), true
	}
	return time.Time{}, false
}

// periodEnd reads "end of the month", "mid December", "Q3", "Q3 2027".
func periodEnd(toks []token, today time.Time) (time.Time, int, bool) {
	if q := toks[0].norm; len(q) == 2 && q[0] == 'q' && q[1] >= '1' && q[1] <= '4' {
		month := time.Month(3 * int(q[1]-'0'))
		return withYear(toks, 1, 0, month, today)
	}
	n, ok := strict(toks, "the? end|close of the?")
	if !ok {
		n, ok = strict(toks, "end")
	}
	if ok && n < len(toks) {
		if n+1 < len(toks) && in("this|next", toks[n].norm) {
			if day, found := weekPart(toks[n+1].norm, toks[n].norm == "next", today); found {
				return day, n + 2, true
			}
		}
		if day, found := weekPart(toks[n].norm, false, today); found {
			return day, n + 1, true
		}
		if m, found := monthOf(toks[n].norm); found {
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
func inSome(toks []token, today time.Time) (time.Time, int, bool) {
	at := 0
	if in("in|within", toks[0].norm) {
		at = 1
	}
	if at < len(toks) && in("about|around|roughly", toks[at].norm) {
		at++
	}
	if at+1 >= len(toks) {
		return time.Time{}, 0, false
	}
	k, u := count(toks[at].norm), unit(toks[at+1].norm)
	n := at + 2
	if k == 0 || u == 0 {
		return time.Time{}, 0, false
	}
	if m, ok := match(toks[n:], "from now|today"); ok {
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
