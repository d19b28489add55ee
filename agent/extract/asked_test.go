package extract

import "testing"

// What only leads to a question is left out; what is asked of kist itself is none.
func TestAsked(t *testing.T) {
	for said, want := range map[string]string{
		"Could you tell me what I've got to do for the fair so far?": "what I've got to do for the fair so far",
		"ok so tell me where we are":                                 "where we are",
		"Summarise the decisions on the barn.":                       "the decisions on the barn",
		"What are we paying?":                                        "What are we paying",
		"Do you have weather where you are?":                         "",
		"Tell Anna that we are late":                                 "",
		"The barn is red.":                                           "",
	} {
		if got := Asked(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// What somebody wants done is said back without the asking.
func TestWished(t *testing.T) {
	for said, want := range map[string]string{
		"Would you order some balloons for me?": "order some balloons",
		"please send Ada a confirmation":        "send Ada a confirmation",
		"can u book my test for me":             "book my test",
		"what is the weather":                   "",
	} {
		if got := Wished(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// Things that are only named behind a question are what it is about.
func TestNamedBehind(t *testing.T) {
	for text, want := range map[string]bool{
		"What do we pay? Cot, car seat and mat": true, "What do we pay? We need a cot, and a mat": false, "We pay a lot. Cot, car seat, mat": false,
	} {
		all := Sentences(text)
		if got := NamedBehind(text, all[len(all)-1].Text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
