package extract

import (
	"slices"
	"strings"

	"kist/agent/guide"
	"kist/agent/language"
)

// A Kind says what a sentence is.
type Kind string

// The kinds of sentences.
const (
	Statement Kind = "statement" // tells something
	Command   Kind = "command"   // is for kist to follow
	Question  Kind = "question"
	Control   Kind = "control"  // a word on the conversation: "skip", "I don't know", "that's all"
	Courtesy  Kind = "courtesy" // and whatever else is of the moment
)

// A Sentence is one of a message.
type Sentence struct {
	Text string // word for word
	Kind Kind
	// Order: it begins as what kist may be asked to do, though it isn't plain that it is.
	Order bool
}

// Sentences reads a text.
func Sentences(text string) []Sentence {
	var out []Sentence
	for _, s := range guide.Sentences(text) {
		words := wordsOf(s)
		kind := kindOf(s, words)
		telling := kind == Command && tells(s)
		if telling {
			kind = Statement
		}
		out = append(out, Sentence{Text: s, Kind: kind, Order: telling || len(words) > 0 && (is("<order>", words[0]) || is("<keep>", words[0]))})
	}
	return out
}

// kindOf is the one place that says what a sentence is.
func kindOf(s string, words []string) Kind {
	switch {
	case len(words) == 0, courteous(words):
		return Courtesy
	case guide.OnlyControls(s):
		return Control
	case onlyCourtesies(s):
		return Courtesy
	case !strings.ContainsAny(s[:1], "\"'") && !strings.HasPrefix(s, "“") && commands(words):
		return Command
	case asks(s, words):
		return Question
	}
	return Statement
}

// tells: behind a colon an order has what it is about: "note: the key is under the mat".
func tells(s string) bool {
	_, rest, ok := strings.Cut(s, ": ")
	return ok && len(wordsOf(rest)) > 1
}

// Mends reports whether a sentence changes what was said before.
func Mends(s string) bool { return guide.ReadAnswer(s, guide.Question{}).Kind == guide.Correction }

// Remarks reports whether a sentence is only a word on what was just said or done, "drop
// both", "not the 2 tasks", "the rest yes": nothing in it would tell anything later.
func Remarks(s string) bool {
	toks := language.Tokenize(s)
	needs := language.Begins(language.SkipOpeners(toks), "i|we will? need|want|have") // "I'll need three of them"
	return len(toks) > 0 && !slices.ContainsFunc(toks, func(t language.Token) bool {
		w := t.Norm
		few := !needs && language.Count(w) > 0 && language.Count(w) < 10
		return t.Quoted || t.Word && !few && (language.Digital(w) || !slices.ContainsFunc(remarking, func(class string) bool { return language.Class(class, w) }))
	})
}

// remarking are the classes of words that tell nothing by themselves.
var remarking = strings.Fields("<stop> <aux> <det> <pronoun> <opener> <filler> <mend> <taskword> <noteword> <undoword> <deleteverb> <renameverb> <commandverb> <ticking> <finishverb> <doneword> <remark>")

// Orders reports whether a sentence begins as what kist may be asked to do.
func Orders(s string) bool {
	words := wordsOf(s)
	return len(words) > 0 && (commands(words) || is("<order>", words[0]))
}

// wordsOf are the words of a sentence in lower case, without what people say before
// they come to the point.
func wordsOf(s string) []string {
	words := spoken(s)
	for len(words) > 1 && (language.Class("<opener>", words[0]) || words[0] == "please") {
		words = words[1:]
	}
	return words
}

// spoken are all words of a sentence in lower case.
func spoken(s string) (words []string) {
	for _, t := range language.Tokenize(s) {
		if t.Word {
			words = append(words, t.Norm)
		}
	}
	return words
}

// courteous: nothing but greetings, thanks, moods and the weather.
func courteous(words []string) bool {
	if all(words, "<courtesy>") && len(words) < 4 {
		return true
	}
	if slices.Contains([]string{"thanks", "thank", "hello", "hi", "hey", "bye"}, words[0]) && len(words) < 8 && !beyond(words[1:]) {
		return true
	}
	if i := slices.IndexFunc(words, func(w string) bool { return w == "thanks" || w == "thank" }); i > 0 && len(words)-i < 8 {
		words = words[:i] // "just tired, thanks for keeping up with me"
	}
	return len(words) < 10 && all(words, "<light>", "<mood>", "<weather>", "<courtesy>")
}

// beyond: behind a greeting or thanks words tell somebody more than for what one is thanked:
// "thanks, Bo comes on Monday".
func beyond(words []string) bool {
	for len(words) > 0 && (is("<courtesy>", words[0]) || is("<small>", words[0]) || is("<you>", words[0])) {
		if words[0] == "for" {
			return false
		}
		words = words[1:]
	}
	return len(words) > 2 && words[0] != "for"
}

// commands: an order, or a wish in the form of a question, for kist to follow.
func commands(words []string) bool {
	polite := false
	for len(words) > 3 && (words[0] == "do" || words[0] == "please") && words[1] == "not" {
		words = words[2:] // "don't switch yet"
	}
	for len(words) > 2 && is("<aux>", words[0]) && is("<you>", words[1]) {
		polite, words = true, words[2:]
	}
	if n, ok := wish(words); ok {
		polite, words = true, words[n:]
	}
	if len(words) == 0 {
		return polite
	}
	if is("<kistverb>", words[0]) {
		return true
	}
	if !is("<maybekist>", words[0]) {
		return false
	}
	return polite || len(words) == 1 || slices.ContainsFunc(words[1:min(len(words), 8)], func(w string) bool { return is("<kistthing>", w) })
}

// wish is how long "let's" or "I'd like you to" is, at the beginning.
func wish(words []string) (int, bool) {
	for _, lead := range [][]string{{"let", "us"}, {"let", "me"}, {"let's"}, {"i", "want", "you", "to"}, {"i", "would", "like", "you", "to"}, {"i", "want", "to", "talk"}} {
		if len(words) > len(lead) && slices.Equal(words[:len(lead)], lead) {
			return len(lead), true
		}
	}
	return 0, false
}

// asks: a question by its mark, or by its first words where it has none.
func asks(s string, words []string) bool {
	s = strings.TrimRight(strings.TrimSpace(s), `"'”’)`)
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟") || is("<asks>", words[0]) && len(words) > 2 && is("<aux>", words[0]) && is("<you>", words[1])
}
