package offline

import "testing"

// A month after the last of January is the last of February.
func TestDayAfterMonths(t *testing.T) {
	for _, test := range []struct {
		was  string
		m    moved
		want string
	}{
		{"2027-01-31", moved{months: 1}, "2027-02-28"}, {"2027-03-31", moved{months: -1}, "2027-02-28"}, {"2027-12-15", moved{months: 2}, "2028-02-15"},
		{"2028-02-28", moved{days: 2}, "2028-03-01"}, {"2027-01-01", moved{days: -1}, "2026-12-31"}, {"soon", moved{days: 1}, ""}, {"", moved{days: 1}, ""},
	} {
		if got := newDay(meaning{moved: test.m}, dated{was: test.was}); got != test.want {
			t.Errorf("%s %+v: %s, want %s", test.was, test.m, got, test.want)
		}
	}
}
