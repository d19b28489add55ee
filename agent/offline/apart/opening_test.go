package apart

import (
	"testing"

	"kist/agent/language"
)

func TestOpens(t *testing.T) {
	for text, want := range map[string]string{
		"other thing totally separate. my car. it fails on everything":            "my car | my car. it fails on everything",
		"Second project: Greenhouse. Glass comes on Monday":                       "Greenhouse | Greenhouse. Glass comes on Monday",
		"ok so the other thing I'm doing is the parish fair":                      "the parish fair | the parish fair",
		"Other project: I learn for the exam":                                     " | I learn for the exam",
		"unrelated: training. 40 km on Sunday":                                    "training | training. 40 km on Sunday",
		"On an entirely different matter, choir.":                                 "choir | choir.",
		"another thing: the oven costs 900":                                       "",
		"one other thing, the oven costs 900":                                     "",
		"right different thing altogether my sister's christening it's on Sunday": "my sister's christening | my sister's christening it's on Sunday",
		"Different matter entirely: the church wants 40 loaves in December":       "",
		"a completely different subject. I learn for the exam":                    "",
		"different thing: the vet wants 60 for the jab":                           "",
		"the other project is late":                                               "",
		"the second project is going well":                                        "",
		"the other day we met":                                                    "",
		"a separate room would be nice":                                           "",
		"second project":                                                          "",
		"":                                                                        "",
	} {
		got := ""
		if o, ok := Opens(language.Tokenize(text)); ok {
			got = language.Spell(text, o.Thing) + " | " + text[o.Rest[0].Start:]
		}
		if got != want {
			t.Errorf("%q opens %q, want %q", text, got, want)
		}
	}
}
