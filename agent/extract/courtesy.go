package extract

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed courtesies.txt
var courtesiesText string

var courtesies = sync.OnceValue(func() (phrases []string) {
	for line := range strings.Lines(courtesiesText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			phrases = append(phrases, line)
		}
	}
	return phrases
})

// longestCourtesy is how many words one has at most.
const longestCourtesy = 20

// onlyCourtesies: a sentence has nothing but phrases that leave nothing to keep: "right, that's
// it for today, I'm off to bed". A question is none, nor is a number.
func onlyCourtesies(s string) bool {
	toks := language.Tokenize(s)
	if len(toks) == 0 || len(toks) > longestCourtesy || strings.Contains(s, "?") {
		return false
	}
	for len(toks) > 0 {
		longest := 0
		for _, phrase := range courtesies() {
			if n, ok := language.Match(toks, phrase); ok {
				longest = max(longest, n)
			}
		}
		switch t := toks[0]; {
		case longest > 0:
			toks = toks[longest:]
		case !t.Quoted && (!t.Word || is("<courtesy>", t.Norm)):
			toks = toks[1:]
		default:
			return false
		}
	}
	return true
}

// Courteous reports whether a message is nothing but such phrases: thanks, a goodbye, a kind word.
func Courteous(text string) bool {
	all := Sentences(text)
	for _, s := range all {
		if !onlyCourtesies(s.Text) {
			return false
		}
	}
	return len(all) > 0
}
