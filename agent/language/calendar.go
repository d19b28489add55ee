package language

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// EndOfWeek is the Sunday of its week.
func EndOfWeek(t time.Time) time.Time { return t.AddDate(0, 0, 7-isoWeekday(t)) }

// isoWeekday numbers Monday 1 to Sunday 7.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// LastOfMonth is the last day of a month.
func LastOfMonth(year int, m time.Month) time.Time { return date(year, int(m)+1, 0) }

func date(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

func dayOf(t time.Time) time.Time { return date(t.Year(), int(t.Month()), t.Day()) }

// valid refuses days that the calendar doesn't have.
func valid(year int, m time.Month, d int) (time.Time, bool) {
	if year < 100 {
		year += 2000
	}
	t := date(year, int(m), d)
	return t, t.Month() == m && t.Day() == d && d > 0
}

// upcoming is the next such day, today included.
func upcoming(d int, m time.Month, today time.Time) (time.Time, bool) {
	for year := today.Year(); year <= today.Year()+8; year++ { // 29 February
		if t, ok := valid(year, m, d); ok && !t.Before(today) {
			return t, true
		}
	}
	return time.Time{}, false
}

// comingDay is the next day of that number in this or a following month.
func comingDay(d int, today time.Time) (time.Time, bool) {
	for add := range 3 {
		first := date(today.Year(), int(today.Month())+add, 1)
		if t, ok := valid(first.Year(), first.Month(), d); ok && !t.Before(today) {
			return t, true
		}
	}
	return time.Time{}, false
}

func monthOf(w string) (time.Month, bool) {
	m := named("month", w)
	return time.Month(m), m > 0
}

// IsMonth reports whether a word names a month, and is nothing else: "may" is.
func IsMonth(w string) bool {
	w = strings.ToLower(w)
	if words := german()[w]; len(words) == 1 && w != "may" {
		w = words[0]
	}
	return w != "may" && named("month", w) > 0
}

// MayDate reports whether tokens hold a word of those that days are named by, a number among
// them. It takes a fraction of the time of reading.
func MayDate(toks []Token) bool {
	return slices.ContainsFunc(toks, func(t Token) bool {
		w := t.Norm
		return Digital(w) || DayNumber(w) > 0 || named("weekday", w)+named("month", w)+named("unit", w)+named("whole", w)+named("day", w) > 0 ||
			In("today|tonight|end", w) || len(german()[w]) > 0 || len(w) > 5 && t.Word && slip2(w) != "" || firstOfFeasts()[w]
	})
}

// firstOfFeasts are the words that the names of feasts begin with.
var firstOfFeasts = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, f := range feasts() {
		for w := range strings.FieldsSeq(f.pattern) {
			for each := range strings.SplitSeq(strings.TrimSuffix(w, "?"), "|") {
				out[each] = true
			}
			if !strings.HasSuffix(w, "?") {
				break
			}
		}
	}
	return out
})

// DayNumber reads 5, 5th, fifth; 0 if it is none.
func DayNumber(w string) int {
	if n := named("rank", w); n > 0 {
		return n
	}
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, suffix)
	}
	if n := number(w); n >= 1 && n <= 31 && len(w) <= 2 {
		return n
	}
	return 0
}

// number reads decimal digits; -1 if there is anything else.
func number(s string) int {
	if !IsDigits(s) || len(s) > 9 {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Count reads a small number, in digits or as a word; 0 if it is none.
func Count(w string) int {
	if n := number(w); n > 0 && n < 1000 {
		return n
	}
	return named("count", w)
}

// Unit is the length in days of a unit of time; months and years are counted by
// the calendar, and only told apart by it.
func Unit(w string) int { return named("unit", w) }

// later adds half units to a day.
func later(day time.Time, halves, unit int) time.Time {
	switch unit {
	case 30:
		return day.AddDate(0, halves/2, halves%2*15)
	case 365:
		return day.AddDate(0, 6*halves, 0)
	}
	return day.AddDate(0, 0, (halves*unit+halves%2)/2)
}

// whole is the unit in which a day lies, or one that many units later.
func whole(unit, add int, day time.Time) Period {
	y, m := day.Year(), int(day.Month())
	months := func(from, n int) Period { return Period{date(y, from, 1), date(y, from+n, 0)} }
	switch unit {
	case 30:
		return months(m+add, 1)
	case 91:
		return months((m-1)/3*3+1+3*add, 3)
	case 365:
		return months(1+12*add, 12)
	}
	sunday := EndOfWeek(day).AddDate(0, 0, 7*add)
	if unit == 2 {
		return Period{sunday.AddDate(0, 0, -1), sunday}
	}
	return Period{sunday.AddDate(0, 0, -6), sunday}
}

// A feast is a day that has a name.
type feast struct {
	pattern string
	month   time.Month // 0: it is counted from Easter Sunday
	day     int
	weekday string // it is the first such day from then on
}

// feasts reads en/feasts.txt once.
var feasts = sync.OnceValue(func() []feast {
	var out []feast
	for _, line := range lines("en/feasts.txt") {
		pattern, when, _ := strings.Cut(line, " = ")
		kind, at, _ := strings.Cut(when, " ")
		f := feast{pattern: pattern, weekday: kind}
		if kind == "easter" {
			f.day, _ = strconv.Atoi(at)
		} else if day, err := time.Parse("01-02", when[len(when)-5:]); err == nil {
			f.month, f.day = day.Month(), day.Day()
		}
		out = append(out, f)
	}
	return out
})

// in is the feast's day in a year.
func (f feast) in(year int) time.Time {
	if f.month == 0 {
		return easter(year).AddDate(0, 0, f.day)
	}
	day := date(year, int(f.month), f.day)
	if w := named("weekday", f.weekday); w > 0 {
		day = day.AddDate(0, 0, (w-isoWeekday(day)+7)%7)
	}
	return day
}

// easter is Easter Sunday of the Western churches, by the anonymous Gregorian
// algorithm (Nature, 1876).
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return date(year, month, day)
}
