package interpret

import (
	_ "embed"
	"maps"
	"strconv"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/manner"
	"kist/agent/offline/refer"
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

// fillUndo finds what is to be taken back, or done again.
func (r *Reader) fillUndo(c *Clause, m Meaning) Meaning {
	again := m.Intent == intent.Redo
	if ids := refer.Operations(c.Src, c.All); len(ids) > 0 {
		if c.Question && !polite(c.Toks) && undoWords().Is(c.Toks, "asks") > 0 {
			return m.Nothing() // "did you undo WJR9DG8B?"
		}
		m.Intent, m.Undo = intent.Undo, map[string]any{"operation": ids[0]}
		if again || language.Has(c.Toks, "redo|re-do|reapply|re-apply") {
			m.Undo["redo"] = true
		}
		if len(ids) > 1 {
			m.Undo, m.Titles = nil, ids
		}
		return m
	}
	args := r.arguments(c, m.Intent)
	m.Undo = readUndo(language.Without(c.Toks, args.every("what")))
	if again {
		m.Undo["redo"] = true
	}
	what := args.first("what")
	if how := readUndo(what); len(how) > 0 && len(language.ContentWords(language.Drop(what, "everything|all|today|today's|from|since|changes|change|edits|last|both|few|two|three"))) == 0 {
		maps.Copy(m.Undo, how) // "everything from today"
	} else if len(language.ContentWords(language.Drop(what, "last|latest|recent|change|edit|thing"))) > 0 {
		m.Undo["about"] = language.Limit(strings.Join(language.ContentWords(language.Drop(what, "change|edit|about|update")), " "), 200)
		delete(m.Undo, "last")
		delete(m.Undo, "today")
	}
	if said := language.Quotations(c.Src, language.Tokenize(c.Src)); len(said) == 1 && len(m.Undo) == 0 { // "“Sand it” is none, take it away again"
		m.Undo["about"] = language.Limit(strings.Join(language.ContentWords(language.Tokenize(said[0])), " "), 200)
	}
	unnamed, shouted := len(what) == 0 && m.Undo["about"] == nil, c.Src == strings.ToUpper(c.Src)
	if ids := refer.NearlyOperations(c.Src, c.All); len(ids) > 0 && unnamed && !shouted { // "undo wjr9dg8b"
		m.Undo["about"] = strings.Join(ids, " ")
	}
	m.Intent = intent.Undo
	return m
}

// NamedUndo is the undoing that a message asks for which begins with the very word for
// it, whatever it is to undo.
func (r *Reader) NamedUndo(text string) (Meaning, bool) {
	toks := language.SkipOpeners(language.Tokenize(text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || undoWords().Is(toks, "verb") == 0 {
		return Meaning{}, false
	}
	meanings := r.Read(text)
	if len(meanings) != 1 || meanings[0].Intent != intent.None || meanings[0].Clause == nil || meanings[0].Clause.Negated {
		return Meaning{}, false
	}
	meanings[0].Intent = intent.Undo
	return r.fillUndo(meanings[0].Clause, meanings[0]), true
}
