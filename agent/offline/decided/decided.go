// Package decided reads whether words say that something was decided: by a word for it, by the
// form of what somebody will do ("we're going with oak"), or by how they end ("pine it is"). What
// has none of these may still be news, and is kept as such: a doubt, a correction, a memory or a
// mere fact that stands among decisions would be found there by each later question.
package decided

import (
	_ "embed"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

var words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// nearMend is how far behind "no" or "actually" a word of deciding stands that isn't beside the point.
const nearMend = 4

// Says reports whether a sentence says that something was decided.
func Says(toks []language.Token) bool {
	toks = language.TrimMarks(toks)
	for i := range toks {
		if i > nearMend && language.Class("<mend>", toks[0].Norm) {
			break // "no, it's 48 an hour, they agreed to that": a figure is set right
		}
		if words().Is(toks[i:], "word") > 0 || verb(toks, i) {
			return true
		}
	}
	for i := range toks {
		if words().Is(toks[i:], "doubt") > 0 {
			return false
		}
	}
	return begins(toks) || ends(toks)
}

// longestChoice is within how many words a choice is told that ends with what was chosen.
const longestChoice = 8

// Settles reports whether a few words are no more than what was chosen, and that it was: "right,
// pine it is then".
func Settles(toks []language.Token) bool {
	i, n, ok := language.Find(toks, "it is then?")
	return ok && i > 0 && toks[i-1].Word && n == len(toks) && n <= longestChoice && Says(toks)
}

// verb: the i-th word says that somebody decided, or is the label of what was.
func verb(toks []language.Token, i int) bool {
	switch t := toks[i]; {
	case t.Quoted || !language.Class("<decideverb>", t.Norm):
		return false
	case i == 0, i == len(toks)-1:
		return true
	}
	before := toks[i-1]
	return before.Word && words().Is(toks[i-1:i], "open") == 0
}

// begins: a sentence begins with what somebody will do.
func begins(toks []language.Token) bool {
	for len(toks) > 1 && !toks[0].Quoted && (!toks[0].Word || language.Class("<mend>", toks[0].Norm) || language.In("and|but|then|well|right|so|because", toks[0].Norm)) {
		toks = toks[1:]
	}
	toks = language.SkipOpeners(toks)
	n := words().Is(toks, "will")
	return words().Is(toks, "begin") > 0 || n > 0 && words().Is(toks[n-1:n], "only") == 0
}

// ends: a sentence ends with what is said of a choice.
func ends(toks []language.Token) bool {
	for i := max(1, len(toks)-3); i < len(toks); i++ {
		if n := words().Is(toks[i:], "end"); n > 0 && i+n == len(toks) {
			return true
		}
	}
	return false
}
