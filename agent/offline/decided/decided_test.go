package decided

import (
	"testing"

	"kist/agent/language"
)

func TestSays(t *testing.T) {
	for text, want := range map[string]bool{
		"we decided on teak for the deck":                    true,
		"the partners agreed that we open in September":      true,
		"the grey one, agreed":                               true,
		"going w/ stripe not paypal":                         true,
		"ok staying on the old server":                       true,
		"right, pine it is then":                             true,
		"Well, we had the vote, and the harbour wins":        true,
		"we'll rent the machine instead of buying it":        true,
		"we're not doing the chimney this year":              true,
		"decision: chapters stay short":                      true,
		"no phones on the trip, that's final":                true,
		"I've made up my mind: no hay loft":                  true,
		"wir nehmen das Haus in der Gartenstraße":            true,
		"her husband is coming after all":                    false,
		"its 75/h not 70, agreed in oct":                     false,
		"4p/msg, no monthly fee":                             false,
		"fast, no plugins":                                   false,
		"we sang in Bruges and the lights went out":          false,
		"Stefan likes sheep's wool, I don't trust it, moths": false,
		"maybe we'll take the bus":                           false,
		"Katrin thinks we should take pine":                  false,
		"we'll need a piano":                                 false,
		"have you decided":                                   true, // that it asks, its mark and form say
		"nobody decided that":                                false,
	} {
		if got := Says(language.Tokenize(text)); got != want {
			t.Errorf("Says(%q) = %v", text, got)
		}
	}
}
