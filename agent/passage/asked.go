package passage

import (
	"kist/agent/language"
)

// Asked is the question in what is said, without what only leads to it: "I'm at the timber
// yard, how high did we want the ridge", "remind me what the roofer wanted". It begins with
// a word for questions behind a comma, or behind a word for asking, and must name something
// to look for; else toks are returned as they are.
func Asked(toks []language.Token) []language.Token {
	for i := len(toks) - 2; i > 1; i-- {
		if toks[i].Quoted || !listed("question", toks[i].Norm) {
			continue
		}
		from := i
		for from > 0 && toks[from-1].Word && listed("led", toks[from-1].Norm) {
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
