package queries

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed own.txt
var ownText string

// ownWords are those of questions about kist itself.
var ownWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(ownText) {
		words[w] = true
	}
	return words
})

// OfOthers: a question how something is done is about more than what kist does: "how do I
// embed a file?", which notes may tell.
func OfOthers(toks []language.Token) bool {
	toks = language.SkipOpeners(toks)
	return language.Begins(toks, "how") && slices.ContainsFunc(toks[1:], func(t language.Token) bool {
		return t.Word && (t.Quoted || !ownWords()[t.Norm] && !language.Class("<stop>", t.Norm))
	})
}
