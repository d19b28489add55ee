package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"kist/agent/intent"
	"kist/agent/train/learn"
)

const folder = "../../testdata/dialogues"

// folds are how many parts the sets are divided into, each read by a model of the others.
// The short form has one set in five, and reads one part; KIST_FOLDS=all is the long form.
const folds, looked, fewer = 4, 0, 5

// long reports whether the long form is asked for.
func long() bool { return os.Getenv("KIST_FOLDS") == "all" }

// brief is how the short form trains: half as long.
var brief = func() learn.Options {
	o := options
	o.Rounds, o.Again = 4, 3
	return o
}()

var (
	messages = sync.OnceValues(func() ([]message, error) { return readActs(folder) })
	labelled = sync.OnceValues(func() ([]line, error) { return readSets(folder) })
)

// sets are the labelled lines, with those of the annotated messages behind them.
func sets(t *testing.T) []line {
	t.Helper()
	lines, err := labelled()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(lines, linesOf(annotated(t)))
}

func annotated(t *testing.T) []message {
	t.Helper()
	told, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// plainRun skips what trains a model where the race detector makes it ten times as slow.
func plainRun(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("the race detector has nothing to find in it")
	}
	sets(t)
}

// TestWeightsAreUpToDate fails when the sets, the features or the tokens have changed
// since the weights were made.
func TestWeightsAreUpToDate(t *testing.T) {
	plainRun(t)
	r, err := intent.Load()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Calibration().Fingerprint, fingerprint(sets(t), annotated(t)); got != want {
		t.Errorf("weights of %s, the sets are %s: run go generate ./agent/intent", got, want)
	}
}

// some are the lines of one set in so many.
func some(lines []line) []line {
	fold := foldsOf(lines, fewer)
	return slices.Collect(func(yield func(line) bool) {
		for i, l := range lines {
			if fold[i] == 0 && !yield(l) {
				return
			}
		}
	})
}

// floors are what was reached less a little, so that no change makes reading worse
// unseen, and what the short form reached, which learns from a fifth.
var floors = []struct {
	name                        string
	of                          func(plain, misspelt *tally) counts
	precision, recall           float64
	shortPrecision, shortRecall float64
}{
	{"best reading", func(p, _ *tally) counts { return p.best }, 0.795, 0.775, 0.69, 0.61},
	{"switches", func(p, _ *tally) counts { return p.switches }, 0.875, 0.93, 0.75, 0.87},
	{"acted on", func(p, _ *tally) counts { return p.acted }, 0.945, 0.51, 0.935, 0.30},
	{"switches acted on", func(p, _ *tally) counts { return p.switched }, 0.965, 0.80, 0.95, 0.77},
	{"best reading, misspelt", func(_, m *tally) counts { return m.best }, 0.745, 0.69, 0.65, 0.55},
	{"acted on, misspelt", func(_, m *tally) counts { return m.acted }, 0.93, 0.38, 0.92, 0.22},
}

// TestLeaveOut reads sets with a model that has seen none of their sentences.
func TestLeaveOut(t *testing.T) {
	plainRun(t)
	var outcomes, misspelt []outcome
	if long() {
		outcomes, misspelt = leaveOut(sets(t), folds)
	} else {
		d := newDivision(some(sets(t)), folds)
		outcomes, misspelt = d.read(d.model(looked, brief), looked)
	}
	c := calibrate(outcomes)
	plain, wrong := tallyOf(outcomes, c), tallyOf(misspelt, c)
	t.Logf("sets left out:\n%swith typing errors in 5%% of the letters:\n%s", table(outcomes, c), wrong)
	for _, f := range floors {
		precision, recall := f.precision, f.recall
		if !long() {
			precision, recall = f.shortPrecision, f.shortRecall
		}
		t.Logf("%s: %s", f.name, f.of(plain, wrong))
		if got := f.of(plain, wrong); got.precision() < precision || got.recall() < recall {
			t.Errorf("%s: %s, at least %.3f/%.3f", f.name, got, precision, recall)
		}
	}
	most := 0.03
	if !long() {
		most = 0.045
	}
	if e := calibrationError(outcomes, c.Temperature); e > most {
		t.Errorf("probabilities are %.3f off, more than %.3f", e, most)
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
