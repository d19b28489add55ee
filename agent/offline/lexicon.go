package offline

import (
	_ "embed"
	"strings"
	"sync"
)

// lexicon.txt holds the classes of words: a line "<class>: words ...", and more
// lines of words below it.
//
//go:embed lexicon.txt
var lexiconText string

// classes parses lexicon.txt once. It is a constant in all but form, and every
// match asks for it.
var classes = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	var current map[string]bool
	for line := range strings.SplitSeq(lexiconText, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, words, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(name, "<") {
			current = map[string]bool{}
			out[name] = current
			line = words
		}
		for _, w := range strings.Fields(line) {
			current[w] = true
		}
	}
	return out
})

// class reports whether a word is in a class.
func class(name, word string) bool { return classes()[name][word] }

// known reports whether a word is in any class: it is meant as it is written.
func known(word string) bool { return vocabulary()[word] }

var vocabulary = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, words := range classes() {
		for w := range words {
			out[w] = true
		}
	}
	return out
})
