package forecast

import (
	"regexp"
	"strconv"
	"strings"
)

// Working time: a day has eight hours, a week five days, a month four weeks.
const (
	hoursInDay   = 8
	hoursInWeek  = 5 * hoursInDay
	hoursInMonth = 4 * hoursInWeek
)

var (
	durationPart = regexp.MustCompile(`^(-?\d{1,9}(?:[.,]\d{1,3})?)(?:\s*[-–]\s*(\d{1,9}(?:[.,]\d{1,3})?))?\s*([\p{L}]*)[\s,]*(?:and\s+)?`)
	isoDuration  = regexp.MustCompile(`^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?)?$`)
)

// parseHours reads a duration as people write it ("3h", "1.5 days", "2h 30m",
// "2-3 weeks": the longer, "PT4H") as hours of work. A bare number is in minutes, as
// in calendars, from 15 on, and in hours below. It returns false for anything else,
// also for nothing and less.
func parseHours(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 64 {
		return 0, false
	}
	if m := isoDuration.FindStringSubmatch(s); m != nil {
		h := number(m[1])*hoursInWeek + number(m[2])*hoursInDay + number(m[3]) + number(m[4])/60
		return h, usable(h)
	}
	total := 0.0
	for rest := strings.TrimLeft(strings.ToLower(s), "~≈ "); rest != ""; {
		m := durationPart.FindStringSubmatch(rest)
		if m == nil || m[0] == "" {
			return 0, false
		}
		n := number(m[1])
		if m[2] != "" {
			n = max(n, number(m[2]))
		}
		u, ok := hoursIn(m[3], n)
		if !ok || n < 0 {
			return 0, false
		}
		total += n * u
		rest = rest[len(m[0]):]
	}
	return total, usable(total)
}

func number(s string) float64 {
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
	if err != nil {
		return 0
	}
	return f
}

func hoursIn(unit string, n float64) (float64, bool) {
	switch unit {
	case "m", "min", "mins", "minute", "minutes":
		return 1.0 / 60, true
	case "h", "hr", "hrs", "hour", "hours":
		return 1, true
	case "d", "day", "days":
		return hoursInDay, true
	case "w", "wk", "wks", "week", "weeks":
		return hoursInWeek, true
	case "mo", "month", "months":
		return hoursInMonth, true
	case "":
		if n >= 15 {
			return 1.0 / 60, true
		}
		return 1, true
	}
	return 0, false
}

// weekly is how people say how much they work: "8 hours a week", "5-6 h per week",
// "10 h/week".
var weekly = regexp.MustCompile(`(?i)(?:^|[^\w.,])(\d{1,3}(?:[.,]\d)?)(?:\s*(?:-|–|to)\s*(\d{1,3}(?:[.,]\d)?))?\s*(?:h|hrs?|hours?)\s*(?:(?:a|per|each|every)\s+|/\s*)(?:week|wk)\b`)

// parseWeekly finds how many hours a week a line says are worked; of "5-6" the
// middle. 0: it doesn't say.
func parseWeekly(line string) float64 {
	m := weekly.FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	h := number(m[1])
	if m[2] != "" {
		h = (h + number(m[2])) / 2
	}
	if h > 168 {
		return 0
	}
	return h
}
