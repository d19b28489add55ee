package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"kist/agent/intent"
	"kist/agent/intent/linear"
)

const folder = "../../../testdata/dialogues"

// folds are how many parts the sets are divided into; one of them is read, unless
// KIST_FOLDS is all.
const folds, looked = 4, 0

// brief is how the short form trains: half as long, which makes reading a little worse.
var brief = func() linear.Options {
	o := options
	o.Rounds, o.Again = 4, 3
	return o
}()

var (
	messages = sync.OnceValues(func() ([]message, error) { return readActs(folder) })
	labelled = sync.OnceValues(func() ([]line, error) { return readSets(folder) })
	// apart is all lines divided, with the model of what isn't in the fold looked at.
	apart = sync.OnceValues(func() (*division, *linear.Model) {
		lines, _ := labelled()
		told, _ := messages()
		t := newDivision(slices.Concat(lines, linesOf(told)), folds)
		return t, t.model(looked, brief)
	})
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

// TestLeaveOut reads sets with a model that has seen none of their sentences.
func TestLeaveOut(t *testing.T) {
	plainRun(t)
	var outcomes, misspelt []outcome
	worse := 0.01 // by the short form's model, which has trained for half the time
	if os.Getenv("KIST_FOLDS") == "all" {
		worse = 0
		outcomes, misspelt = leaveOut(sets(t), folds)
	} else {
		all, model := apart()
		outcomes, misspelt = all.read(model, looked)
	}
	c := calibrate(outcomes)
	plain, wrong := tallyOf(outcomes, c), tallyOf(misspelt, c)
	t.Logf("sets left out:\n%swith typing errors in 5%% of the letters:\n%s", table(outcomes, c), wrong)
	for _, f := range floors {
		if got := f.of(plain, wrong); got.precision() < f.precision-worse || got.recall() < f.recall-worse {
			t.Errorf("%s: %s, at least %.3f/%.3f less %.2f", f.name, got, f.precision, f.recall, worse)
		}
	}
	if e := calibrationError(outcomes, c.Temperature); e > 0.03 {
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
