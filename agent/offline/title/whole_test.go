package title

import "testing"

// A title that says too little alone is as it was said; one that says enough stays.
func TestWhole(t *testing.T) {
	for _, c := range []struct{ title, said, want string }{
		{"Ask the smith", "the gate wants a new latch, ask the smith?", "The gate wants a new latch, ask the smith"},
		{"Ask Dad", "Somebody has to feed the goats at noon. Ask Dad", "Somebody has to feed the goats at noon: ask Dad"},
		{"Check Monday", "the second coop is next, check monday", "The second coop is next, check monday"},
		{"Get those together", "passport, visa and two photos. I need to get those together", "Passport, visa and two photos: get those together"},
		{"Ask the smith about the latch", "the gate is off, ask the smith about the latch", "Ask the smith about the latch"},
		{"Bring her slippers", "Mum is in hospital, I must bring her slippers", "Bring her slippers"},
		{"Buy nails", "the gate is off, I need to buy nails", "Buy nails"},
		{"Ring her", "remind me to ring her on Monday", "Ring her"},
		{"Ask Dad", "I must ask dad by Friday", "Ask Dad"},
	} {
		if got := Whole(c.title, c.said); got != c.want {
			t.Errorf("%q of %q: %q", c.title, c.said, got)
		}
	}
	if !Half("Or the price goes up") || Half("Order the latch") {
		t.Error("what is half a sentence")
	}
}
