package queries

import (
	"testing"
	"time"
)

func TestWhenOfADay(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) // a Friday
	for said, want := range map[string]string{
		"what did I do on 19 November?": "2026-11-19",
		"what changed on Monday?":       "2026-11-16",
		"what did I do on 3 December?":  "2025-12-03",
		"what changed since 2 March?":   "2026-03-02",
	} {
		if from, _, _ := When(said, now); from.Format(time.DateOnly) != want {
			t.Errorf("%q: %s, want %s", said, from.Format(time.DateOnly), want)
		}
	}
}
