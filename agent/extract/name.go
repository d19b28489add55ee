package extract

import (
	"slices"
	"strings"

	"kist/agent/language"
)

const (
	maxName  = 6 // words of what may be no more than a name
	maxLeads = 6 // words within which a statement says that it seeks something
)

// IsName reports whether a text may be no more than a name: a few words, none of them
// one of a sentence.
func IsName(text string) bool {
	text = strings.TrimSpace(text)
	words := wordsOf(text)
	if len(words) == 0 || len(words) > maxName || strings.ContainsAny(text, "\n") || strings.ContainsAny(text[len(text)-1:], ".!;:") {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return is("<aux>", w) || is("<you>", w) || language.Class("<pronoun>", w) || language.Class("<wh>", w)
	})
}

// Seeks reports whether a text that is no question wants to be told something, rather
// than tells it: "I'd like to see the boat", "I wonder how the boat is doing".
func Seeks(text string) bool {
	words := wordsOf(text)
	if len(words) == 0 || !is("<you>", words[0]) {
		return false
	}
	lead := words[:min(len(words), maxLeads)]
	wishes := slices.IndexFunc(lead, func(w string) bool { return is("<wish>", w) })
	return slices.ContainsFunc(lead, func(w string) bool { return is("<wonder>", w) }) ||
		wishes >= 0 && slices.ContainsFunc(lead[wishes:], func(w string) bool { return is("<seek>", w) })
}
