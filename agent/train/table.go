package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kist/agent/intent"
)

// counts of what was read. None is what is left when nothing is to be done, so only
// other intents are found.
type counts struct{ right, wrong, missed int }

func (c *counts) add(got, want string) {
	switch {
	case got == want && got != string(intent.None):
		c.right++
	case got != want:
		if got != string(intent.None) {
			c.wrong++
		}
		if want != string(intent.None) {
			c.missed++
		}
	}
}

func (c counts) precision() float64 { return share(c.right, c.right+c.wrong) }
func (c counts) recall() float64    { return share(c.right, c.right+c.missed) }

func share(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func (c counts) String() string {
	return fmt.Sprintf("%.3f/%.3f (%d found, %d false, %d missed)", c.precision(), c.recall(), c.right, c.wrong, c.missed)
}

// A tally holds the counts of outcomes: of the best readings, and of those that are
// sure enough to act on.
type tally struct {
	best, acted, switches, switched counts
	choices, chosen                 int // offered, and the right one among the two
	bySet, byIntent                 map[string]*counts
}

func tallyOf(outcomes []outcome, c thresholds) *tally {
	t := &tally{bySet: map[string]*counts{}, byIntent: map[string]*counts{}}
	for _, o := range outcomes {
		best := o.best(c.Temperature)
		got, sure := string(best.Intent), string(best.Intent)
		enough := c.Act
		if strict[best.Intent] {
			enough = c.Strict
		}
		if best.P < enough {
			sure = string(intent.None)
			if best.Intent != intent.None && best.P >= c.Choose {
				t.choices++
				if o.amongTwo() {
					t.chosen++
				}
			}
		}
		t.best.add(got, o.line.intent)
		t.acted.add(sure, o.line.intent)
		t.switches.add(only(got, intent.Switch), only(o.line.intent, intent.Switch))
		t.switched.add(only(sure, intent.Switch), only(o.line.intent, intent.Switch))
		at(t.bySet, o.line.set).add(got, o.line.intent)
		for _, name := range []string{got, o.line.intent} {
			at(t.byIntent, name).add(only(got, intent.Name(name)), only(o.line.intent, intent.Name(name)))
			if got == o.line.intent {
				break
			}
		}
	}
	return t
}

// only reads all but one intent as none.
func only(got string, name intent.Name) string {
	if got == string(name) {
		return got
	}
	return string(intent.None)
}

func at(m map[string]*counts, key string) *counts {
	if m[key] == nil {
		m[key] = &counts{}
	}
	return m[key]
}

// table prints precision and recall of everything, of each set and of each intent.
func table(outcomes []outcome, c thresholds) string {
	t := tallyOf(outcomes, c)
	var b strings.Builder
	for _, m := range []map[string]*counts{t.bySet, t.byIntent} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(&b, "%-20s %s\n", name, m[name])
		}
	}
	b.WriteString(t.String())
	fmt.Fprintf(&b, "loss %.4f, probabilities off by %.3f\n", loss(outcomes, c.Temperature), calibrationError(outcomes, c.Temperature))
	fmt.Fprintf(&b, "%+v\n", c)
	return b.String()
}

func (t *tally) String() string {
	return fmt.Sprintf("best reading         %s\nswitches             %s\nacted on             %s\nswitches acted on    %s\noffered as a choice  %d, the right one among the two %.3f\n",
		t.best, t.switches, t.acted, t.switched, t.choices, share(t.chosen, t.choices))
}
