package extract

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// Asked is what a sentence wants to know, without the words that only lead to it: "what I've got to
// do" of "could you tell me what I've got to do". Empty: it asks nothing that files could tell, as
// what is asked of kist itself or of what somebody thinks of it.
func Asked(sentence string) string {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(sentence)))
	led := false
	for {
		n, ok := language.MatchAny(toks, patterns("leads")...)
		if !ok || n == len(toks) {
			break
		}
		led = led || n > 1 || language.Begins(toks, patterns("sums up")...)
		toks = language.SkipOpeners(toks[n:])
	}
	asks := strings.HasSuffix(strings.TrimSpace(sentence), "?") && language.Asks(toks)
	switch {
	case len(toks) < 2 || language.Begins(toks, patterns("of kist")...):
		return ""
	case led && language.Begins(toks, patterns("asked")...), asks:
		return strings.TrimSpace(language.Spell(sentence, toks))
	}
	return ""
}

// OfOpinion reports whether a question is for what somebody thinks, likes or should do, or for how
// something will turn out: no file tells that.
func OfOpinion(sentence string) bool {
	return language.Begins(language.TrimMarks(language.SkipOpeners(language.Tokenize(sentence))), patterns("opinion")...)
}

// longestWish is how many words are said back of what somebody wants done.
const longestWish = 12

// Wished is what a sentence wants done, without the asking: "ring the school" of "could you ring the
// school for me". Empty: it isn't clear.
func Wished(sentence string) string {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(sentence)))
	for {
		n, ok := language.MatchAny(toks, patterns("polite")...)
		if !ok {
			break
		}
		toks = toks[n:]
	}
	if i, _, ok := language.Find(toks, patterns("for me")...); ok && i > 0 && i > len(toks)-4 {
		toks = toks[:i]
	}
	if len(toks) < 2 || len(toks) > longestWish || !language.Begins(toks, patterns("deed")...) {
		return ""
	}
	wished := language.Spell(sentence, toks)
	return strings.ToLower(wished[:1]) + wished[1:]
}

// OnlyNames: a sentence only names things, as what stands behind a question does that is about them.
func OnlyNames(sentence string) bool {
	toks := language.Tokenize(sentence)
	return len(toks) > 0 && len(toks) < 16 && language.Has(toks, ",|and") && !language.Has(toks, "<aux>|<subject>|<verb>") &&
		!slices.ContainsFunc(toks, func(t language.Token) bool { return language.Past(t.Norm) || language.Digital(t.Norm) })
}

// NamedBehind: in a text a sentence only names things of which the one before it asks.
func NamedBehind(text, sentence string) bool {
	before, _, ok := strings.Cut(text, sentence)
	return ok && OnlyNames(sentence) && strings.HasSuffix(strings.TrimSpace(before), "?")
}
