package main

import (
	"cmp"
	"math"
	"slices"

	"kist/agent/intent"
	"kist/agent/intent/linear"
)

// What is promised of readings that are acted on, and of the choice between two.
const (
	actPrecision    = 0.955 // a little over .95: other sets are not the same
	strictPrecision = 0.98
	choiceHolds     = 0.75 // how often the right one is among the two offered
)

// strict are the intents that remove, rename or move something, or take it back: doing
// one by mistake costs more than asking once too often.
var strict = map[intent.Name]bool{
	intent.DeleteProject: true, intent.ArchiveProject: true, intent.MergeProjects: true, intent.RenameProject: true,
	intent.DeleteTask: true, intent.ForgetMemory: true, intent.MoveMemory: true, intent.AbandonDraft: true, intent.Undo: true,
}

// thresholds are how probable a reading must be.
type thresholds struct {
	Temperature float64 // by which the probabilities are made
	Act         float64 // to act on it
	Strict      float64 // the same for what removes, renames or moves something
	Choose      float64 // to offer it beside the next one
}

// calibrate finds the temperature under which the outcomes are least surprising, and
// the least probabilities at which the promises hold.
func calibrate(outcomes []outcome) thresholds {
	c := thresholds{Temperature: temperature(outcomes)}
	var acts, stricts, choices []trial
	for _, o := range outcomes {
		best := o.best(c.Temperature)
		if best.Intent == intent.None {
			continue
		}
		t := trial{best.P, string(best.Intent) == o.line.intent}
		acts = append(acts, t)
		if strict[best.Intent] {
			stricts = append(stricts, t)
		}
		choices = append(choices, trial{best.P, o.amongTwo()})
	}
	c.Act = threshold(acts, actPrecision)
	c.Strict = max(c.Act, threshold(stricts, strictPrecision))
	c.Choose = min(c.Act, localThreshold(choices, choiceHolds))
	return c
}

// temperature is found by golden section: the loss has one minimum.
func temperature(outcomes []outcome) float64 {
	low, high := 0.2, 5.0
	for high-low > 0.001 {
		a, b := high-(high-low)*0.618, low+(high-low)*0.618
		if loss(outcomes, a) < loss(outcomes, b) {
			high = b
		} else {
			low = a
		}
	}
	return math.Round(50*(low+high)) / 100
}

// loss is the mean surprise at the right intents.
func loss(outcomes []outcome, temperature float64) float64 {
	sum := 0.0
	for _, o := range outcomes {
		p := 1e-6
		if c := slices.Index(o.classes, o.line.intent); c >= 0 {
			p = max(p, linear.Softmax(o.scores, temperature)[c])
		}
		sum -= math.Log(p)
	}
	return sum / float64(len(outcomes))
}

// amongTwo reports whether the right intent is one of the two best.
func (o outcome) amongTwo() bool {
	better := 0
	c := slices.Index(o.classes, o.line.intent)
	for _, s := range o.scores {
		if c >= 0 && s > o.scores[c] {
			better++
		}
	}
	return c >= 0 && better < 2
}

// A trial is a reading and whether it was right.
type trial struct {
	p     float64
	right bool
}

// threshold is the least probability from which on the share of right ones is enough,
// rounded up.
func threshold(trials []trial, enough float64) float64 {
	slices.SortFunc(trials, func(a, b trial) int { return cmp.Compare(b.p, a.p) })
	least, right := 1.0, 0
	for i, t := range trials {
		if t.right {
			right++
		}
		if float64(right) >= enough*float64(i+1) {
			least = t.p
		}
	}
	return math.Ceil(least*100) / 100
}

// localThreshold is the least probability around which the share of right ones is
// enough.
func localThreshold(trials []trial, enough float64) float64 {
	const around = 40
	slices.SortFunc(trials, func(a, b trial) int { return cmp.Compare(b.p, a.p) })
	for i := around; i <= len(trials); i++ {
		right := 0
		for _, t := range trials[i-around : i] {
			if t.right {
				right++
			}
		}
		if float64(right) < enough*around {
			return math.Ceil(trials[i-1].p*100) / 100
		}
	}
	return 0
}

// calibrationError is by how much probabilities differ from how often they are right,
// on average over ten classes of them.
func calibrationError(outcomes []outcome, temperature float64) float64 {
	var n, right, sum [10]float64
	for _, o := range outcomes {
		best := o.best(temperature)
		b := min(int(best.P*10), 9)
		n[b]++
		sum[b] += best.P
		if string(best.Intent) == o.line.intent {
			right[b]++
		}
	}
	off := 0.0
	for b := range n {
		off += math.Abs(sum[b] - right[b])
	}
	return off / float64(len(outcomes))
}
