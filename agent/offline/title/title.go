// Package title judges and words the titles of tasks that are taken from plain talk: OfTask
// says what is one, Named gives what is pointed to the name that was said before. It reads no
// more than the words; what is wanted with them isn't its matter.
package title

import (
	"slices"
	"strings"
	"unicode"

	"kist/agent/language"
)

// obliged is how somebody says of themselves what is to be done.
var obliged = []string{
	"i|we have|need|want|hope|wish|ought|got|plan|intend|mean|am|are|better to",
	"i|we have got|better to", "i|we had better",
	"i|we must|should|shall|will|would",
	"i|we should|would like|love|prefer to",
	"do? not? let? me|us? forget to|about?",
}

// What stands before names, and within them; not all of it is English.
const (
	honorifics = "mr|mrs|ms|miss|dr|prof|herr|frau"
	Particles  = honorifics + "|de|van|von|der|den|del|della|di|da|du|la|le|ten|ter"
)

// Of money, in whatever language.
const (
	moneyWords = "euro|euros|eur|pound|pounds|quid|dollar|dollars|usd|gbp|bucks|chf|franken|francs|each|apiece"
	sums       = "budget|cost|costs|price|rent|fee|deposit|quote|total|wage|miete|preis|kosten"
)

// OfTask judges what was taken from plain talk for the title of a task, and words it as
// one. A title is a verb phrase without a subject of its own ("ring the council"), or says
// briefly what is to be seen to ("the seal leaks", "the deposit"). It is none, and ok is
// false, where it is
//
//   - a clause about somebody, with a pronoun for its subject: "it is a separate plan", "I
//     said okay"; of "I should ring Bo" the rest is one, and "I should" is left out;
//   - a predicate that lost its subject: "wants the wifi redone";
//   - something done to what is only pointed to, and named nowhere in it: "have that done",
//     "collect them with a van", "let him know"; who is pointed to needs no name where the
//     thing has one, or where the verb is for people: "send her a menu", "ring him back";
//   - a sum or a person alone: "budget 6k", "64 euros", "Mrs Okafor";
//   - a refusal.
//
// What points beside a thing that is named is left out: "hire a van for it".
func OfTask(title string) (worded string, ok bool) {
	toks := language.Tokenize(title)
	if slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted }) {
		return title, true // a name, or somebody's words
	}
	if n, led := language.MatchAny(toks, "ok|okay|right|so ,? i|we? have|need|must|got to?"); led && n < len(toks) {
		toks = toks[n:]
	}
	if n, led := language.MatchAny(toks, obliged...); led && n < len(toks) {
		toks = toks[n:]
	}
	for len(toks) > 3 && strings.HasSuffix(toks[0].Norm, "ly") {
		toks = toks[1:] // "I shall probably have to ring Bo"
	}
	if toks = withoutPointing(toks); len(toks) == 0 || !strings.ContainsFunc(title, unicode.IsLetter) || clausal(toks) || stated(title, toks) || objectless(toks) || pointsAt(toks) >= 0 || onlyNamed(title, toks) {
		return "", false
	}
	return language.Capital(language.Spell(title, toks)), true
}

// Owes: words begin by saying that something is to be done.
func Owes(toks []language.Token) bool {
	n, led := language.MatchAny(toks, obliged...)
	return led && n < len(toks) || len(toks) > 1 && language.Class("<verb>", toks[0].Norm)
}

// stated: it has a subject of its own, of which it says what that does or did: "the brewery
// confirms", "Bo, wants a deposit". What something needs or has to be is to be seen to.
func stated(title string, toks []language.Token) bool {
	if Does(toks[0]) || language.Fits(toks[0], "<ticking>") || language.Has(toks, "someone|somebody|anyone") {
		return false
	}
	for i, t := range toks[1:] {
		behind := toks[i+2:]
		switch {
		case t.Quoted || !t.Word:
		case language.Class("<joint>", t.Norm) || language.In("that|which|who|whether|if|when|where|how|at|from|by|before|after", t.Norm):
			return slices.ContainsFunc(behind[:min(len(behind), 5)], says) // "Margaret from the council says"
		case language.In("needs|need", t.Norm):
			return false
		case language.In("wants|want", t.Norm):
			return !owed(behind)
		case language.In("must|should|has|have", t.Norm):
			return !language.Begins(toks[i+1:], "must|should not? be|go|come|have", "has|have to")
		case language.Class("<aux>", t.Norm):
			return !language.Begins(behind, "to|due|overdue|missing|needed|open|not|broken|leaking|empty")
		case finite(title, toks[i], t, behind):
			return true
		case says(t), did(t) && len(behind) > 0 && behind[0].Word && (i > 0 || !language.Class("<det>", toks[0].Norm)):
			return true
		}
	}
	return false
}

