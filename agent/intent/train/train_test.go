package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kist/agent/intent"
)

const folder = "../../../testdata/dialogues"

// folds are fewer than a report has, for the time.
const folds = 4

// sets are the labelled lines, with those of the annotated messages behind them.
func sets(t *testing.T) []line {
	t.Helper()
	lines, err := readSets(folder)
	if err != nil {
		t.Fatal(err)
	}
	lines = append(lines, linesOf(annotated(t))...)
	if raced {
		lines = lines[:len(lines)/12]
	}
	return lines
}

func annotated(t *testing.T) []message {
	t.Helper()
	messages, err := readActs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// TestWeightsAreUpToDate fails when the sets, the features or the tokens have changed
// since the weights were made.
func TestWeightsAreUpToDate(t *testing.T) {
	if raced {
		return
	}
	r, err := intent.Load()
	if err != nil {
		t.Fatal(err)
	}
	messages := annotated(t)
	if got, want := r.Calibration().Fingerprint, fingerprint(examplesOf(sets(t)), slotSequences(messages), placesOf(messages)); got != want {
		t.Errorf("weights of %s, the sets are %s: run go generate ./agent/intent", got, want)
	}
}

// floors are what was reached less a little, so that no change makes reading worse
// unseen.
var floors = []struct {
	name              string
	of                func(plain, misspelt *tally) counts
	precision, recall float64
}{
	{"best reading", func(p, _ *tally) counts { return p.best }, 0.795, 0.775},
	{"switches", func(p, _ *tally) counts { return p.switches }, 0.875, 0.93},
	{"acted on", func(p, _ *tally) counts { return p.acted }, 0.945, 0.51},
	{"switches acted on", func(p, _ *tally) counts { return p.switched }, 0.965, 0.80},
	{"best reading, misspelt", func(_, m *tally) counts { return m.best }, 0.745, 0.69},
	{"acted on, misspelt", func(_, m *tally) counts { return m.acted }, 0.93, 0.38},
}

// TestLeaveOut reads every set with a model that has seen none of its sentences.
func TestLeaveOut(t *testing.T) {
	outcomes, misspelt := leaveOut(sets(t), folds)
	c := calibrate(outcomes)
	plain, wrong := tallyOf(outcomes, c), tallyOf(misspelt, c)
	t.Logf("sets left out:\n%swith typing errors in 5%% of the letters:\n%s", table(outcomes, c), wrong)
	for _, f := range floors {
		if got := f.of(plain, wrong); !raced && (got.precision() < f.precision || got.recall() < f.recall) {
			t.Errorf("%s: %s, at least %.3f/%.3f", f.name, got, f.precision, f.recall)
		}
	}
	if e := calibrationError(outcomes, c.Temperature); e > 0.03 && !raced {
		t.Errorf("probabilities are %.3f off", e)
	}
}

// TestNothingLeaks checks that what is read was not learned: no sentence stands on both
// sides of a fold, whatever its case, its punctuation and its projects.
func TestNothingLeaks(t *testing.T) {
	lines := sets(t)
	fold := foldsOf(lines, folds)
	for k := range folds {
		learned, read := split(lines, fold, k)
		held := map[string]bool{}
		for _, i := range read {
			held[plain(lines[i].input)] = true
		}
		for _, i := range learned {
			if held[plain(lines[i].input)] {
				t.Errorf("%q is learned and read", lines[i].input.Text)
			}
			if fold[i] == k {
				t.Errorf("set %s is learned and read", lines[i].set)
			}
		}
		if len(learned) < len(lines)/2 || len(read) == 0 {
			t.Errorf("fold %d: %d learned, %d read", k, len(learned), len(read))
		}
	}
}

func TestLabelsAreIntents(t *testing.T) {
	r, err := intent.Load()
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, v := range r.Read(intent.Input{}) {
		known = append(known, string(v.Intent))
	}
	for _, l := range sets(t) {
		if !slices.Contains(known, l.intent) {
			t.Errorf("%s:%d: no intent %s", l.set, l.number, l.intent)
		}
	}
}

func TestMisspell(t *testing.T) {
	text := strings.Repeat("switch to the houseboat 12 ", 100)
	a, b := misspell(text, 0.05, rand.New(rand.NewPCG(1, 1))), misspell(text, 0.05, rand.New(rand.NewPCG(1, 1)))
	if a != b {
		t.Error("the same seed made other errors")
	}
	if strings.Count(a, "12") != 100 {
		t.Error("digits were changed")
	}
	if same := strings.Count(a, "switch to the houseboat"); same < 20 || same > 60 {
		t.Errorf("%d of 100 sentences of 20 letters have no error", same)
	}
	if got := misspell(text, 0, rand.New(rand.NewPCG(1, 1))); got != text {
		t.Error("errors without a share")
	}
}
