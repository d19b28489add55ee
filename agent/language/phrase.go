package language

import (
	"slices"
	"strings"
)

// Parts of sentences: what people say before they come to the point, what a phrase is
// about, and its words put as a name.

// SkipOpeners drops what people say before they come to the point.
func SkipOpeners(toks []Token) []Token {
	for range 40 { // nobody stammers on for longer, and long runs would cost
		if len(toks) == 0 {
			break
		}
		t := toks[0]
		if len(toks) > 2 && len(t.Norm) > 5 && strings.HasSuffix(t.Norm, "ly") && toks[1].Norm == "," && !t.Quoted {
			toks = toks[2:] // "realistically, ..."
			continue
		}
		if !opens(toks) {
			break
		}
		toks = toks[1:]
	}
	return toks
}

// opens: the first token only leads to what is said.
func opens(toks []Token) bool {
	t := toks[0]
	if t.Quoted || t.Named || t.Word && !Class("<opener>", t.Norm) && !IsFiller(t) || !t.Word && !In(",|-|.|!|:|?", t.Norm) {
		return false
	}
	if t.Norm == "no" && len(toks) > 1 && toks[1].Word && !Class("<opener>", toks[1].Norm) && !In("i|we|let|do|the|not|it|that|this|wait|you|go|back|keep|leave|no|stay|my", toks[1].Norm) {
		return false // "no switching now", "no forecast is perfect"
	}
	return !inPhrase(toks)
}

// Fills: the first token adds nothing to what follows.
func Fills(toks []Token) bool { return IsFiller(toks[0]) && !inPhrase(toks) }

// inPhrase: the first token is an opener only where a clause can follow, not in "next
// steps", "right side".
func inPhrase(toks []Token) bool {
	t := toks[0]
	if len(toks) > 1 && t.Norm == "first" { // "first aider", but not "first call Bo"
		next := toks[1]
		clause := Fits(next, "<verb>|<det>|<pronoun>|i|we|you|let|of|to|then|and|please|thing|things|up|off")
		return next.Word && !clause
	}
	return In("next|right|now|no|good|great|again|then|well|so", t.Norm) && len(toks) > 1 && (isListNoun(toks[1]) || t.Norm == "no" && toks[1].Norm == "need" || t.Norm == "next" && In("is|comes|up", toks[1].Norm))
}

// isListNoun: a noun that words such as "next" and "this" belong to.
func isListNoun(t Token) bool {
	return In("steps|step|friday|monday|tuesday|wednesday|thursday|saturday|sunday|week|month|year|up|morning|evening|afternoon|night|idea|much|many|far", t.Norm)
}

// Topic keeps the words of a question that name its subject.
func Topic(toks []Token) string {
	var words []string
	for _, t := range toks {
		if Telltale(t) && len(words) < 12 {
			words = append(words, strings.TrimSuffix(t.Norm, "'s"))
		}
	}
	return strings.Join(words, " ")
}

// Telltale: a word that says what something is about, or one that is quoted.
func Telltale(t Token) bool {
	return t.Word && (t.Quoted || !Class("<stop>", t.Norm))
}

