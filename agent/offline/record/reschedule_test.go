package record

import (
	"testing"
	"time"

	"kist/agent/offline/interpret"
	"kist/agent/offline/todo"
)

// A month after the last of January is the last of February.
func TestDayAfterMonths(t *testing.T) {
	for _, test := range []struct {
		was  string
		m    todo.Shift
		want string
	}{
		{"2027-01-31", todo.Shift{Months: 1}, "2027-02-28"}, {"2027-03-31", todo.Shift{Months: -1}, "2027-02-28"}, {"2027-12-15", todo.Shift{Months: 2}, "2028-02-15"},
		{"2028-02-28", todo.Shift{Days: 2}, "2028-03-01"}, {"2027-01-01", todo.Shift{Days: -1}, "2026-12-31"}, {"soon", todo.Shift{Days: 1}, ""}, {"", todo.Shift{Days: 1}, ""},
	} {
		if got := newDay(interpret.Meaning{Moved: test.m}, dated{was: test.was}, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)); got != test.want {
			t.Errorf("%s %+v: %s, want %s", test.was, test.m, got, test.want)
		}
	}
}

// A bare day is one of the month in which the task is, where that isn't over.
func TestDayAlone(t *testing.T) {
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ was, read, want string }{
		{"2026-12-21", "2026-11-22", "2026-12-22"}, {"2026-12-21", "2026-12-03", "2026-12-03"}, {"2026-11-30", "2026-12-03", "2026-12-03"},
		{"2027-02-10", "2026-11-30", "2026-11-30"}, {"", "2026-11-22", "2026-11-22"},
	} {
		m := interpret.Meaning{Change: todo.Todo{Due: test.read}, DayAlone: true}
		if got := newDay(m, dated{was: test.was}, now); got != test.want {
			t.Errorf("from %s to the day of %s: %s, want %s", test.was, test.read, got, test.want)
		}
	}
}
