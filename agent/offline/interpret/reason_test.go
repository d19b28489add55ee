package interpret

import (
	"testing"

	"kist/agent/offline/offlinetest"
)

// A decision has all of its reason.
func TestReasonsAreWhole(t *testing.T) {
	for said, want := range map[string]string{
		"I've decided to skip the fair because the stall costs 90 euros and nobody buys anything there anyway": "Skip the fair because the stall costs 90 euros and nobody buys anything there anyway",
		"we agreed to keep the old hives because new ones are dear and I can mend the roof myself":             "Keep the old hives because new ones are dear and I can mend the roof myself",
		"decided: no second bus. it costs 900 + nobody wants to drive":                                         "No second bus. it costs 900 + nobody wants to drive",
		"decided: teak for the deck. Need to order the planks by Friday.":                                      "Teak for the deck",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		if got := r.Read(said)[0].Text; got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
