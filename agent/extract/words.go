package extract

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed words.txt
var wordsText string

//go:embed patterns.txt
var patternsText string

// manners is patterns.txt, parsed once.
var manners = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for name, all := range language.Lists(patternsText) {
		for p := range strings.SplitSeq(all, ";") {
			out[name] = append(out[name], strings.TrimSpace(p))
		}
	}
	return out
})

// patterns are the ways to say something that patterns.txt has a name for.
func patterns(name string) []string { return manners()[name] }

// classes is words.txt, parsed once. A constant in all but form.
var classes = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	var current map[string]bool
	for line := range strings.SplitSeq(wordsText, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, words, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(name, "<") {
			current = map[string]bool{}
			out[name], line = current, words
		}
		for _, w := range strings.Fields(line) {
			current[w] = true
		}
	}
	return out
})

func is(class, word string) bool { return classes()[class][word] }

// all reports whether every word is in one of the classes.
func all(words []string, names ...string) bool {
	for _, w := range words {
		found := false
		for _, name := range names {
			found = found || is(name, w)
		}
		if !found {
			return false
		}
	}
	return true
}
