package guide

import (
	"strings"

	"kist/agent/language"
)

// Spoken is a project's name within a sentence: "the coffee shop", but "Selkie".
func Spoken(name string) string {
	words := strings.Fields(name)
	for i, w := range words {
		if w != strings.ToUpper(w) && w[1:] == strings.ToLower(w[1:]) { // "PhD" and "API" stay
			words[i] = strings.ToLower(w)
		}
	}
	if len(words) > 2 && language.Class("<venturenoun>", words[0]) && language.In("to|of|in|for|with|at|on", words[1]) {
		return "the " + words[0] + strings.TrimPrefix(name, strings.Fields(name)[0])
	}
	if len(words) > 1 && words[0] == "the" {
		return strings.Join(words, " ")
	}
	if len(words) == 0 || len(words) > 4 || !language.Class("<venturenoun>", words[len(words)-1]) {
		return name
	}
	return "the " + strings.Join(words, " ")
}
