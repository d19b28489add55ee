// Package day holds dates as numbers.
package day

import (
	"math"
	"strings"
	"time"
)

// A Day is a date as the number 20261120, so that days compare as they follow each
// other; 0 is none.
type Day int32

// Of is the one on which a time is.
func Of(t time.Time) Day { return Day(t.Year()*10000 + int(t.Month())*100 + t.Day()) }

// Parse reads the date that a text begins with: a year, a month or a day such as
// 2026, 2026-11 and 2026-11-20, of which the first day counts. A time may follow.
func Parse(text string) (Day, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 10 && strings.ContainsRune("Tt ", rune(text[10])) {
		text = text[:10]
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 {
			return Of(t), true
		}
	}
	return 0, false
}

// Number counts the days from 1970 on.
func (d Day) Number() int {
	return int(time.Date(int(d/1e4), time.Month(d/100%100), int(d%100), 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// NumberOf is the number of the day that a clock on the wall shows.
func NumberOf(t time.Time) int {
	_, offset := t.Zone()
	return int(math.Floor(float64(t.Unix()+int64(offset)) / 86400))
}
