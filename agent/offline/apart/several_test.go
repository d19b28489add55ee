package apart

import (
	"strings"
	"testing"

	"kist/agent/language"
)

func TestSeveral(t *testing.T) {
	for text, want := range map[string]string{
		`I'd like to set up two projects: "Allotment" and "Old Boat". I'll start with the boat.`: "Allotment; Old Boat | I'll start with the boat.",
		"Two projects: Allotment and Boat":                                            "Allotment; Boat | ",
		"new projects: garden, boat and tax":                                          "garden; boat; tax | ",
		"hi, I've got two things on my plate. the year 4 play and my bathroom":        "year 4 play; bathroom | ",
		"3 things going on. 1 is moving in w Jo n Al, 2 is my exam, 3 is the stall":   "moving in w Jo n Al; exam; stall | ",
		"I'm juggling three things: 1) the fair 2) my exam 3) the stall. First, fair": "fair; exam; stall | First, fair",
		"I should like to keep notes on three separate matters: the Oslo loan, the search for an assistant, and the boiler at home. In that order.": "Oslo loan; search for an assistant; boiler at home | In that order.",
		"two things: milk and eggs":                                     "",
		"two things to do: call Ann and book the hall":                  "",
		"I have three things on my mind, and none is clear":             "",
		"two projects are late, the boat and the shed":                  "",
		"three projects: Allotment and Boat":                            "",
		"two things on my plate: call Ann and book the hall":            "",
		"which projects are there, and what is open in the first of it": "",
		"": "",
	} {
		got := ""
		toks := language.Tokenize(text)
		if things, rest, ok := Several(toks); ok {
			var names []string
			for _, thing := range things {
				names = append(names, language.Spell(text, thing))
			}
			behind := ""
			if len(rest) > 0 {
				behind = text[rest[0].Start:]
			}
			got = strings.Join(names, "; ") + " | " + behind
		}
		if got != want {
			t.Errorf("%q counts up %q, want %q", text, got, want)
		}
	}
}
