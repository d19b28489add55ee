package record

import (
	"testing"

	"kist/agent/offline/interpret"
)

// A month after the last of January is the last of February.
func TestDayAfterMonths(t *testing.T) {
	for _, test := range []struct {
		was  string
		m    interpret.Moved
		want string
	}{
		{"2027-01-31", interpret.Moved{Months: 1}, "2027-02-28"}, {"2027-03-31", interpret.Moved{Months: -1}, "2027-02-28"}, {"2027-12-15", interpret.Moved{Months: 2}, "2028-02-15"},
		{"2028-02-28", interpret.Moved{Days: 2}, "2028-03-01"}, {"2027-01-01", interpret.Moved{Days: -1}, "2026-12-31"}, {"soon", interpret.Moved{Days: 1}, ""}, {"", interpret.Moved{Days: 1}, ""},
	} {
		if got := newDay(interpret.Meaning{Moved: test.m}, dated{was: test.was}); got != test.want {
			t.Errorf("%s %+v: %s, want %s", test.was, test.m, got, test.want)
		}
	}
}
