package queries

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

// delay.txt holds the words of a question what a delay would do.
//
//go:embed delay.txt
var delayText string

var delayWords = sync.OnceValue(func() manner.Table { return manner.Read(delayText) })

// longestDelay is how many words such a question has at most.
const longestDelay = 48

// Delay reads "what if the painting is two weeks late?": the words of the task, and
// by how many days. A plain statement is news, and no such question.
func Delay(toks []language.Token) (title string, days int) {
	words := delayWords()
	toks = language.SkipOpeners(toks)
	asked := words.Is(toks, "ask")
	if asked == 0 || len(toks) > longestDelay {
		return "", 0
	}
	late := false
	var rest []string
	for toks = toks[asked:]; len(toks) > 0; {
		n := 1
		k := language.Count(toks[0].Norm)
		switch {
		case !toks[0].Word:
		case len(toks) > 1 && k > 0 && language.Unit(toks[1].Norm) > 0:
			days, n = k*language.Unit(toks[1].Norm), 2
		case !toks[0].Quoted && words.Is(toks, "late") > 0:
			late, n = true, words.Is(toks, "late")
		case toks[0].Quoted || !words.List[toks[0].Norm] && !language.IsFiller(toks[0]):
			rest = append(rest, toks[0].Norm)
		}
		toks = toks[n:]
	}
	if !late || days == 0 {
		return "", 0
	}
	return strings.Join(rest, " "), days
}
