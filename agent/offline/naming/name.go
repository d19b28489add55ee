// Package naming finds what a project is to be called: the name that somebody gives it, or a
// short one for what they tell of. It sees words alone; which projects there are, and whether
// one is to be made, is for others to find.
package naming

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

// Worthy tells a plan from an errand by its verb and by what it is about.
func Worthy(all, noun []language.Token) bool {
	if len(noun) == 0 {
		return false
	}
	last, det := noun[len(noun)-1].Norm, noun[0].Norm
	if language.Class("<smallnoun>", last) || language.Class("<smallnoun>", language.Stem(last)) || language.Class("<pronoun>", last) || language.In("you|me|us|him|her|early|late|home|day", last) {
		return false
	}
	if language.Class("<venturenoun>", last) || language.Class("<venturenoun>", strings.TrimSuffix(last, "s")) {
		return true
	}
	if language.Has(all, "<venture>|<venturing>") {
		return !language.In("the|this|that|some|these|those", det)
	}
	_, _, far := language.Find(all, journeys...)
	return far
}

// Journey names plans whose aim follows a preposition: a town to move to, a race to
// train for.
func Journey(src string, all []language.Token) string {
	_, n, ok := language.Find(all, journeys...)
	if !ok || n >= len(all) {
		return ""
	}
	name := language.TitleCase(language.Spell(src, language.Inner(nounPhrase(all[n:]))))
	if all[n-1].Norm == "to" {
		return "Move to " + name
	}
	return name + " Training"
}

var journeys = []string{"move|moving|relocate|relocating to", "train|training for"}

// Noun is what the verb of a plan is about.
func Noun(toks []language.Token) []language.Token { return nounPhrase(ventureOf(toks)) }

// ventureOf is it with what follows.
func ventureOf(toks []language.Token) []language.Token {
	if n, ok := language.MatchAny(toks, "<venture> up|out?", "<venturing> up|out?"); ok && n < len(toks) {
		return toks[n:]
	}
	return toks
}

// Called is the name that a clause gives to what it tells of: "called Harvest", "let's
// call it Harvest".
func Called(src string, all []language.Token) string {
	_, n, ok := language.Find(all, "call|calling|name|naming it|this|that|him|her|ihn|sie|es", "it|that|this is|should|shall|will be? called|named", "called|named|titled|entitled|namens", "the name is|should|shall|be|: be?", "under|with|by the name of?", "nenn|nenne es|das", "nenn's")
	if !ok || n >= len(all) || !all[n].Quoted && all[n].Word && language.In("about|to|for|me|us|back|and|by|in|from|yesterday|today|a", all[n].Norm) {
		return ""
	}
	return Given(src, all[n:])
}

// Introduced is the name right behind the word for a project: "new project Anna's wedding".
func Introduced(src string, all []language.Token) string {
	_, n, ok := language.Find(all, "<keepverb>|new|<apart> up|off|a|an|the? <apart>? <undertaking> :?")
	if !ok || n >= len(all) {
		return ""
	}
	if t := all[n]; !t.Word || !t.Quoted && (language.Class("<stop>", t.Norm) || language.Class("<opener>", t.Norm) || language.Class("<condition>", t.Norm) || language.Class("<verb>", t.Norm) && !language.IsCapital(src, t) || strings.HasSuffix(t.Norm, "ing")) {
		return ""
	}
	if toks := all[n:]; toks[0].Quoted || language.IsCapital(src, toks[0]) {
		return Given(src, toks)
	} else if all[n-1].Norm == ":" { // "iOS app" stays
		name := Given(src, toks)
		if first, _, _ := strings.Cut(name, " "); first == strings.ToLower(first) {
			name = language.Capital(name)
		}
		return name
	}
	return Given(src, nounPhrase(all[n:])) // "new project kitchen in the old house"
}

