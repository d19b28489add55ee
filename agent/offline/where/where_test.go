package where

import (
	"strings"
	"testing"

	"kist/agent/language"
)

func TestRead(t *testing.T) {
	for said, want := range map[string]string{
		"what is open tagged #garden?":                     "what is open | tagged #garden",
		"what is due with the tag garden this week":        "what is due this week | tagged #garden",
		"which tasks in Projects/Boat are due this week?":  "which tasks are due this week | in Projects/Boat",
		"notes tagged recipe":                              "notes | tagged #recipe",
		"notes tagged with the tag \"home/kitchen\"":       "notes | tagged #home/kitchen",
		"show #garden and #home/shed tasks":                "show tasks | tagged #garden and #home/shed",
		"what is left in the folder Recipes":               "what is left | in Recipes",
		"which notes are in \"Old things/Boat\"?":          "which notes are | in Old things/Boat",
		"high priority tasks in the Daily folder":          "high priority tasks | in Daily",
		"what is in the folder":                            "what is in the folder |",
		"what's open under notes/weekly.md?":               "what is open | in notes/weekly.md",
		"what is open in Daily/":                           "what is open | in Daily",
		"which tasks are in the boat project":              "which tasks are in the boat project |",
		"what did issue #5 say":                            "what did issue 5 say |",
		"what is due in 11/2026":                           "what is due in 11/2026 |",
		"is the note in https://example.org/a about bread": "is the note in https://example.org/a about bread |",
		"how do tags work":                                 "how do tags work |",
	} {
		p, toks := Read(said, language.Tokenize(said))
		var words []string
		for _, tok := range toks {
			if tok.Word {
				words = append(words, tok.Norm)
			}
		}
		got := strings.TrimSpace(strings.Join(words, " ") + " | " + strings.Join(p.Said(), " "))
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
