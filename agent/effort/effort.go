// Package effort reads how much work something is, as people write it.
package effort

import (
	"strconv"
	"strings"

	"kist/vault/pattern"
)

// Working time: a day has eight hours, a week five days, a month four weeks.
const (
	HoursInDay   = 8
	HoursInWeek  = 5 * HoursInDay
	HoursInMonth = 4 * HoursInWeek
)

var (
	durationPart = pattern.Lazy(`^(-?\d{1,9}(?:[.,]\d{1,3})?)(?:\s*[-–]\s*(\d{1,9}(?:[.,]\d{1,3})?))?\s*([\p{L}]*)[\s,]*(?:and\s+)?`)
	isoDuration  = pattern.Lazy(`^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?)?$`)
)

// Hours reads a duration as people write it ("3h", "1.5 days", "2h 30m",
// "2-3 weeks": the longer, "PT4H") as hours of work. A bare number is in minutes, as
// in calendars, from 15 on, and in hours below. It returns false for anything else,
// also for nothing and less.
func Hours(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 64 {
		return 0, false
	}
	if m := isoDuration().FindStringSubmatch(s); m != nil {
		h := number(m[1])*HoursInWeek + number(m[2])*HoursInDay + number(m[3]) + number(m[4])/60
		return h, Usable(h)
	}
	total := 0.0
	for rest := strings.TrimLeft(strings.ToLower(s), "~≈ "); rest != ""; {
		m := durationPart().FindStringSubmatch(rest)
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
	return total, Usable(total)
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
		return HoursInDay, true
	case "w", "wk", "wks", "week", "weeks":
		return HoursInWeek, true
	case "mo", "month", "months":
		return HoursInMonth, true
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
var weekly = pattern.Lazy(`(?i)(?:^|[^\w.,])(\d{1,3}(?:[.,]\d)?)(?:\s*(?:-|–|to)\s*(\d{1,3}(?:[.,]\d)?))?\s*(?:h|hrs?|hours?)\s*(?:(?:a|per|each|every)\s+|/\s*)(?:week|wk)\b`)

// Weekly finds how many hours a week a line says are worked, from the least to the
// most ("5-6 h a week"); 0: it doesn't say.
func Weekly(line string) (least, most float64) {
	m := weekly().FindStringSubmatch(line)
	if m == nil {
		return 0, 0
	}
	least, most = number(m[1]), number(m[1])
	if m[2] != "" {
		most = number(m[2])
	}
	if max(least, most) > 24*7 {
		return 0, 0
	}
	return min(least, most), max(least, most)
}

// MaxHours is the longest estimate that is believed: ten years of work.
const MaxHours = 10 * 52 * HoursInWeek

// Usable reports whether a number of hours can be an estimate.
func Usable(hours float64) bool { return hours > 0 && hours <= MaxHours }
