package interpret

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
)

// That something is wanted back is said without the word undo: "I'd like that note back", "put
// it back the way it was", "not that one, the one before". Which change it was, the operation
// log knows.

// wantedBack is the undoing that a clause wants so.
func (r *Reader) wantedBack(c *Clause) (Meaning, bool) {
	toks := language.TrimMarks(afterMends(language.SkipOpeners(c.All)))
	if len(toks) == 0 || len(toks) > maxCommand || c.supposed || c.Question && !polite(toks) {
		return Meaning{}, false
	}
	m := Meaning{Intent: intent.Undo, Score: 1, Clause: c, Undo: map[string]any{}, Project: refer.Reference{Empty: true}}
	words := undoWords()
	if n := words.Is(toks, "instead"); n > 0 && !language.HasWord(trimPhraseEnd(toks[n:])) {
		m.Undo["instead"] = true
		return m, true
	}
	if n := words.Is(toks, "was"); n > 0 && len(language.ContentWords(toks[n:])) == 0 {
		return m, true
	}
	what, ok := r.wanted(toks)
	if !ok {
		return Meaning{}, false
	}
	m.Undo["removed"] = true
	about := what
	if named := language.Drop(what, words.Said("generic", "")); language.HasWord(named) && len(language.ContentWords(named)) > 0 {
		about = named
	}
	if said := language.ContentWords(language.Drop(about, "it|that|this|them|those|one|thing|change")); len(said) > 0 {
		m.Undo["about"] = language.Limit(strings.Join(said, " "), 200)
	}
	return m, true
}

// wanted is the thing that words want back; a project is gone back to instead.
func (r *Reader) wanted(toks []language.Token) ([]language.Token, bool) {
	words := undoWords()
	if n := words.Is(toks, "removed"); n > 0 && n < len(toks) {
		return toks[n:], r.noProject(toks[n:])
	}
	n := words.Is(toks, "wanted")
	if n == 0 {
		return nil, false
	}
	for i := n + 1; i < min(len(toks), n+maxAlso); i++ {
		if toks[i].Norm != "back" || toks[i].Quoted {
			continue
		}
		rest := toks[i+1:]
		for k := words.Is(rest, "tail"); k > 0; k = words.Is(rest, "tail") {
			rest = rest[k:]
		}
		thing := toks[n:i]
		if rest = language.TrimMarks(rest); len(rest) > 0 && !language.Begins(rest, "i|we|it|because") {
			return nil, false
		}
		kept := language.Has(thing, "<noteword>|<taskword>|decision|memory|line|entry") || len(thing) == 1 && language.Class("<pronoun>", thing[0].Norm)
		return thing, kept && r.noProject(thing)
	}
	return nil, false
}

// noProject: words name none.
func (r *Reader) noProject(toks []language.Token) bool {
	return len(refer.Mentioned(toks, r.sit.Projects)) == 0 && len(refer.Mentioned(toks, r.sit.Archived)) == 0 && !language.Has(toks, "<projectword>|money|deposit|call|key|keys|it's")
}
