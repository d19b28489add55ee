package language

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// A feast is a day that has a name.
type feast struct {
	pattern string
	month   time.Month // 0: it is counted from Easter Sunday
	day     int
}

// feasts reads en/feasts.txt once.
var feasts = sync.OnceValue(func() []feast {
	var out []feast
	for _, line := range lines("en/feasts.txt") {
		pattern, when, _ := strings.Cut(line, " = ")
		if after, ok := strings.CutPrefix(when, "easter "); ok {
			days, _ := strconv.Atoi(after)
			out = append(out, feast{pattern: pattern, day: days})
			continue
		}
		if day, err := time.Parse("01-02", when); err == nil {
			out = append(out, feast{pattern, day.Month(), day.Day()})
		}
	}
	return out
})

// in is the feast's day in a year.
func (f feast) in(year int) time.Time {
	if f.month == 0 {
		return easter(year).AddDate(0, 0, f.day)
	}
	return time.Date(year, f.month, f.day, 0, 0, 0, 0, time.UTC)
}

// feastDate reads the days that have a name: "before Christmas" is a day before it.
func feastDate(toks []Token, today time.Time) (time.Time, int, bool) {
	for _, f := range feasts() {
		n, ok := strict(toks, f.pattern)
		if !ok {
			continue
		}
		if n < len(toks) && toks[n].Word && !Class("<stop>", toks[n].Norm) {
			return time.Time{}, 0, false // "the Christmas party"
		}
		day := f.in(today.Year())
		if day.Before(today) {
			day = f.in(today.Year() + 1)
		}
		return day, n, true
	}
	return time.Time{}, 0, false
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
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}
