package passage

import (
	"kist/agent/language"
)

// Asked is the question in what is said, without what only leads to it: "I'm at the timber
// yard, how high did we want the ridge", "remind me what the roofer wanted". It begins with
// a word for questions behind a comma, or behind a word for asking, and must name something
// to look for; else toks are returned as they are.
func Asked(toks []language.Token) []language.Token {
	if asksAt(toks, 0) > 0 {
		return toks // "on which day is it, and for what reason"
	}
	for i := len(toks) - 2; i > 1; i-- {
		if toks[i].Quoted || !listed("question", toks[i].Norm) {
			continue
		}
		from := i
		for from > 1 && toks[from-1].Word && listed("led", toks[from-1].Norm) {
			from-- // "by which date"
		}
		if before := toks[from-1]; before.Norm != "," && before.Norm != "-" && !listed("asking", before.Norm) {
			continue
		}
		content := 0
		for _, w := range language.ContentWords(toks[i:]) {
			if !language.Class("<stop>", w) && !listed("weak", w) && !listed("question", w) && !listed("measure", w) {
				content++
			}
		}
		if content > 0 {
			return toks[from:]
		}
	}
	return toks
}

// asksAt is how many words at a place ask, with those that may stand before ("by which"); 0: none.
func asksAt(toks []language.Token, at int) int {
	for i := at; i < len(toks) && toks[i].Word && !toks[i].Quoted; i++ {
		switch {
		case listed("question", toks[i].Norm):
			return i + 1 - at
		case !listed("led", toks[i].Norm):
			return 0
		}
	}
	return 0
}
