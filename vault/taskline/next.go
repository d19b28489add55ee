package taskline

import (
	"cmp"
	"fmt"
	"time"
)

// Next returns the text of the task that follows a recurring one which is done on a day.
// Its due day, else the day it is planned for or starts, moves to the next day of the
// rule, and the other days by as much; without any it stays undated. It is counted from
// the task's own day, or "when done" from today. What belongs to one occurrence alone is
// left out: when it was done, its block name and its id. It returns ErrRule for a rule
// that isn't read.
func (l Line) Next(today time.Time) (string, error) {
	r, err := readRule(l.Value(Repeat))
	if err != nil {
		return "", err
	}
	text := l.Text[:len(l.Text)-len(blockName().FindString(l.Text))]
	set := func(key Key, value string) {
		if err == nil && Parse(text).field(key) != nil {
			text, err = Parse(text).Set(key, value, None)
		}
	}
	for _, key := range []Key{Done, Cancelled, ID, DependsOn} {
		set(key, "")
	}
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	set(Created, today.Format(time.DateOnly))
	own := Day(cmp.Or(l.Value(Due), l.Value(Scheduled), l.Value(Start)))
	if own.IsZero() {
		return text, err
	}
	base := own
	if r.whenDone {
		base = today
	}
	next, ok := r.after(base)
	if !ok {
		return "", fmt.Errorf("%w: no day is %q", ErrRule, l.Value(Repeat))
	}
	for _, key := range []Key{Due, Scheduled, Start} {
		if was := Day(l.Value(key)); !was.IsZero() {
			set(key, next.Add(was.Sub(own)).Format(time.DateOnly))
		}
	}
	return text, err
}
