package intent

import (
	"cmp"
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed classes.txt
var classList string

// classes are the words of each class of classes.txt.
var classes = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for name, words := range lists(classList) {
		all[name] = map[string]bool{}
		for _, w := range words {
			all[name][w] = true
		}
	}
	return all
})

func class(name, word string) bool { return classes()[name][word] }

// lists are the lines of a file: a name, then the words that belong to it.
func lists(file string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(file) {
			if words := strings.Fields(line); len(words) > 0 && words[0] != "#" && !yield(words[0], words[1:]) {
				return
			}
		}
	}
}

//go:embed groups.txt
var groupList string

// groups say to which group of groups.txt a word belongs.
var groups = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for name, words := range lists(groupList) {
		for _, w := range words {
			all[w] = cmp.Or(all[w], "<"+name+">")
		}
	}
	return all
})

// grouped puts the group of a word in its place, where it has one.
func grouped(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = cmp.Or(groupOf(t), t)
	}
	return out
}

// mendable is how long a word must be for a slip in it to be mended: short ones are too
// near to each other.
const mendable = 5

// groupOf finds the group of a word, also where it is misspelt by one letter.
func groupOf(w string) string {
	if g := groups()[w]; g != "" || len(w) < mendable || w[0] == '<' {
		return g
	}
	for _, right := range edges()[[2]byte{w[0], w[len(w)-1]}] {
		if language.OneApart(w, right) {
			return groups()[right]
		}
	}
	return ""
}

// edges are the longer words of groups by their first and last letter, in order.
var edges = sync.OnceValue(func() map[[2]byte][]string {
	all := map[[2]byte][]string{}
	for w := range groups() {
		if len(w) >= mendable {
			e := [2]byte{w[0], w[len(w)-1]}
			all[e] = append(all[e], w)
		}
	}
	for _, words := range all {
		slices.Sort(words)
	}
	return all
})
