package language

import (
	"strconv"
	"strings"
	"time"
)

// EndOfWeek is the Sunday of its week.
func EndOfWeek(t time.Time) time.Time { return t.AddDate(0, 0, 7-isoWeekday(t.Weekday())) }

// isoWeekday numbers Monday 1 to Sunday 7.
func isoWeekday(w time.Weekday) int { return (int(w)+6)%7 + 1 }

// LastOfMonth is the last day of a month.
func LastOfMonth(year int, m time.Month) time.Time {
	return time.Date(year, m+1, 0, 0, 0, 0, 0, time.UTC)
}

// valid refuses days that the calendar doesn't have.
func valid(year int, m time.Month, d int) (time.Time, bool) {
	if year < 100 {
		year += 2000
	}
	t := time.Date(year, m, d, 0, 0, 0, 0, time.UTC)
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
		first := time.Date(today.Year(), today.Month()+time.Month(add), 1, 0, 0, 0, 0, time.UTC)
		if t, ok := valid(first.Year(), first.Month(), d); ok && !t.Before(today) {
			return t, true
		}
	}
	return time.Time{}, false
}

func monthAt(toks []Token, i int) (time.Month, bool) {
	if i >= len(toks) {
		return 0, false
	}
	return monthOf(toks[i].Norm)
}

func monthOf(w string) (time.Month, bool) {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if w == name || w == name[:3] || w == "sept" && m == time.September {
			return m, true
		}
	}
	return 0, false
}

// IsMonth reports whether a word names a month, and is nothing else: "may" is.
func IsMonth(w string) bool {
	w = strings.ToLower(w)
	if w == "may" {
		return false
	}
	if words := german()[w]; len(words) == 1 {
		w = words[0]
	}
	_, ok := monthOf(w)
	return ok
}

func weekdayOf(w string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := strings.ToLower(d.String())
		if w == name || w == name[:3] || In("tues|thur|thurs", w) && strings.HasPrefix(name, w) {
			return d, true
		}
	}
	return 0, false
}

// DayNumber reads 5, 5th, fifth; 0 if it is none.
func DayNumber(w string) int {
	for i, name := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth") {
		if w == name {
			return i + 1
		}
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

func isCount(w string) bool { return Count(w) > 0 }

// Count reads a small number, in digits or as a word; 0 if it is none.
func Count(w string) int {
	if n := number(w); n > 0 && n < 1000 {
		return n
	}
	if In("a|an", w) {
		return 1
	}
	for i, name := range strings.Fields("one two three four five six seven eight nine ten eleven twelve") {
		if w == name {
			return i + 1
		}
	}
	return 0
}

// Unit is the length in days of a unit of time; months and years are counted by
// the calendar, and only told apart by it.
func Unit(w string) int {
	switch strings.TrimSuffix(w, "s") {
	case "day":
		return 1
	case "week":
		return 7
	case "fortnight":
		return 14
	case "month":
		return 30
	case "year":
		return 365
	}
	return 0
}
