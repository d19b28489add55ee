package interpret

import (
	"maps"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
)

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
	what := cameToBe(args.first("what"))
	if how := readUndo(what); len(how) > 0 && len(language.ContentWords(language.Drop(what, "everything|all|today|today's|from|since|changes|change|edits|last|both|few|two|three"))) == 0 {
		maps.Copy(m.Undo, how) // "everything from today"
	} else if len(language.ContentWords(language.Drop(what, "last|latest|recent|change|edit|thing|entry|addition|one|step|action|record|message|item"))) > 0 {
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
