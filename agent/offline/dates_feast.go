package offline

import "time"

// feastDate reads the days that have a name and the same date every year: "before
// Christmas" is a day before it. Moving feasts differ by church and are left alone.
func feastDate(toks []token, today time.Time) (time.Time, int, bool) {
	for _, f := range []struct {
		pattern string
		month   time.Month
		day     int
	}{
		{"christmas eve", time.December, 24}, {"christmas day?", time.December, 25}, {"boxing day", time.December, 26},
		{"new year's|years eve", time.December, 31}, {"the? new year|year's|years day?", time.January, 1}, {"halloween", time.October, 31},
		{"valentine's|valentines day?", time.February, 14}, {"st patrick's day", time.March, 17},
	} {
		n, ok := strict(toks, f.pattern)
		if !ok {
			continue
		}
		if n < len(toks) && toks[n].word && !class("<stop>", toks[n].norm) {
			return time.Time{}, 0, false // "the Christmas party"
		}
		day := time.Date(today.Year(), f.month, f.day, 0, 0, 0, 0, time.UTC)
		if day.Before(today) {
			day = day.AddDate(1, 0, 0)
		}
		return day, n, true
	}
	return time.Time{}, 0, false
}
