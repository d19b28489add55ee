package record

import (
	"slices"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
)

// Earlier is what "note that" and "remember that" mean right behind something that was
// told: its words are kept as they were said. said is false where nothing was: then there
// is nothing to keep.
func (t *Keeper) Earlier() (m interpret.Meaning, said, ok bool) {
	i, ok := keepsEarlier(language.Tokenize(t.Text))
	if !ok {
		return m, false, false
	}
	before := t.Before
	if consent.Read(before) == consent.No && len(t.Said) > 1 {
		before = t.Said[1] // what was offered for somewhere else
	}
	if _, again := keepsEarlier(language.Tokenize(before)); again || consent.Read(before) != consent.Other || len(extract.Statements(before)) == 0 {
		return m, false, true
	}
	return interpret.Meaning{Intent: i, Score: 1, Text: before, Clause: interpret.ClauseOf(before)}, true, true
}

// behind are words that may stand behind "note that". German ones are read as English.
const behind = "on|down|please|too|as|well|anyway|though|for|me|us|later|somewhere|then|now|in|to|the|notes|note|inbox|memory|kist|vault|also"

// keepsEarlier: words that want kept what was said before them, and have nothing of their
// own that could be.
func keepsEarlier(toks []language.Token) (intent.Name, bool) {
	toks = language.SkipOpeners(toks)
	if n, ok := language.MatchAny(toks, "can|could|would|will you", "i want|need|like you? to", "i would like you? to", "you can|could|should", "let us|me"); ok {
		toks = language.SkipOpeners(toks[n:])
	}
	name := intent.AddNote
	n, ok := language.MatchAny(toks, "note|keep|save|record|jot|write|put|log|store|file down? it|that|this|them|those|these|the", "make|take|keep a? note of? it|that|this|them|those|these?", "do not forget|lose it|that|this|them|those|these")
	if !ok {
		if n, ok = language.MatchAny(toks, "remember|memorise|memorize dir? it|that|this|them|those|these|the"); !ok {
			return "", false
		}
		name = intent.Remember
	}
	return name, !slices.ContainsFunc(toks[n:], func(t language.Token) bool { return t.Word && !language.In(behind, t.Norm) })
}
