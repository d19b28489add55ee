package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		"and for what reason was it moved":           "and for what reason was it moved",
		"on which day is it, and for what reason":    "on which day is it, and for what reason",
	} {
		toks := language.Tokenize(said)
		got := Asked(toks)
		if s := language.Spell(said, language.TrimMarks(got)); s != want && s != want+"?" {
			t.Errorf("%q: %q", said, s)
		}
	}
}

func TestHalves(t *testing.T) {
	for said, want := range map[string][]string{
		"who's Marta again and when can I ring her":                        {"who's Marta again", "when can I ring her"},
		"on which day does the fair take place, and for what reason":       {"on which day does the fair take place", "for what reason"},
		"who fits the stove + what's his number":                           {"who fits the stove", "what's his number"},
		"when and where was Johannes born":                                 {"when and where was Johannes born"},
		"how much are the chairs and the lamps":                            {"how much are the chairs and the lamps"},
		"the chairs came, who brought them":                                {"the chairs came, who brought them"},
		"who paid for the stove, when was that, and what did it cost":      {"who paid for the stove", "when was that", "what did it cost"},
		"when does the stove come and who fits the stove and what's it to": {"when does the stove come", "who fits the stove", "what's it to"},
	} {
		var got []string
		for _, half := range Halves(language.Tokenize(said)) {
			got = append(got, language.Spell(said, half))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", said, diff)
		}
	}
}

// TestAnyQuestion asks every short row of words that questions are made of: each is read, and
// looked up, whatever its order.
func TestAnyQuestion(t *testing.T) {
	words := strings.Fields("on for and which what when , ask me it reason 3 euros before ?")
	doc := Document{Path: "a.md", From: 1, Lines: []string{"- 2026-11-10: The reason is rain, it costs 3 euros. it moved.", "", "ask: on", "."}}
	var row func(said string, n int)
	row = func(said string, n int) {
		toks := language.Tokenize(said)
		got := Asked(toks)
		if len(got) > len(toks) {
			t.Errorf("%q: more than was said", said)
		}
		Ask(said, got, friday).Answer([]Document{doc})
		if n > 0 {
			for _, w := range words {
				row(said+" "+w, n-1)
			}
		}
	}
	row("", 3)
}