// says: a word for what somebody says; did: for what was done.
func says(t language.Token) bool {
	return t.Norm != "say" && language.Class("<saying>", strings.TrimSuffix(t.Norm, "s"))
}

func did(t language.Token) bool {
	return language.Past(t.Norm) && !language.Class("<adjective>", t.Norm)
}

// owed: what something wants is done to it: "renewing", "to be painted".
func owed(toks []language.Token) bool {
	return len(toks) > 0 && (strings.HasSuffix(toks[0].Norm, "ing") || language.Begins(toks, "to be"))
}

// finite: a word is the verb of what stands before it: "the sign makes Morag", "tickets go on sale".
func finite(title string, before, verb language.Token, behind []language.Token) bool {
	ends := func(t language.Token) bool { return strings.HasSuffix(t.Norm, "s") && !strings.HasSuffix(t.Norm, "ss") }
	switch {
	case len(behind) == 0 || !behind[0].Word:
		return false
	case ends(verb) && language.Class("<verb>", strings.TrimSuffix(verb.Norm, "s")):
		return language.IsCapital(title, behind[0]) || language.Class("<det>", behind[0].Norm) // "condition reports for all works"
	}
	return ends(before) && (language.Class("<verb>", verb.Norm) || language.In("go|come|close|end|run", verb.Norm))
}

// clausal: it begins with a subject that is a pronoun, or with a predicate that lost its own.
func clausal(toks []language.Token) bool {
	return language.Begins(toks, "<subject>", "<pointed> <aux>", "wants|needs|says|said|thinks|was|were|is|are|has|does|did", "<aux> not? <subject>", "off|of|from|with|at|for|than|because|which|who", "make sure it|that|this|they", "see to? it|that") ||
		language.In("no|nope|yes", toks[len(toks)-1].Norm)
}

// pointsAt is where a title says what is to be done to something or somebody that it doesn't
// name; -1: nowhere.
func pointsAt(toks []language.Token) int {
	for i, t := range toks[:min(len(toks), 4)] {
		next := toks[i+1:]
		switch {
		case i == 0 || t.Quoted || !onlyVerbs(toks[:i]):
		case language.In("it|them|both", t.Norm), language.Class("<pointed>", t.Norm) && endsThing(next):
			return i
		case language.Class("<person>", t.Norm) && !language.Class("<reachverb>", toks[0].Norm) && !slices.ContainsFunc(next, names):
			return i
		}
	}
	return -1
}

// names: a word that may name a thing.
func names(t language.Token) bool {
	return t.Word && !language.Class("<behindpointed>", t.Norm) && !language.Class("<mindverb>", t.Norm) && !language.Class("<doneword>", t.Norm)
}

// objectless: what it is done to was left out: "replace at the move".
func objectless(toks []language.Token) bool {
	begun := len(toks) < 4 && language.In("with|of|from|about", toks[len(toks)-1].Norm) // "begin with"
	return (begun || language.Begins(toks, "<transitive> at|by|on|before|after")) && !toks[0].Quoted
}

// Points: a title says what is to be done to what it only points to.
func Points(title string) bool { return pointsAt(language.Tokenize(title)) > 0 }

// onlyVerbs: nothing is named by what stands before: "have", "get rid of".
func onlyVerbs(toks []language.Token) bool {
	last := toks[len(toks)-1]
	return len(toks) == 1 || len(toks) == 2 && (language.Class("<behindpointed>", last.Norm) || Does(last)) || language.Begins(toks, "get|be rid of", "take care of")
}

