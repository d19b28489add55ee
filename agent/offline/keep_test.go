package offline

import (
	"strings"
	"testing"

	"kist/agent/offline/offlinetest"
)

// What was decided is recorded in the user's own words: what the decision hangs on
// stays with it.
func TestDecisionsKeepTheirWords(t *testing.T) {
	for said, want := range map[string]string{
		"We decided on the harbour":                             "Decided on the harbour",
		"We have settled on the blue one, because it lasts":     "Settled on the blue one, because it lasts",
		"We decided to use teak":                                "Use teak",
		"we decided that the hull stays blue":                   "The hull stays blue",
		"We decided against the harbour":                        "Decided against the harbour",
		"We've decided for Friday":                              "Decided for Friday",
		"Let's go with teak":                                    "Go with teak",
		"We went with the second quote":                         "Went with the second quote",
		"decision: on hold until spring":                        "On hold until spring",
		"we chose teak over oak":                                "Chose teak over oak",
		"Decision: walls stay white, ceilings too":              "Walls stay white, ceilings too",
		"It was decided to move out in May":                     "Move out in May",
		"I decided no oven, it is too dear":                     "No oven, it is too dear",
		"We opted for the larger room":                          "Opted for the larger room",
		"we decided not to paint the deck":                      "Decided not to paint the deck",
		"We decided between the two quotes: the first one wins": "We decided between the two quotes: the first one wins",
	} {
		_, calls := once(t, offlinetest.Situation("houseboat-renovation"), said)
		if len(calls) != 1 || calls[0].Name != "add_decision" {
			t.Errorf("%q: %v", said, calls)
			continue
		}
		if text := string(calls[0].Arguments); !strings.Contains(text, `"text":"`+want+`"`) {
			t.Errorf("%q: %s, want %q", said, text, want)
		}
	}
}
