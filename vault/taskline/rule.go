package taskline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrRule is returned for a recurrence that can't be read.
var ErrRule = errors.New("kist can't tell when it recurs")

// A rule says when a task recurs.
type rule struct {
	every    int
	unit     string // day, week, month or year
	weekdays []time.Weekday
	days     []int // of the month; -1: the last
	nth      int   // which of the weekdays of a month; -1: the last; 0: any
	month    time.Month
	whenDone bool // counted from the day on which it is done
}

// maxEvery bounds what "every 999999 years" costs.
const maxEvery = 1000

// readRule reads a recurrence as people write it for the plugin Tasks: "every 2 weeks on
// Monday, Thursday", "every weekday", "every month on the last Friday", "every January on
// the 15th", each with "when done" or without.
func readRule(text string) (rule, error) {
	r := ruleReader{words: strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })}
	r.every = 1
	if n := len(r.words); n > 2 && r.words[n-2] == "when" && r.words[n-1] == "done" {
		r.whenDone, r.words = true, r.words[:n-2]
	}
	ok := r.take("every") && r.unitOf()
	if ok && r.take("on") {
		ok = r.on()
	}
	if !ok || len(r.words) > 0 {
		return rule{}, fmt.Errorf("%w: %q", ErrRule, text)
	}
	return r.rule, nil
}

// A ruleReader takes a rule from the words of a text.
type ruleReader struct {
	rule
	words []string
}

func (r *ruleReader) take(word string) bool {
	if len(r.words) == 0 || r.words[0] != word {
		return false
	}
	r.words = r.words[1:]
	return true
}

// unitOf reads "2 weeks", "weekday", "Monday and Friday" or "January".
func (r *ruleReader) unitOf() bool {
	if len(r.words) == 0 {
		return false
	}
	if n, err := strconv.Atoi(r.words[0]); err == nil {
		if n < 1 || n > maxEvery || len(r.words) < 2 {
			return false
		}
		r.every, r.words = n, r.words[1:]
	} else if r.take("other") {
		r.every = 2
	}
	if len(r.words) == 0 {
		return false
	}
	word := strings.TrimSuffix(r.words[0], "s")
	switch {
	case slices.Contains([]string{"day", "week", "month", "year"}, word):
		r.unit, r.words = word, r.words[1:]
	case word == "weekday" && r.every == 1:
		r.unit, r.words = "week", r.words[1:]
		r.weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
	case monthOf(word) != 0 && r.every == 1:
		r.unit, r.month, r.words = "year", monthOf(word), r.words[1:]
	default:
		r.unit = "week"
		return r.weekdayList()
	}
	return true
}

// on reads what days are meant within the unit.
func (r *ruleReader) on() bool {
	switch r.unit {
	case "week":
		return r.weekdays == nil && r.weekdayList()
	case "day":
		return false
	case "year":
		if r.month == 0 {
			return false
		}
	}
	for len(r.words) > 0 {
		r.take("the")
		if len(r.words) == 0 || !r.dayOfMonth() {
			return false
		}
		for r.take("and") {
		}
	}
	return len(r.days) > 0 || r.nth != 0
}

// dayOfMonth reads "15th", "last" or "2nd Tuesday".
func (r *ruleReader) dayOfMonth() bool {
	n := -1
	if !r.take("last") {
		var err error
		n, err = strconv.Atoi(strings.TrimRight(r.words[0], "stndrh"))
		if err != nil || n < 1 || n > 31 {
			return false
		}
		r.words = r.words[1:]
	}
	if len(r.words) > 0 {
		if w, ok := weekdayOf(r.words[0]); ok {
			if r.nth != 0 || len(r.days) > 0 || n > 5 {
				return false
			}
			r.nth, r.weekdays, r.words = n, []time.Weekday{w}, r.words[1:]
			return true
		}
		if r.words[0] == "day" {
			r.words = r.words[1:]
		}
	}
	r.days = append(r.days, n)
	return r.nth == 0
}

func (r *ruleReader) weekdayList() bool {
	for len(r.words) > 0 {
		w, ok := weekdayOf(r.words[0])
		if !ok {
			break
		}
		r.weekdays, r.words = append(r.weekdays, w), r.words[1:]
		for r.take("and") {
		}
	}
	return len(r.weekdays) > 0
}

func weekdayOf(word string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := strings.ToLower(d.String())
		if word = strings.TrimSuffix(word, "s"); word == name || word == name[:3] || word+"s" == name {
			return d, true
		}
	}
	return 0, false
}

func monthOf(word string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if name := strings.ToLower(m.String()); word == name || word == name[:3] {
			return m
		}
	}
	return 0
}

// after is the first day behind base on which the task recurs; false: there is none.
func (r rule) after(base time.Time) (time.Time, bool) {
	switch {
	case r.unit == "day":
		return base.AddDate(0, 0, r.every), true
	case r.unit == "week" && len(r.weekdays) == 0:
		return base.AddDate(0, 0, 7*r.every), true
	case r.unit == "month" && len(r.days) == 0 && r.nth == 0:
		return addMonths(base, r.every), true
	case r.unit == "year" && r.month == 0:
		return addMonths(base, 12*r.every), true
	}
	limit := 366 * 9 // the leap day before and behind a year that has none
	switch r.unit {
	case "week":
		limit = 7*r.every + 7
	case "month":
		limit = 31*r.every + 366
	}
	for i := 1; i <= limit; i++ {
		if day := base.AddDate(0, 0, i); r.has(base, day) {
			return day, true
		}
	}
	return time.Time{}, false
}

// has reports whether a day is one of those that the rule, counted from base, names.
func (r rule) has(base, day time.Time) bool {
	switch r.unit {
	case "week":
		weeks := int(monday(day).Sub(monday(base)).Hours()) / (24 * 7)
		return weeks%r.every == 0 && slices.Contains(r.weekdays, day.Weekday())
	case "month":
		if months := 12*(day.Year()-base.Year()) + int(day.Month()-base.Month()); months%r.every != 0 {
			return false
		}
	case "year":
		if day.Month() != r.month {
			return false
		}
	}
	last := addMonths(day.AddDate(0, 0, 1-day.Day()), 1).AddDate(0, 0, -1).Day()
	switch {
	case r.nth > 0:
		return day.Weekday() == r.weekdays[0] && (day.Day()-1)/7+1 == r.nth
	case r.nth < 0:
		return day.Weekday() == r.weekdays[0] && day.Day()+7 > last
	case len(r.days) == 0: // "every January": on the day that it has
		return day.Day() == base.Day()
	}
	return slices.Contains(r.days, day.Day()) || day.Day() == last && slices.Contains(r.days, -1)
}

func monday(day time.Time) time.Time { return day.AddDate(0, 0, -(int(day.Weekday())+6)%7) }

// addMonths is the same day some months later, or the last of a month that is too short.
func addMonths(day time.Time, n int) time.Time {
	first := day.AddDate(0, 0, 1-day.Day()).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}