// Inner drops quotation marks and determiners around a phrase.
func Inner(toks []Token) []Token {
	for len(toks) > 0 && (!toks[0].Word || !toks[0].Quoted && Class("<det>", toks[0].Norm)) {
		toks = toks[1:]
	}
	for len(toks) > 0 && !toks[len(toks)-1].Word {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// Without is tokens without some of them.
func Without(toks []Token, some [][]Token) []Token {
	for _, each := range some {
		toks = slices.DeleteFunc(slices.Clone(toks), func(t Token) bool {
			return t.Start >= each[0].Start && t.Start <= each[len(each)-1].Start
		})
	}
	return toks
}

// Drop leaves the unquoted tokens out that are one of some words.
func Drop(toks []Token, words string) []Token {
	return slices.DeleteFunc(slices.Clone(toks), func(t Token) bool { return !t.Quoted && In(words, t.Norm) })
}

// Between are the tokens that begin from one byte to another.
func Between(toks []Token, from, to int) []Token {
	return slices.DeleteFunc(slices.Clone(toks), func(t Token) bool { return t.Start < from || t.Start > to })
}

// Covers: every word asked for is in a title, in whatever form.
func Covers(title, asked []string) bool {
	for _, w := range asked {
		found := false
		for _, other := range title {
			found = found || SameWord(w, other) || Base(w) == Stem(other)
		}
		if !found {
			return false
		}
	}
	return true
}

// IsCapital reports whether a token is written with a capital in src.
func IsCapital(src string, t Token) bool {
	first := src[t.Start:]
	return first != "" && first[:1] == strings.ToUpper(first[:1]) && first[:1] != strings.ToLower(first[:1])
}

// TitleCase capitalises the words of a name, except small ones within.
func TitleCase(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 && In("of|for|and|to|in|on|at|the|a|an|with|about|or|from|by|around", w) || w != strings.ToLower(w) {
			continue
		}
		words[i] = Capital(w)
	}
	return strings.Join(words, " ")
}

// OneLine joins the lines of a text.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Listed are the things that tokens name one after the other: "the form, the cups and
// the tent".
func Listed(toks []Token) [][]Token {
	var out [][]Token
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && (toks[i].Quoted || !In("and|und|or|oder|plus|,|+|&|/", toks[i].Norm)) {
			continue
		}
		if one := TrimMarks(toks[from:i]); len(ContentWords(one)) > 0 {
			out = append(out, one)
		}
		from = i + 1
	}
	return out
}

// ListedNames are the names that stand in a row, of which one that is a number alone has its kind from
// the one before: "chapters 4 and 5" are "chapters 4" and "chapters 5".
func ListedNames(toks []Token) [][]Token {
	out := Listed(toks)
	for i := 1; i < len(out); i++ {
		last := out[i-1]
		if n := len(last) - 1; len(out[i]) == 1 && n > 0 && IsDigits(out[i][0].Norm) && IsDigits(last[n].Norm) && len(ContentWords(last[:n])) > 0 {
			out[i] = append(last[:n:n], out[i][0])
		}
	}
	return out
}

// Numbered are words that end in a number with the others of their kind, whose numbers stand behind
// them, as far as those are nothing else: "chapters 3", and ", 4 and 5".
func Numbered(toks, behind []Token) [][]Token {
	more := 0
	for n := 0; n < len(behind) && (IsDigits(behind[n].Norm) || In("and|und|,|&|plus", behind[n].Norm)); n++ {
		if IsDigits(behind[n].Norm) && (n+1 == len(behind) || !behind[n+1].Word || Light(behind[n+1].Norm)) {
			more = n + 1
		}
	}
	all := ListedNames(slices.Concat(toks, behind[:more]))
	if !slices.ContainsFunc(all, func(one []Token) bool { return one[0].Start != toks[0].Start || !IsDigits(one[len(one)-1].Norm) }) {
		return all
	}
	return [][]Token{toks}
}

// Asks reports whether words have the form of a question, whatever mark is behind them:
// "when does it", "on which day is it", "why teak", not "when we met" or "what a day".
func Asks(toks []Token) bool {
	toks = SkipOpeners(toks)
	if len(toks) > 1 && In("whos|wheres|whens|hows|whys", toks[0].Norm) {
		return true
	}
	if Begins(toks, "on|for|by|at|in|to|from|of|with|until|till|since|about <wh>") {
		toks = toks[1:]
	}
	if !Begins(toks, "<wh>") {
		return false
	}
	for i, t := range toks[1:min(len(toks), 6)] {
		switch {
		case Class("<aux>", t.Norm):
			return true
		case In("i|we|you|he|she|they|it|that|this", t.Norm), Class("<det>", t.Norm) && i == 0:
			return false
		}
	}
	return Begins(toks, "why|who|whose|whom *", "how much|many|long|far|often|big|old|high|wide|soon")
}