// endsThing: what follows "that" is no thing that it is the article of: "that by Friday",
// "that done", "that".
func endsThing(next []language.Token) bool {
	if len(next) == 0 || !next[0].Word || next[0].Norm == "whether" || language.Class("<behindpointed>", next[0].Norm) || language.Class("<doneword>", next[0].Norm) {
		return true
	}
	return language.Past(next[0].Norm) && endsThing(next[1:])
}

// withoutPointing leaves out behind what a title names what only points: "for it", "before
// that".
func withoutPointing(toks []language.Token) []language.Token {
	if Tells(toks) || pointsAt(toks) >= 0 {
		return toks
	}
	for i := len(toks) - 2; i > 1; i-- {
		ends := i+2 >= len(toks) || !toks[i+2].Word
		if ends && i+1 < len(toks) && language.In("for|with|before|after|by|until|till", toks[i].Norm) && language.In("it|that|them|then", toks[i+1].Norm) {
			toks = slices.Concat(toks[:i], toks[i+2:])
		}
	}
	return language.TrimMarks(toks)
}

// onlyNamed: no more than a sum, or a person.
func onlyNamed(title string, toks []language.Token) bool {
	digital := func(t language.Token) bool { return t.Norm[0] >= '0' && t.Norm[0] <= '9' }
	first := toks[0]
	switch {
	case language.In(honorifics, first.Norm):
		small := func(t language.Token) bool {
			return !language.IsCapital(title, t) && !language.In(Particles, t.Norm)
		}
		return len(toks) < 5 && (!slices.ContainsFunc(toks[1:], small) || len(toks) == 2) // "Frau Arnim fragen" is more
	case language.In(sums, first.Norm) && len(toks) > 1 && digital(toks[1]):
		return len(toks) == 2 || isMoney(title, toks[1:3]) || language.Class("<behindpointed>", toks[2].Norm) || !toks[2].Word
	}
	return priced(title, toks) && (language.Has(toks, "one|ones") && !Does(first) || !slices.ContainsFunc(toks, func(t language.Token) bool {
		return t.Word && !digital(t) && !language.In(moneyWords, t.Norm) && !language.In("about|around|roughly|only|for|a|per|plus", t.Norm)
	}))
}

// priced: a sum of money stands in it.
func priced(src string, toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool { return isMoney(src, []language.Token{t}) })
}

// isMoney: one of some tokens is money, or what it is counted for.
func isMoney(src string, toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool {
		k := strings.TrimSuffix(t.Norm, "k")
		return language.In(moneyWords, t.Norm) || strings.ContainsAny(src[t.Start:t.End], "$€£¥") || k != t.Norm && language.IsDigits(k)
	})
}

// Does: a verb that begins things to do, or quoted words.
func Does(t language.Token) bool { return language.Class("<verb>", t.Norm) || t.Quoted }

// Acts: words have a verb that isn't a thing at this place: "glue the shelf", not "glue for the shelf".
func Acts(toks []language.Token) bool {
	for i, t := range toks {
		if Does(t) && (i+1 == len(toks) || !language.In("and|or|for|of|und|oder|für|von|,", toks[i+1].Norm)) {
			return true
		}
	}
	return false
}

// Price: what something costs, said of what stands before it: "the red one, 64 euros".
func Price(title string) bool {
	toks := language.Tokenize(title)
	return len(toks) < 9 && priced(title, toks) && !Does(toks[0])
}

// Tells: a clause with a subject of its own that says how things are, not what has to be.
func Tells(toks []language.Token) bool {
	i := slices.IndexFunc(toks, func(t language.Token) bool {
		return !t.Quoted && language.Class("<telling>", t.Norm)
	})
	return i > 0 && !language.Has(toks[:i], "<wh>|that|whether|if") && !language.Begins(toks[i+1:], "to|due|overdue|missing|needed|open|not")
}

// Parts are the titles of tasks into which one that names several things can be taken apart,
// each with the verb that stands before the first: "book the hall and the choir".
func Parts(title string) []string {
	var out []string
	var verb []language.Token
	for i, part := range language.Listed(language.Tokenize(title)) {
		switch {
		case i == 0 && Does(part[0]) && len(part) > 1:
			verb = part[:1]
		case !Does(part[0]):
			part = slices.Concat(verb, part)
		}
		out = append(out, language.Capital(language.Spell(title, part)))
	}
	return out
}
