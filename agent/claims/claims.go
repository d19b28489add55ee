/*
Package claims finds, in what a language model says, that it has changed something. A model
may say so without having done it, which is worse than an error: what it says is compared
with what was really done in the turn.
*/
package claims

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed claims.txt
var table string

// patterns are those of claims.txt: of what is said of a change that was made, and of what takes
// that away.
var patterns = sync.OnceValues(func() (claim, but *regexp.Regexp) {
	of := map[string][]string{}
	for line := range strings.Lines(table) {
		kind, pattern, _ := strings.Cut(strings.TrimSpace(line), " ")
		of[kind] = append(of[kind], pattern)
	}
	compiled := func(kind string) *regexp.Regexp {
		return regexp.MustCompile("(?i)(?:" + strings.Join(of[kind], "|") + ")")
	}
	return compiled("claim"), compiled("but")
})

// Sentences are those of a text that say that something was changed, as they stand there, each
// with the sign that ends it.
func Sentences(text string) (out []string) {
	for text != "" {
		end := strings.IndexFunc(text, endsSentence) + 1
		if end == 0 {
			end = len(text)
		}
		for end < len(text) && strings.IndexByte(".!\"”’)*", text[end]) >= 0 {
			end++
		}
		for end < len(text) && text[end-1] != '\n' && strings.IndexByte(" \n", text[end]) < 0 { // within a name, such as a file's
			next := strings.IndexFunc(text[end:], endsSentence) + 1
			if end += next; next == 0 {
				end = len(text)
			}
		}
		if said := strings.TrimSpace(text[:end]); claims(said) {
			out = append(out, said)
		}
		text = text[end:]
	}
	return out
}

func endsSentence(r rune) bool { return r == '.' || r == '!' || r == '\n' || r == ';' }

// claims reports whether a sentence says so, or a part of it between two points.
func claims(sentence string) bool {
	claim, but := patterns()
	return slices.ContainsFunc(strings.FieldsFunc(sentence, endsSentence), func(part string) bool {
		return !strings.Contains(part, "?") && claim.MatchString(part) && !but.MatchString(part)
	})
}
