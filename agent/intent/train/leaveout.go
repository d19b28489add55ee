package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"kist/agent/intent"
	"kist/agent/intent/linear"
)

// examplesOf turns lines into what is learned.
func examplesOf(lines []line) []linear.Example {
	examples := make([]linear.Example, len(lines))
	for i, l := range lines {
		examples[i] = linear.Example{Features: intent.Features(l.input), Class: l.intent}
	}
	return examples
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

// fingerprint names what is learned and how, so that weights which others have made are
// noticed.
func fingerprint(examples []linear.Example, slots []tagged, places []place) string {
	h := sha256.New()
	fmt.Fprintf(h, "%+v\n%+v\n%+v\n", thrice, slotOptions, partOptions)
	var buffer []byte
	note := func(class string, lists ...[]uint32) {
		buffer = append(buffer[:0], class...)
		for _, list := range lists {
			for _, f := range list {
				buffer = binary.LittleEndian.AppendUint32(buffer, f)
			}
		}
		h.Write(append(buffer, '\n'))
	}
	for _, e := range examples {
		note(e.Class, e.Features)
	}
	for _, s := range slots {
		for i, tag := range s.Tags {
			note(tag, s.Features[i], s.Keys[i])
		}
	}
	for _, p := range places {
		note(p.Class, p.Features)
	}
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

// leaveOut reads each line with a model of the sets of other folds. Sentences that both
// have, but for case, punctuation and names, are left out of training, so that nothing
// of what is read has been seen.
//
// Each line is read as it stands, and once more with typing errors.
func leaveOut(lines []line, folds int) (outcomes, misspelt []outcome) {
	examples, errors := examplesOf(lines), examplesOf(withErrors(lines, typed))
	fold := foldsOf(lines, folds)
	outcomes, misspelt = make([]outcome, len(lines)), make([]outcome, len(lines))
	var all sync.WaitGroup
	free := make(chan bool, runtime.NumCPU())
	for k := range folds {
		all.Go(func() {
			free <- true
			defer func() { <-free }()
			learned, read := split(lines, fold, k)
			var others []linear.Example
			for _, i := range learned {
				others = append(others, examples[i])
			}
			m := linear.Train(others, options)
			for _, i := range read {
				outcomes[i] = outcome{lines[i], m.Classes, m.Scores(examples[i].Features)}
				misspelt[i] = outcome{lines[i], m.Classes, m.Scores(errors[i].Features)}
			}
		})
	}
	all.Wait()
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
