package naming

import (
	"testing"

	"kist/agent/language"
)

// What a clause calls something, without what is said of it.
func TestCalled(t *testing.T) {
	for text, want := range map[string]string{
		"it's called the Bluebell 10k, for our ward":       "Bluebell 10k",
		"a novel called The Salt House, set in Devon":      "The Salt House",
		"let's call it Pine and Oak":                       "Pine and Oak",
		"we're calling it Harvest because it's in October": "Harvest",
		"we call the plumber by Friday":                    "",
	} {
		if got := Called(text, language.Tokenize(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{"learning to drive at 34": "Learning to drive", "renovating our houseboat": "Houseboat Renovation", "start in Lisbon as planned": "", "because it is all too much": ""} {
		if got := Short(text, language.Tokenize(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
