package passage

import (
	"testing"

	"kist/agent/language"
)

func TestAsked(t *testing.T) {
	for said, want := range map[string]string{
		"I'm at the timber yard, how high did we want the ridge?":                                  "how high did we want the ridge",
		"the accompanist is anxious about the baritone, by which date did we say he must be found": "the accompanist is anxious about the baritone, by which date did we say he must be found", // he is named before
		"would you remind me what her complaint was":                                               "what her complaint was",
		"somebody asked me what Daniel would want for singing, and I forgot, what was it":          "what Daniel would want for singing, and I forgot, what was it",
		"how much is the deposit":                    "how much is the deposit",
		"what did we say about the roof, was it tin": "what did we say about the roof, was it tin",
		"the roof leaks where it did before":         "the roof leaks where it did before",
		"":                                           "",
	} {
		toks := language.Tokenize(said)
		got := Asked(toks)
		if s := language.Spell(said, language.TrimMarks(got)); s != want && s != want+"?" {
			t.Errorf("%q: %q", said, s)
		}
	}
}
