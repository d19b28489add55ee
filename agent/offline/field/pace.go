package field

import (
	"strings"
	"sync"

	"kist/agent/language"
)

// What becomes of how far a task is.
const (
	Begin  = "begin"
	Hold   = "hold"
	GiveUp = "give up"
	Skip   = "skip"
)

var paces = sync.OnceValue(func() map[string][]language.Template {
	list := map[string][]language.Template{}
	for head, line := range language.Lists(text) {
		if language.In("begin|hold|give up|skip", head) {
			list[head] = append(list[head], language.NewTemplate(line))
		}
	}
	return list
})

// Pace reads what a message, and nothing else in it, orders of how far a task is, and the words
// that are its title if they are any task's: "start", "pause", "skip ... this month".
func Pace(said string) (what, title string, ok bool) {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(said)))
	if n, ok := language.MatchAny(toks, "can|could|would|will you", "let us|me", "i want|like you? to"); ok {
		toks = language.SkipOpeners(toks[n:])
	}
	if len(toks) > longest {
		return "", "", false
	}
	best := 0
	for head, forms := range paces() {
		for _, f := range forms {
			filled, fits := f.Fill(toks, func(_ string, toks []language.Token) bool {
				return language.HasWord(toks) && !language.Begins(toks, "a|an|another|new|my|our|this|that|it|all|every|each|the") && !language.Has(toks, "<projectword>|<taskword>|,|;|.|?|!|\n")
			})
			if place := filled.Places["title"]; fits && filled.Words > best {
				best, ok = filled.Words, true
				what, title = head, strings.TrimSpace(said[place[0].Start:place[len(place)-1].End])
			}
		}
	}
	return what, title, ok
}
