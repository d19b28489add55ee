package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"kist/agent/intent"
	"kist/agent/intent/linear"
	"kist/agent/train/learn"
)

// examplesOf turns lines into what is learned.
func examplesOf(lines []line) []learn.Example {
	examples := make([]learn.Example, len(lines))
	together(len(lines), func(i int) {
		examples[i] = learn.Example{Features: intent.Features(lines[i].input), Class: lines[i].intent}
	})
	return examples
}

// together does something for each number below n, as many at a time as there are
// processors.
func together(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	all.Wait()
}

// typed is the seed of the typing errors.
const typed = 5

// withErrors makes typing errors in 5% of the letters.
func withErrors(lines []line, seed uint64) []line {
	random := rand.New(rand.NewPCG(seed, 1))
	out := slices.Clone(lines)
	for i := range out {
		out[i].input.Text = misspell(out[i].input.Text, 0.05, random)
	}
	return out
}

// sampled is which part of what is learned the fingerprint holds the features of.
const sampled = 8

// fingerprint names what is learned and how, so that weights which others have made are
// noticed: all that is labelled, and the features of an eighth of it, for the time.
func fingerprint(lines []line, told []message) string {
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n%+v\n%+v\n", thrice, slotOptions, partOptions)
	var some []message
	for i, m := range told {
		fmt.Fprintf(h, "%+v %+v\n", m.input, m.acts)
		if i%sampled == 0 {
			some = append(some, m)
		}
	}
	var parts []line
	for i, l := range lines {
		fmt.Fprintf(h, "%+v %s\n", l.input, l.intent)
		if i%sampled == 0 {
			parts = append(parts, l)
		}
	}
	fmt.Fprintln(h, examplesOf(parts), slotSequences(some), placesOf(some))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// An outcome is what a model that never saw a line makes of it.
type outcome struct {
	line    line
	classes []string
	scores  []float64
}

func (o outcome) best(temperature float64) intent.Reading {
	p := linear.Softmax(o.scores, temperature)
	best := 0
	for c := range p {
		if p[c] > p[best] {
			best = c
		}
	}
	return intent.Reading{Intent: intent.Name(o.classes[best]), P: p[best]}
}

func (o outcome) describe(temperature float64) string {
	got := o.best(temperature)
	return fmt.Sprintf("%s:%d\t%s\tread as %s %.2f\t[%s]\t%s", o.line.set, o.line.number, o.line.intent, got.Intent, got.P, o.line.input.Project, o.line.input.Text)
}

// A division is lines and the fold that each is in.
type division struct {
	lines    []line
	examples []learn.Example
	fold     []int
}

// newDivision divides the lines, whole sets at a time.
func newDivision(lines []line, folds int) *division {
	return &division{lines, examplesOf(lines), foldsOf(lines, folds)}
}

// model learns from what isn't in a fold. Sentences that both have, but for case,
// punctuation and names, are left out, so that nothing of what is read has been seen.
func (t *division) model(k int, o learn.Options) *linear.Model {
	learned, _ := split(t.lines, t.fold, k)
	var others []learn.Example
	for _, i := range learned {
		others = append(others, t.examples[i])
	}
	return learn.Train(others, o)
}

// read reads a fold as it stands, and with typing errors.
func (t *division) read(m *linear.Model, k int) (outcomes, misspelt []outcome) {
	wrong := withErrors(t.lines, typed)
	for i, l := range t.lines {
		if t.fold[i] == k {
			outcomes = append(outcomes, outcome{l, m.Classes, m.Scores(t.examples[i].Features)})
			misspelt = append(misspelt, outcome{l, m.Classes, m.Scores(intent.Features(wrong[i].input))})
		}
	}
	return outcomes, misspelt
}

// leaveOut reads each line with a model of the sets of other folds.
func leaveOut(lines []line, folds int) (outcomes, misspelt []outcome) {
	t, parts := newDivision(lines, folds), make([][2][]outcome, folds)
	together(folds, func(k int) { parts[k][0], parts[k][1] = t.read(t.model(k, options), k) })
	for _, k := range t.fold { // in the order of the lines
		outcomes, misspelt = append(outcomes, parts[k][0][0]), append(misspelt, parts[k][1][0])
		parts[k][0], parts[k][1] = parts[k][0][1:], parts[k][1][1:]
	}
	return outcomes, misspelt
}

// split says which lines are learned from and which are read in a fold.
func split(lines []line, fold []int, k int) (learned, read []int) {
	held := map[string]bool{}
	for i, l := range lines {
		if fold[i] == k {
			read = append(read, i)
			held[plain(l.input)] = true
		}
	}
	for i, l := range lines {
		if fold[i] != k && !held[plain(l.input)] {
			learned = append(learned, i)
		}
	}
	return learned, read
}

// foldsOf deals the sets out, each as a whole.
func foldsOf(lines []line, folds int) []int {
	bySet, fold := map[string]int{}, make([]int, len(lines))
	for i, l := range lines {
		if _, ok := bySet[l.set]; !ok {
			bySet[l.set] = len(bySet) % folds
		}
		fold[i] = bySet[l.set]
	}
	return fold
}

// plain is a text without case, punctuation and names of projects.
func plain(in intent.Input) string {
	text := strings.ToLower(in.Text)
	for _, p := range in.Projects {
		text = strings.ReplaceAll(text, strings.ToLower(p), "")
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
