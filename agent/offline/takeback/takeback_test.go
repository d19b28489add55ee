package takeback

import (
	"testing"

	"kist/agent/language"
)

// What does away with a part of a note takes nothing back that kist did.
func TestOfPart(t *testing.T) {
	for said, want := range map[string]bool{
		"delete the last line of today's note":          true,
		"please remove the first paragraph in Shopping": true,
		"clear yesterday's note":                        true,
		"delete the last change":                        false,
		"delete the last task":                          false,
		"remove the last line":                          false,
	} {
		if got := OfPart(language.Tokenize(said)); got != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}