// Given is a name as the user put it. A description may follow: "Garden, because".
func Given(src string, toks []language.Token) string {
	if len(toks) > 0 && language.In(`"|'`, toks[0].Norm) {
		return language.Unwrap(language.Quotation(src, toks))
	}
	if len(toks) > 1 && toks[0].Norm == "the" && !toks[0].Quoted && !language.IsCapital(src, toks[0]) {
		toks = toks[1:] // "called the Bluebell 10k"
	}
	name := language.Limit(language.Spell(src, UntilBreak(src, toks)), 80)
	if name == strings.ToLower(name) {
		name = language.TitleCase(name)
	}
	return name
}

// UntilBreak is a name without what follows it, in dictated words without a mark too.
func UntilBreak(src string, toks []language.Token) []language.Token {
	for i, t := range toks {
		if i == 0 || t.Quoted || !endsName(src, toks[i-1], toks[i:]) {
			continue
		}
		if i > 2 && language.Class("<aux>", t.Norm) && language.IsCapital(src, toks[i-2]) && !language.IsCapital(src, toks[i-1]) {
			i-- // "Pine and Oak rent is 900"
		}
		return toks[:i]
	}
	return toks
}

// endsName: something else begins behind the last word of a name.
func endsName(src string, last language.Token, toks []language.Token) bool {
	t, small := toks[0], !language.IsCapital(src, toks[0])
	follows := len(toks) > 1 && toks[1].Word
	switch {
	case !t.Word:
		return language.In(",|(|:|;", t.Norm)
	case t.Norm == "and":
		return follows && !language.IsCapital(src, toks[1]) && language.Fits(toks[1], "<addverb>|then|also|a|i|we|switch")
	case t.Norm == "i":
		return follows
	case language.In("we|you|he|she|they|it|there|that|who|which|because|where|since|so|please|thanks", t.Norm):
		return small && (follows || !language.Class("<pronoun>", t.Norm))
	case language.Class("<aux>", t.Norm) && !language.In("be|do|can|may|will", t.Norm):
		return small
	}
	return small && describes(src, last, toks)
}

// describes: what follows the last word of a name says something of the thing.
func describes(src string, last language.Token, toks []language.Token) bool {
	switch t := toks[0]; {
	case t.Norm == "for": // "Cottage for the old house", not "Home for the Aged"
		return len(toks) > 2 && language.IsCapital(src, last) && language.Class("<det>", toks[1].Norm) && !language.IsCapital(src, toks[2])
	case language.Class("<det>", t.Norm):
		return !language.Class("<stop>", last.Norm) && predicated(toks[1:])
	case language.In("on|by|before|until|from|in|at", t.Norm):
		d, ok := language.FindDay(toks[1:], anyTime)
		return ok && d.Start == 0
	}
	return false
}

// anyTime is a day to read dates by, of which only the place matters.
var anyTime = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)

// predicated: within a few words a verb says something of what they name.
func predicated(toks []language.Token) bool {
	for i, t := range toks[:min(len(toks), 4)] {
		if base := language.Base(t.Norm); language.Fits(t, "<aux>|<other>") || (i > 0 || base != t.Norm) && (language.Class("<verb>", base) || language.Class("<attend>", base)) {
			return true
		}
	}
	return false
}

func firstWord(toks []language.Token) string {
	for _, t := range toks {
		if t.Word && !language.IsFiller(t) {
			return t.Norm
		}
	}
	return ""
}

// nounPhrase is the object up to the first word that begins something else.
func nounPhrase(object []language.Token) []language.Token {
	for i, t := range object {
		if t.Norm == "'" && i > 0 && strings.HasSuffix(object[i-1].Norm, "s") {
			continue // "my parents' wedding"
		}
		if !t.Word && t.Norm != `"` || i > 0 && !t.Quoted && language.In("in|on|at|with|for|that|which|where|who|because|by|to|from|about|of|and|so|near|next|this|before|after|during|when|while|called|named|if|but|using|as|into|since|is|again|together|someday|soon|one|later|or|over|around", t.Norm) {
			return object[:i]
		}
	}
	return object
}

