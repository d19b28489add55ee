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
	for text, want := range map[string]string{"learning to drive at 34": "Learning to drive", "renovating our houseboat": "Houseboat Renovation", "start in Lisbon as planned": "", "because it is all too much": "",
		"a talk about Obsidian Publish in March": "Talk about Obsidian Publish", "trip to the Isle of Skye": "Trip to the Isle of Skye", "a trip for us in May": "Trip", "build a shed for my sister": "Shed"} {
		if got := Short(text, language.Tokenize(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIntroduced(t *testing.T) {
	for text, want := range map[string]string{
		"start a project: trip to the Isle of Skye": "Trip to the Isle of Skye",
		"new project: iOS app for the Club":         "iOS app for the Club",
	} {
		if got := Introduced(text, language.Tokenize(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
