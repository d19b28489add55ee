package apart

import (
	"cmp"

	"kist/agent/language"
)

// An Opening is how a message leaves what was talked about for another undertaking: "other thing,
// totally separate. my car. it fails its MOT", "second project: Bonneville".
type Opening struct {
	Thing []language.Token // what it names at once; empty: it only tells of it
	Rest  []language.Token // what it tells, behind the words that open it
}

// Opens reads how a message begins. What is one more thing to say of the same ("another thing: the
// oven costs 900") opens nothing.
func Opens(toks []language.Token) (Opening, bool) {
	toks = language.SkipOpeners(toks)
	n, matter := words().Is(toks, "another"), words().Is(toks, "matter") // a project, or one more matter
	wholly := words().Is(toks, "wholly")
	sure, parted := n > 0, wholly > 0
	if n = cmp.Or(n, wholly, matter, words().Is(toks, "other")); n == 0 {
		return Opening{}, false
	}
	for n < len(toks) {
		t := toks[n]
		apart, doing := words().Is(toks[n:], "apart"), words().Is(toks[n:], "doing")
		switch {
		case apart > 0:
			sure, n = true, n+apart
		case doing > 0 && !parted:
			sure, n = true, n+doing
		case language.In(":|.|,|-|–|—", t.Norm):
			parted, n = true, n+1
		case language.In("is|are", t.Norm) && n+1 < len(toks) && determines(toks[n+1].Norm): // not "is late"
			parted, n = true, n+1
		case !parted:
			return Opening{}, false
		default:
			o := Opening{Thing: named(toks[n:]), Rest: toks[n:]}
			return o, sure || matter+wholly > 0 && len(o.Thing) > 0
		}
	}
	return Opening{}, false
}

// determines reports whether a thing stands behind a word: "the", "my".
func determines(word string) bool {
	return language.Class("<det>", word) || language.In("my|our|his|her|their|all", word)
}

// named is the thing that tokens are, up to a mark, if they are no more than that: "my car.".
func named(toks []language.Token) []language.Token {
	end := 0
	for end < len(toks) && (toks[end].Word || end > 0 && toks[end].Norm == "'") {
		if end > 0 && language.Begins(toks[end:], "it|they|she|he <aux>|is|has|are") {
			break // "my sister's christening it's on Sunday"
		}
		end++
	}
	thing := toks[:end]
	if len(thing) > longestThing || len(language.ContentWords(thing)) == 0 || language.Has(thing, "<aux>|<taskword>|<noteword>|i|we|he|she|they|it") {
		return nil
	}
	for i, t := range thing { // "the oven costs 900", "manage the under 11s"
		if i > 0 && language.IsDigits(t.Norm) || i > 0 && language.Class("<verb>", language.Base(t.Norm)) || i > 0 && language.Class("<det>", t.Norm) {
			return nil
		}
	}
	return thing
}
