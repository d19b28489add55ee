package passage

import "testing"

func TestTellsWho(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-11-27: Ilse is doing the lamps, Greta Voll is handling the till.": true,
		"I met a young man called Piet Haak, who does the sound.":               true,
		"the warden there, Mrs Olsen, said yes":                                 true,
		"The director is Runa":                                                  true,
		"bert does the hull":                                                    true,
		"The Blue Anchor has a lovely back room and there's three steps":        false,
		"I never was any good at sums, Greta did mine":                          false,
		"I said no thank you":                                                   false,
		"Bed is 499 at the shop on Kay Street":                                  false,
		"Ok he's seen it and he's fine":                                         false,
		"I went to Mehler's!":                                                   false,
		"We thought 20 a head, but I'm a little worried about Greta":            false,
	} {
		if got := TellsWho(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
