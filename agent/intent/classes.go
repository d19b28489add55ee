package intent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed classes.txt
var classList string

// classes are the words of each class of classes.txt.
var classes = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(classList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		all[words[0]] = map[string]bool{}
		for _, w := range words[1:] {
			all[words[0]][w] = true
		}
	}
	return all
})

func class(name, word string) bool { return classes()[name][word] }

//go:embed groups.txt
var groupList string

// groups say to which group of groups.txt a word belongs.
var groups = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(groupList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, w := range words[1:] {
			if all[w] == "" {
				all[w] = "<" + words[0] + ">"
			}
		}
	}
	return all
})

// grouped puts the group of a word in its place, where it has one.
func grouped(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		if out[i] = groupOf(t); out[i] == "" {
			out[i] = t
		}
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
		if slipped(w, right) {
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
