// Package takeback reads that something is wanted back without the word undo: "I'd like that note
// back", "put it back the way it was", "not that one, the one before"; and that a decision was
// made anew. It sees words alone: which change it was, the operation log knows.
package takeback

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

var words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// longest is how many words want something back, and longestThing how many say what.
const (
	longest      = 30
	longestThing = 8
)

// Wanted reads words as the arguments of the tool that takes a change back; names says whether
// some words name a project, to which is gone back instead.
func Wanted(toks []language.Token, names func([]language.Token) bool) (map[string]any, bool) {
	toks = lead(toks)
	if len(toks) == 0 || len(toks) > longest {
		return nil, false
	}
	table := words()
	if n := table.Is(toks, "instead"); n > 0 && !language.HasWord(language.Drop(toks[n:], "please|then|again")) {
		return map[string]any{"instead": true}, true
	}
	if n := table.Is(toks, "was"); n > 0 && len(language.ContentWords(toks[n:])) == 0 {
		return map[string]any{}, true
	}
	what, ok := thing(toks)
	if !ok || names(what) {
		return nil, false
	}
	args := map[string]any{"removed": true}
	if named := language.ContentWords(language.Drop(what, generic)); len(named) > 0 {
		args["about"] = language.Limit(strings.Join(named, " "), 200)
	} else if said := language.ContentWords(language.Drop(what, "it|that|this|them|those|one|thing|change")); len(said) > 0 {
		args["about"] = said[0]
	}
	return args, true
}

// generic are words for all that can be removed.
const generic = "note|notes|task|tasks|decision|decisions|one|ones|thing|change|it|that|this|them|those|line|entry"

// lead drops what stands before the wish.
func lead(toks []language.Token) []language.Token {
	toks = language.TrimMarks(language.SkipOpeners(toks))
	for len(toks) > 1 && !toks[0].Quoted && language.Class("<mend>", toks[0].Norm) {
		toks = language.TrimMarks(language.SkipOpeners(toks[1:]))
	}
	return toks
}

// thing is what words want back: a record, or what was spoken of.
func thing(toks []language.Token) ([]language.Token, bool) {
	table := words()
	if n := table.Is(toks, "removed"); n > 0 && n < len(toks) {
		return toks[n:], true
	}
	n := table.Is(toks, "wanted")
	for i := n + 1; n > 0 && i < min(len(toks), n+longestThing); i++ {
		if toks[i].Norm != "back" || toks[i].Quoted {
			continue
		}
		rest := toks[i+1:]
		for k := table.Is(rest, "tail"); k > 0; k = table.Is(rest, "tail") {
			rest = rest[k:]
		}
		if rest = language.TrimMarks(rest); len(rest) > 0 && !language.Begins(rest, "i|we|it|they|he|she|because|since|for") {
			return nil, false
		}
		what := toks[n:i]
		kept := language.Has(what, "<noteword>|<taskword>|decision|memory|line|entry") || len(what) == 1 && language.Class("<pronoun>", what[0].Norm)
		return what, kept
	}
	return nil, false
}

// OfPart: an order does away with a line of a note, or with the note of a day, and takes nothing
// back, whatever else its words say: "delete the last line of today's note".
func OfPart(toks []language.Token) bool {
	toks = lead(toks)
	return language.Begins(toks, "<deleteverb>|clear|empty *") && words().Is(toks[1:], "part") > 0
}

// Anew is how many words say that something was decided otherwise; 0: none do.
func Anew(toks []language.Token) int { return words().Is(toks, "anew") }
