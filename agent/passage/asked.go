package passage

import (
	"slices"

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
		if topical(toks[i:]) {
			return toks[from:]
		}
	}
	return toks
}

// Halves are the questions that are asked in one: "who is she, and when can I ring her".
// The first names what all are about.
func Halves(toks []language.Token) [][]language.Token {
	var out [][]language.Token
	from, said := 0, asksAt(toks, 0)
	for i := 1; said == 0 && i < min(len(toks), briefly+2); i++ { // "and the quilt, how far have I got"
		if n := asksAt(toks, i); n > 0 && toks[i-1].Norm == "," && topical(toks[:i-1]) {
			said = i + n
		}
	}
	for i := said + 1; said > 0 && i < len(toks); i++ {
		before := toks[i-1]
		joined := !before.Quoted && (language.In(",|+|&|-|?|;", before.Norm) || listed("joins", before.Norm))
		if !joined || listed("joins", toks[i].Norm) || asksAt(toks, i) == 0 || i-1-from < 2 || len(out) == 0 && !topical(toks[:i-1]) {
			continue
		}
		out = append(out, language.TrimMarks(toks[from:i-1]))
		from = i
	}
	return append(out, toks[from:])
}

// Back reports whether a question speaks of what was named before it.
func Back(toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool { return !t.Quoted && listed("back", t.Norm) })
}

// topical: there is something to look for.
func topical(toks []language.Token) bool {
	return slices.ContainsFunc(language.ContentWords(toks), func(w string) bool {
		return !language.Class("<stop>", w) && !listed("weak", w) && !listed("question", w) && !listed("measure", w)
	})
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
