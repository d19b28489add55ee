package main

import (
	"math"
	"testing"
	"time"

	"kist/agent/extract"
	"kist/agent/filing"
	"kist/agent/intent"
)

// TestWhatIsOffered holds what is kept of plain talk against a part of the sets: mere talk
// and requests that are kept, and news that isn't. The reader hasn't seen a sentence of
// theirs; in the short form it is the built one, which has. Those that are read here hold
// talk which is hard to tell from news.
func TestWhatIsOffered(t *testing.T) {
	plainRun(t)
	reader, err := intent.Load()
	if err != nil {
		t.Fatal(err)
	}
	lines, each := sets(t), 12 // one line in so many is read
	fold := foldsOf(lines, folds)
	if long() {
		each = 3
		models := reader.Models()
		models.Intents = newDivision(lines, folds).model(looked, brief)
		if reader, err = intent.Decode(models.Encode(reader.Calibration())); err != nil {
			t.Fatal(err)
		}
	}
	all, offered := map[string]float64{}, map[string]float64{}
	news := make([]float64, len(lines))
	together(len(news), func(i int) {
		if fold[i] == looked && i%each == 0 {
			news[i] = likely(reader, lines[i].input)
		}
	})
	for i, l := range lines {
		if fold[i] == looked && i%each == 0 && !l.input.Guided {
			all[l.intent]++
			if filing.Kept(news[i]) {
				offered[l.intent]++
			}
		}
	}
	for _, want := range []struct {
		label       string
		least, most float64
	}{
		{"none", 0, 0.32}, {"ask", 0, 0.03}, {"switch", 0, 0.04}, {"list_tasks", 0, 0.05}, {"greet", 0, 0.02}, {"thanks", 0, 0.02},
		{"news", 0.93, 1}, {"offer", 0.95, 1}, {"add_decision", 0.9, 1},
	} {
		got := offered[want.label] / all[want.label]
		t.Logf("%-12s %.3f of %.0f are offered", want.label, got, all[want.label])
		if !(got >= want.least && got <= want.most) {
			t.Errorf("%s: %.3f are offered, want %.2f to %.2f", want.label, got, want.least, want.most)
		}
	}
}

// likely is how likely some sentence of a line is news.
func likely(r *intent.Reader, in intent.Input) float64 {
	best := math.Inf(-1)
	for _, s := range extract.Told(in.Text, false) {
		best = max(best, filing.Likely(func(text string) []intent.Reading {
			in.Text = text
			return r.Read(in)
		}, s.Text, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))
	}
	return best
}
