package extract

import "kist/agent/language"

// minOff is how many words at least come behind that, where it is said of them.
const minOff = 2

// OffRecord reports whether a message begins by saying that what comes, or ends with saying that
// what came is to be written down nowhere: "don't write this down, but ...". Words on what was said before are [Unnoted].
func OffRecord(text string) bool {
	all := Sentences(text)
	if n := len(all) - 1; n > 0 && Unnoted(all[n].Text) {
		return true // of all that stands before it
	}
	toks := language.SkipOpeners(language.Tokenize(text))
	n, ok := language.MatchAny(toks,
		"do not write|jot|note|record|log|minute down? that|about|anything",
		"never write|jot|note|record|log|minute down? that|about|anything")
	if ok && n < len(toks) && toks[n].Word && !language.Fits(toks[n], "on|in|as|down|to|into|for|at|anywhere|here|there|one|bit|yet|until") {
		return true // "don't write that she is leaving"
	}
	rest, ok := behindOff(text)
	return ok && len(rest) > minOff && (!rest[0].Word || language.Fits(rest[0], "but|though|only|because"))
}

// Unnoted reports whether a message only says that what was told before is to be written down
// nowhere: "don't write that down".
func Unnoted(text string) bool {
	rest, ok := behindOff(text)
	if n, only := language.MatchAny(rest, ", i am only|just talking|chatting|rambling|saying|moaning", "because i am only|just talking|chatting|rambling|saying|moaning"); only {
		rest = rest[n:]
	}
	return ok && !language.HasWord(language.Drop(rest, "please|then|though|thanks"))
}

// behindOff is what stands behind words that something is to be written down nowhere.
func behindOff(text string) ([]language.Token, bool) {
	toks := language.SkipOpeners(language.Tokenize(text))
	n, ok := language.MatchAny(toks,
		"do not|never make|read anything|something|much out? of|into that|this|it",
		"do not|never write|jot|put|note this|that|it one|bit? down", "do not|never note|record|log|minute this|that|it one|bit? anywhere?",
		"this|that|it is not for the notes|record|minutes|files", "this|that|it is? off the record", "off the record", "between you and me|i")
	return toks[min(n, len(toks)):], ok
}
