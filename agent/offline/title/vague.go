package title

import (
	"slices"

	"kist/agent/language"
)

// A Vagueness is what a title leaves out, which says of what it is.
type Vagueness int

// What a title may leave out.
const (
	Clear  Vagueness = iota
	Thing            // "ask them about it", "find out"
	Person           // "give her an answer", "post his card"
)

// Vague tells what a title only points to, or lacks.
func Vague(title string) Vagueness {
	toks := language.Tokenize(title)
	if slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted }) {
		return Clear
	}
	few := len(language.ContentWords(toks)) < 3
	vague := Clear
	for i, t := range toks {
		behind := toks[i+1:]
		ends := len(behind) == 0 || !names(behind[0]) || language.Class("<stop>", behind[0].Norm)
		switch {
		case language.In("him|her|hers|his", t.Norm) && (ends || few): // "her old notebooks" say enough
			return Person
		case language.In("it|them|theirs|one|ones|so", t.Norm) && i > 0 && ends, language.In("that|this|those|these", t.Norm) && i > 0 && endsThing(behind):
			vague = Thing
		}
	}
	if len(toks) > 0 && Does(toks[0]) && !slices.ContainsFunc(toks[1:], names) {
		vague = Thing
	}
	return vague
}

// NamedIn: what was said before a title names what that leaves out.
func (v Vagueness) NamedIn(said string) bool {
	toks := language.SkipOpeners(language.Tokenize(said))
	words := slices.DeleteFunc(language.ContentWords(toks), func(w string) bool {
		return language.Class("<addverb>", w) || language.Class("<taskword>", w) || language.Class("<verb>", w) || language.Class("<pronoun>", w) || language.Class("<behindpointed>", w) || language.In("remind|one", w)
	})
	if v != Person {
		return len(words) > 1
	}
	for i, t := range toks {
		first := i == 0 || !toks[i-1].Word // a capital there is no sign
		if t.Word && language.IsCapital(said, t) && !language.Class("<timeword>", t.Norm) && !language.Light(t.Norm) && t.Norm != "i" && !(first && (Does(t) || language.Class("<opener>", t.Norm))) {
			return true
		}
	}
	return false
}
