package main

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/intent/linear"
)

// withoutEach does something for each set with what belongs to other sets and to it, some
// at a time.
func withoutEach[T any](all []T, setOf func(T) string, do func(others, held []T)) {
	var sets []string
	for _, s := range all {
		if !slices.Contains(sets, setOf(s)) {
			sets = append(sets, setOf(s))
		}
	}
	var wait sync.WaitGroup
	free := make(chan bool, runtime.NumCPU())
	for _, set := range sets {
		wait.Go(func() {
			free <- true
			defer func() { <-free }()
			var others, held []T
			for _, s := range all {
				if setOf(s) == set {
					held = append(held, s)
				} else {
					others = append(others, s)
				}
			}
			do(others, held)
		})
	}
	wait.Wait()
}

// taggingOf reads every sequence with a tagger that learned from other sets, and counts
// by slot which spans are found to the token.
func taggingOf(all []tagged) map[string]*counts {
	out := map[string]*counts{"all": {}}
	var lock sync.Mutex
	withoutEach(all, func(s tagged) string { return s.set }, func(others, held []tagged) {
		m := trainTagger(others)
		lock.Lock()
		defer lock.Unlock()
		for _, s := range held {
			compare(out, spansOf(m.Tag(s.Sequence, intent.MaySlot(s.name))), spansOf(s.Tags))
		}
	})
	return out
}

// dividingOf counts the places at which a divider that learned from other sets sees that
// a part begins, by how probable that must be.
func dividingOf(all []place) map[string]*counts {
	out := map[string]*counts{}
	var lock sync.Mutex
	withoutEach(all, func(p place) string { return p.set }, func(others, held []place) {
		m := trainDivider(others)
		begins := slices.Index(m.Classes, intent.Begins)
		lock.Lock()
		defer lock.Unlock()
		for _, p := range held {
			probable := linear.Softmax(m.Scores(p.Features), 1)[begins]
			for _, least := range []float64{0.2, 0.35, 0.5} {
				got := string(intent.None)
				if probable >= least {
					got = intent.Begins
				}
				want := string(intent.None)
				if p.Class == intent.Begins {
					want = intent.Begins
				}
				at(out, fmt.Sprint(least)).add(got, want)
			}
		}
	})
	return out
}

// compare counts spans that both have, and that but one has.
func compare(out map[string]*counts, got, want map[string]bool) {
	count := func(span string, add func(*counts)) {
		name, _, _ := strings.Cut(span, " ")
		add(at(out, name))
		add(out["all"])
	}
	for span := range got {
		if want[span] {
			count(span, func(c *counts) { c.right++ })
		} else {
			count(span, func(c *counts) { c.wrong++ })
		}
	}
	for span := range want {
		if !got[span] {
			count(span, func(c *counts) { c.missed++ })
		}
	}
}

// spansOf names the spans of tags with their places.
func spansOf(tags []string) map[string]bool {
	out := map[string]bool{}
	for i := 0; i < len(tags); {
		name, ok := strings.CutPrefix(tags[i], "b ")
		j := i + 1
		for ok && j < len(tags) && tags[j] == "i "+name {
			j++
		}
		if ok {
			out[fmt.Sprint(name, " ", i, " ", j)] = true
		}
		i = j
	}
	return out
}

// tagging prints what taggingOf counts.
func tagging(head string, c map[string]*counts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, sets left out:\n", head)
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, c[name])
	}
	return b.String()
}
