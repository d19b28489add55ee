package language

import (
	"embed"
	"iter"
	"maps"
	"strings"
	"sync"
)

// The words of each language are in a folder of its own.
//
//go:embed en de
var files embed.FS

// lines returns the lines of a data file that hold something. The files are built in.
func lines(name string) []string {
	text, _ := files.ReadFile(name) // tests read each
	var out []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// Lists are the lines "name: words" of a data file, in its order.
func Lists(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(text) {
			name, words, ok := strings.Cut(line, ":")
			if ok && !strings.HasPrefix(line, "#") && !yield(name, strings.TrimSpace(words)) {
				return
			}
		}
	}
}

// pairs reads lines such as "won't = will not".
func pairs(name string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines(name) {
		left, right, _ := strings.Cut(line, " = ")
		out[left] = strings.Fields(right)
	}
	return out
}

var contractions = sync.OnceValue(func() map[string][]string { return pairs("en/contractions.txt") })

var commandWords = sync.OnceValue(func() []string {
	var out []string
	for _, line := range lines("en/commands.txt") {
		out = append(out, strings.Fields(line)...)
	}
	return out
})

// classes are those of en/lexicon.txt and en/forms.txt, read once: a line "<class>: words
// ...", and more lines of words below it. It is a constant in all but form, and every match
// asks for it.
var classes = sync.OnceValue(func() map[string]map[string]bool {
	out := classesIn("en/lexicon.txt")
	maps.Copy(out, classesIn("en/forms.txt"))
	return out
})

func classesIn(file string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	var current map[string]bool
	for _, line := range lines(file) {
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
}

// Class reports whether a word is in a class.
func Class(name, word string) bool { return classes()[name][word] }

// known reports whether a word is in any class of the lexicon: it is meant as it is written.
func known(word string) bool { return vocabulary()[word] }

var vocabulary = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, words := range classesIn("en/lexicon.txt") {
		for w := range words {
			out[w] = true
		}
	}
	return out
})