// begins: it is said where, when or why something begins, as in "start in Porto", which is no plan's name.
func begins(verb string, object []language.Token) bool {
	return (verb == "" || language.In("start|begin|starting|beginning", verb)) && len(object) > 0 && !object[0].Quoted &&
		language.In("in|at|by|from|with|after|before|near|around|under|because|so|if|when|while|until|since", object[0].Norm)
}

// Short makes a short name of a plan: "renovating our houseboat" becomes
// Houseboat Renovation, "a trip to Spain" Trip to Spain.
func Short(src string, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	if n, ok := language.MatchAny(toks, "<venturing> to <verb>"); ok { // "learning to drive at 34"
		return language.Limit(language.Capital(language.Spell(src, slices.Concat(toks[:n-1], nounPhrase(toks[n-1:])))), 60)
	}
	verb := ""
	if n, ok := language.MatchAny(toks, "<venture> up|out?", "<venturing> up|out?"); ok && n < len(toks) {
		verb, toks = firstWord(toks), toks[n:]
	}
	object := toks
	for len(object) > 0 && !object[0].Quoted && (language.IsFiller(object[0]) || language.Class("<det>", object[0].Norm) || language.In("new|big|little|small|whole|entire|of|for|about|on|to", object[0].Norm)) {
		object = object[1:]
	}
	if begins(verb, object) {
		return ""
	}
	np := nounPhrase(object)
	if len(np) == 0 || len(np) > 6 {
		np = object[:min(len(object), 5)]
	}
	if named := language.Spell(src, np); verb == "" || nounOf(verb, named) == named {
		np = object[:len(np)+complement(src, object[len(np):])]
	}
	name := language.TitleCase(language.Spell(src, np))
	if name == "" {
		return ""
	}
	return language.Limit(nounOf(verb, name), 60)
}

// complement is how many tokens say what a thing is to, of or about, where that tells which one it
// is: "trip to the Isle of Skye", and not for whom or when: "a trip for us in May".
func complement(src string, toks []language.Token) int {
	if len(toks) < 2 || !language.In("to|of|about|on", toks[0].Norm) {
		return 0
	}
	np := nounPhrase(toks[1:])
	if n := len(np) + 1; n > 1 && n+1 < len(toks) && toks[n].Norm == "of" && language.IsCapital(src, toks[n-1]) && language.IsCapital(src, toks[n+1]) {
		np = toks[1 : n+1+len(nounPhrase(toks[n+1:]))]
	}
	if len(np) == 0 || len(np) > 5 || language.Fits(np[0], "<pronoun>|my|our|his|her|their|your|him|them|us|me|it") {
		return 0
	}
	if d, ok := language.FindDay(np, anyTime); ok && d.Start == 0 {
		return 0
	}
	return len(np) + 1
}

//go:embed nouns.txt
var nounsText string

var nouns = sync.OnceValue(func() manner.Table { return manner.Read(nounsText) })

// nounOf turns the verb of a plan into a noun beside its object, where that says more
// than the object alone.
func nounOf(verb, name string) string {
	for _, m := range nouns().Manners {
		if m.Kind == "named" && language.In(m.Patterns[0], verb) {
			return strings.Replace(m.Value, "*", name, 1)
		}
	}
	return name
}

// NewName is a name that a project is to have from now on.
func NewName(src string, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	for len(toks) > 1 && language.In("be|called|named|simply|just|something|like", toks[0].Norm) && !toks[0].Quoted {
		toks = language.TrimMarks(toks[1:])
	}
	if len(toks) == 0 || len(toks) > 10 {
		return ""
	}
	if language.In(`"|'`, toks[0].Norm) {
		return language.Quotation(src, toks)
	}
	return language.TitleCase(language.Spell(src, language.TrimMarks(UntilBreak(src, toks))))
}
