package lookup

import (
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/offline/turn"
	"kist/agent/passage"
	"kist/vault/pattern"
)

const (
	longestAgain = 6 // words of a question that only goes on with the last one
	lastAsked    = 4 // messages back in which that one is looked for
)

// wrote is a word that asks, with the verb behind it and no apostrophe between: "whos driving".
var wrote = pattern.Lazy(`(?i)(^|[.,!?;] |\b(?:and|so|but) )(who|where|when|how|why)s\b`)

// Spelled is a message with such words as they are spelt.
func Spelled(text string) string { return wrote().ReplaceAllString(text, "$1$2's") }

// AskedAgain is the last question once more, where a message only goes on with it: "and now?",
// or with what it names in the place of what that was about: "and the flights?".
func AskedAgain(t *turn.Turn) (string, bool) {
	toks := language.TrimMarks(language.Tokenize(t.Text))
	if !strings.HasSuffix(strings.TrimSpace(t.Text), "?") || len(toks) > longestAgain || !language.Begins(toks, "and|und *", "what|how about *") {
		return "", false
	}
	thing := language.Inner(slices.DeleteFunc(slices.Clone(toks[1:]), func(w language.Token) bool {
		return language.In("now|then|for|about|with|today|in|of|und", w.Norm)
	}))
	if language.Has(thing, "<wh>|<aux>|other|others|you|it") {
		return "", false
	}
	i := slices.IndexFunc(t.Said[:min(len(t.Said), lastAsked)], func(s string) bool {
		return extract.Inquires(s) && !language.Begins(language.Tokenize(s), "and|und *")
	})
	if i < 0 {
		return "", false
	}
	before := t.Said[i]
	if len(thing) == 0 {
		return before, true
	}
	said := language.Tokenize(before)
	topics := passage.Ask(language.Topic(said), said, t.Situation.Now).Topics()
	about := slices.DeleteFunc(said, func(w language.Token) bool { return !slices.Contains(topics, strings.TrimSuffix(w.Norm, "'s")) })
	if len(about) == 0 {
		return "", false
	}
	return before[:about[0].Start] + language.Spell(t.Text, thing) + before[about[len(about)-1].End:], true
}
