package recall

import "testing"

func TestBelongs(t *testing.T) {
	found := []Writing{
		{"practice", "- 2026-11-22: I also need to call the electrician, Mrs Keller, about the sockets in the treatment rooms."},
		{"practice", "He looked at the old oven room. The floor is uneven, so levelling it would cost about 2400 euros. Herr Osman can start on January 11th."},
		{"handball", "Find two referees and somebody for the cake stall, Lisa's mum Petra"},
		{"van", "Order insulation, armaflex, 310, by Friday"},
	}
	for text, want := range map[string]string{
		"I called Mrs Keller this morning, she'll put in the six sockets for 740 euros": "practice",
		"Good news, Mrs Keller is back":                     "practice",
		"insulation also done, 324 instead of 310":          "van",
		"the insulation came":                               "", // one word alone says little
		"Petra wants to see the sockets before she decides": "", // words of both
		"Osman comes a day later":                           "practice",
		"Sockets are dear":                                  "",
		"we start on Friday":                                "",
		"Lisa has a cold":                                   "",
		"a cake for the oven":                               "",
		"":                                                  "",
	} {
		got, ok := Belongs(text, found, "handball")
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q belongs to %q, want %q", text, got, want)
		}
	}
}

// What stands in three projects tells nothing, also where none is at hand.
func TestBelongsToNoneOfSeveral(t *testing.T) {
	var found []Writing
	for _, p := range []string{"van", "hall", "choir"} {
		found = append(found, Writing{p, "Mrs Keller brings the sockets"})
	}
	for _, here := range []string{"", "hall", "elsewhere"} {
		if got, ok := Belongs("we met Mrs Keller with the sockets", found, here); ok {
			t.Errorf("told in %q: belongs to %q", here, got)
		}
	}
}
