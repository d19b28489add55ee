package queries

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed sync.txt
var syncText string

var syncWords = sync.OnceValue(func() manner.Table { return manner.Read(syncText) })

// OfSync reports whether a message asks how the sync of the vault stands, and nothing else: all its
// words are about that, so that a project or a meeting of such a name isn't meant. copies: it asks for the files
// of which sync keeps two versions.
func OfSync(text string) (asks, copies bool) {
	words := syncWords()
	toks := language.SkipOpeners(language.Tokenize(text))
	of := false
	for i, t := range toks {
		switch {
		case !t.Word || !t.Quoted && (language.Class("<det>", t.Norm) || language.IsFiller(t) || language.Class("<joint>", t.Norm)):
		case words.Is(toks[i:], "sync") > 0:
			of = true
		case words.Is(toks[i:], "copies") > 0:
			of, copies = true, true
		case t.Quoted || !words.List[strings.TrimSuffix(t.Norm, "'s")]:
			return false, false
		}
	}
	asks = of && (strings.HasSuffix(strings.TrimSpace(text), "?") || words.Is(toks, "asks") > 0)
	return asks, asks && copies
}
