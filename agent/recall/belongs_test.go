package recall

import "testing"

func TestWeigh(t *testing.T) {
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
		got := ""
		if weights := Weigh(text, found); len(weights) == 1 && weights["handball"] == 0 {
			for p, n := range weights {
				if n >= Belonging {
					got = p
				}
			}
		}
		if got != want {
			t.Errorf("%q belongs to %q, want %q", text, got, want)
		}
	}
}

// What stands in three projects tells nothing, also where none is at hand.
func TestWeighsNothingOfSeveral(t *testing.T) {
	var found []Writing
	for _, p := range []string{"van", "hall", "choir"} {
		found = append(found, Writing{p, "Mrs Keller brings the sockets"})
	}
	if got := Weigh("we met Mrs Keller with the sockets", found); len(got) > 0 {
		t.Errorf("belongs to %v", got)
	}
}

func TestLeads(t *testing.T) {
	told := []Writing{
		{"band", "the studio in Salford is 220 a day, Finn records us"},
		{"car", "the garage says 540 for the exhaust and the spring"},
		{"-", "the vet wants 60 for the jab"},
	}
	for text, want := range map[string]string{
		"how much is the studio in all":          "band",
		"Des did the spring, 65":                 "car", // that at hand as well
		"the jab went fine":                      "-",
		"Finn heard it in the garage":            "car", // a name in front isn't known as one
		"we need to pay 60 on Friday":            "",    // said of anything
		"what's left to do":                      "",
		"the studio is by the garage":            "car", // as much of both: it stays
		"the studio in Salford is by the garage": "band",
		"Assets: a cottage, a dinghy, the boat shed, two savings books and a studio flat": "", // one word of many
	} {
		if got := Leads(text, "car", told); got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
}
