package extract

import "testing"

func TestOfOpinion(t *testing.T) {
	for said, want := range map[string]bool{
		"Do you think they would mind plain rooms?": true,
		"Is it safe to give her those?":             true,
		"Do you like dogs?":                         true,
		"What do you reckon?":                       true,
		"Will our visa be granted?":                 true,
		"Would you believe he sent us a cheque?":    false,
		"Do you know who does the lamps?":           false,
		"Is it on Friday?":                          false,
		"Will it be on Friday?":                     false,
	} {
		if got := OfOpinion(said); got != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}
