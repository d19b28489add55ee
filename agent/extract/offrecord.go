package extract

import "kist/agent/language"

// OffRecord reports whether a message begins by saying that what comes is to be written down
// nowhere: "don't write this down, but ...". Words on what was said before, "don't write that
// down", are none.
func OffRecord(text string) bool {
	toks := language.SkipOpeners(language.Tokenize(text))
	n, ok := language.MatchAny(toks, "do not|never write|jot|put|note this|that|it one|bit? down", "do not|never note|record|log|minute this|that|it one|bit? anywhere?",
		"this|that|it is not for the notes|record|minutes|files", "this|that|it is? off the record", "off the record", "between you and me|i")
	if !ok || n >= len(toks)-minOff {
		return false
	}
	return !toks[n].Word || language.Fits(toks[n], "but|though|only|because")
}

// minOff is how many words at least come behind that.
const minOff = 2
