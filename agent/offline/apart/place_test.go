package apart

import (
	"testing"

	"kist/agent/language"
)

func TestPlace(t *testing.T) {
	for text, want := range map[string]string{
		"I need somewhere to keep track of the flat hunt":            "flat hunt",
		"we want a place to collect recipes, all of them":            "recipes",
		"I want somewhere to keep track of it all because I'm tired": "",
		"I need somewhere to put all this":                           "",
	} {
		of, ok := Place(language.Tokenize(text))
		if got := language.Spell(text, of); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
