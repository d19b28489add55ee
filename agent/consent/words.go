package consent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

// lists parses words.txt once: the classes by name, in the file's order.
var lists = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	name := ""
	for line := range strings.Lines(wordsText) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, ok := strings.Cut(line, ">:"); ok && head[0] == '<' {
			name, line = head[1:], rest
		}
		if strings.HasSuffix(name, "phrases") {
			if line != "" {
				out[name] = append(out[name], line)
			}
			continue
		}
		out[name] = append(out[name], strings.Fields(line)...)
	}
	return out
})

// is reports whether a word or phrase is in a class.
func is(class, word string) bool { return slices.Contains(lists()[class], word) }

// all reports whether every word is in a class.
func all(class string, list []string) bool {
	return !slices.ContainsFunc(list, func(w string) bool { return !is(class, w) })
}
