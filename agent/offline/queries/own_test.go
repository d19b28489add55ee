package queries

import (
	"testing"

	"kist/agent/language"
)

func TestOfOthers(t *testing.T) {
	for said, want := range map[string]bool{
		"how do I embed a file?":                true,
		"ok, how do we prune the roses":         true,
		"how to sharpen a chisel":               true,
		"how do I reach the surveyor?":          true,
		"wie pflanze ich Tomaten?":              true,
		"how do I add a task?":                  false,
		"how would I get a list of my projects": false,
		"how do I mark something as finished":   false,
		"how do I make you forget something":    false,
		"how does this work?":                   false,
		"what can you do?":                      false,
		"wie lösche ich eine Aufgabe?":          false,
		"what can you do about the roses?":      false,
		"how do I change the date of a task":    false,
		"how do I tell you to finish a task":    false,
		"how i make a task done":                false,
	} {
		if got := OfOthers(language.Tokenize(said)); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
