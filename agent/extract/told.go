package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kist/agent/language"
)

const (
	dumpRunes   = 500 // characters from which a message is a dump whatever it says
	dumpCount   = 3   // sentences that tell something, from which it is one
	minWords    = 3   // of what is told in plain talk
	minAside    = 3   // words of what counts in a dump whatever it is
	minAnswered = 2   // of what is told where kist has asked to be told
)

// Regret begins the line of a reply that names what nothing was done about, so that it
// isn't named a second time by whoever files what was told.
const Regret = "I did nothing about "

// Reminds begins the words by which a reply says that something can be a task.
const Reminds = "remind me to "

// Statements are the sentences of a text that tell something.
func Statements(text string) []Sentence {
	return slices.DeleteFunc(Sentences(text), func(s Sentence) bool { return s.Kind != Statement })
}

// IsDump reports whether somebody pours out what is on their mind.
func IsDump(text string) bool {
	told := len(Statements(text))
	return told >= dumpCount || told > 1 && utf8.RuneCountInString(strings.TrimSpace(text)) >= dumpRunes
}

// Telling are the sentences of a message that would be lost if nothing became of them: all but
// courtesies, words on what was just said or done, orders to kist and questions. Where each
// says too little by itself, "staging up. took 3h", it is the message.
func Telling(text string) []string {
	var out []string
	for _, s := range Sentences(text) {
		if tellsMore(s.Text) {
			out = append(out, s.Text)
		}
	}
	if whole := strings.TrimSpace(text); len(out) == 0 && len(Sentences(text)) > 1 && tellsMore(whole) {
		out = []string{whole}
	}
	return out
}

func tellsMore(s string) bool {
	if numbered(s) {
		return true
	}
	kind, toks := kindOf(s, wordsOf(s)), language.Tokenize(s)
	orders := (kind == Command || Orders(s) || language.Begins(toks, "do not <verb>")) && !tells(s) && !cleft(toks) && !(language.Begins(toks, "let us") && len(toks) > minLets)
	if n, ok := tailOrder(toks); ok && n == len(toks) {
		return false // "that line about the bike, can you delete that?"
	}
	if kind == Courtesy || kind == Control || orders || Remarks(s) || len(spoken(s)) < minWords {
		return false
	}
	return !Inquires(s) || slices.ContainsFunc(before(s), func(part string) bool { return !Inquires(part) && len(spoken(part)) > minAsked && !Remarks(part) })
}

// tailOrder: words end in what kist is to do with what they name; n is where.
func tailOrder(toks []language.Token) (n int, ok bool) {
	_, n, ok = language.Find(language.TrimMarks(toks), ", can|could|would|will you please? <verb>|<deleteverb>|<commandverb> that|it|this|them|those out|off|away? again? please?")
	return n + len(toks) - len(language.TrimMarks(toks)), ok
}

// minLets is how many words somebody suggests something in, rather than orders it.
const minLets = 6

// minAsked is how many words before a question only lead to it: "by the way, do you know, ...".
const minAsked = 4

// Inquires reports whether a sentence is a question, by its mark or its form.
func Inquires(s string) bool {
	toks := language.SkipOpeners(language.Tokenize(s))
	if len(toks) > 1 && language.Class("<mend>", toks[0].Norm) {
		toks = language.SkipOpeners(toks[1:]) // "wait, which one did I say"
	}
	turned := language.Begins(toks, "<aux> i|we|you|he|she|it|they|there|the|my|our|this|that *", "any *", "and now")
	return turned || strings.HasSuffix(strings.TrimSpace(s), "?") || !cleft(toks) && language.Asks(toks)
}

// cleft: words begin like a question and tell something: "what worries me most is the airline".
func cleft(toks []language.Token) bool {
	return language.Begins(toks, "what * me|us *? *? is|was", "what|where|why|how i|we *? *? *? *? is|was *")
}

// before are the parts of a sentence before its last comma, unless that only asks for a nod.
func before(s string) []string {
	i := strings.LastIndexByte(s, ',')
	if len(spoken(s[i+1:])) <= minWords {
		return nil // ", isn't it?"
	}
	return strings.FieldsFunc(s[:max(i, 0)], func(r rune) bool { return r == ',' })
}

// Righted reports whether a few words put a number right that was told before: "no, 450".
func Righted(s string) bool {
	toks := language.Tokenize(s)
	return language.Begins(toks, "no|nope|sorry|actually|wait|oops") && !strings.Contains(s, "?") &&
		slices.ContainsFunc(toks, func(t language.Token) bool { return language.Digital(t.Norm) })
}

// Resets reports whether a sentence sets otherwise what was told, and what is only pointed to: "make
// it green, a sort of sage".
func Resets(s string) bool {
	toks := language.SkipOpeners(language.Tokenize(s))
	n, ok := language.MatchAny(toks, "make|put|set it|that|them at|to|as?", "let us make it|that|them")
	return ok && !strings.Contains(s, "?") && len(language.ContentWords(toks[n:])) > 0 && !language.Has(toks, "<taskword>|<noteword>|<listword>|<projectword>|there|here|back|down|in|on|due")
}

// numbered: a few words tell a number: "no, 450", "budget 600".
func numbered(s string) bool { return Righted(s) || figured(s) }

// figured reports whether a few words are of a thing and a number above what counts a choice:
// "budget 600".
func figured(s string) bool {
	toks := language.TrimMarks(language.Tokenize(s))
	return len(toks) == 2 && !toks[0].Quoted && len(language.ContentWords(toks[:1])) > 0 && language.Digital(toks[1].Norm) && len(toks[1].Norm) > 2 && !Orders(s) && !Remarks(s)
}

// Told returns the sentences of a message that must be found again. listening: the
// session is there to be told things, as the making of a project is. There, and in a
// dump, everything counts that isn't a mere word on the conversation; in plain talk only
// statements of some substance do.
func Told(text string, listening bool) []Sentence {
	all := Sentences(text)
	dump := IsDump(text)
	var out []Sentence
	for _, s := range all {
		n := len(spoken(s.Text)) // "no" before "dogs" is no opener
		switch {
		case dump && n >= minAside, Righted(s.Text), Resets(s.Text): // also "no idea yet", behind what it is about
			out = append(out, s)
		case s.Kind == Courtesy, s.Kind == Control:
		case s.Kind == Statement && (listening || dump) && n >= minAnswered:
			out = append(out, s)
		case s.Kind == Statement && (n >= minWords || language.IsForeign(s.Text) || numbered(s.Text)): // which may have no spaces
			out = append(out, s)
		case (s.Kind == Question || s.Kind == Command) && dump:
			out = append(out, s)
		case s.Kind == Command && len(all) > 1, s.Kind == Question && listening && len(all) > 1:
			out = append(out, s)
		}
	}
	return out
}
