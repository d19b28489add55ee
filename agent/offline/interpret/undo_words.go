package interpret

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

// undo/en.txt holds the words for what is to be taken back.
//
//go:embed undo/en.txt
var undoText string

var undoWords = sync.OnceValue(func() manner.Table { return manner.Read(undoText) })

// readUndo reads how much is to be taken back, as arguments of the tool: nothing said is
// what was done last. Of several words the last counts.
func readUndo(toks []language.Token) map[string]any {
	words, args := undoWords(), map[string]any{}
	counts := false // the part at hand says how much
	toks = slices.Clone(toks)
	for i := range toks {
		if i == 0 || !toks[i-1].Word && !toks[i-1].Quoted {
			counts = countsChanges(toks[i:])
		}
		toks[i].Quoted = toks[i].Quoted || !counts
	}
	for len(toks) > 0 {
		m, n := words.Longest(toks)
		switch {
		case toks[0].Quoted || n == 0:
			if k := language.Count(toks[0].Norm); k > 1 && !toks[0].Quoted {
				args["last"] = k // "undo two changes"
			}
			n = 1
		case m.Kind == "redo":
			args["redo"] = true
		case m.Kind == "today":
			args["today"] = true
		case m.Kind == "few":
			args["last"], _ = strconv.Atoi(m.Value) // digits, in the file
		}
		toks = toks[n:]
	}
	return args
}

// countsChanges: a part of a sentence says what is to be taken back, rather than why: "he only gave me
// 30", "she told me everything".
func countsChanges(toks []language.Token) bool {
	if end := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Word && !t.Quoted }); end > 0 {
		toks = toks[:end]
	}
	m, _ := undoWords().Longest(language.SkipOpeners(toks))
	said := language.Has(toks, "he|she|they|can|could|will|would|is|are|was|were|has|have|not")
	return m.Kind != "" && !said || language.Has(toks, "<undoing>|<deleteverb>|last|today|changes|edits|take|taken")
}

// Undoes: a token is the word for it.
func Undoes(t language.Token) bool { return undoWords().Is([]language.Token{t}, "verb") > 0 }

// cameToBe is what is to be taken back without how it came to be: "adding the cups".
func cameToBe(what []language.Token) []language.Token {
	if len(what) > 2 && strings.HasSuffix(what[0].Norm, "ing") && language.Class("<det>", what[1].Norm) {
		return what[1:]
	}
	return what
}
