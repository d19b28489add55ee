package passage

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent/language"
)

func TestReadSum(t *testing.T) {
	for said, want := range map[string]string{
		"how much is everything so far the fan the range the fuse board and the chairs all together": "fan, range, fuse board, chairs",
		"how much is everything so far, the ridge, the curtains and the chairs all together?":        "ridge, curtains, chairs",
		"whats the total of the ridge and the curtains, how much of the 18,000 is left":              "ridge, curtains of 18000 left",
		"what would that leave us of the 18k with the ridge and the new curtains":                    "ridge, curtains of 18000 left",
		"what's left of the money after the roof and the stove?":                                     "roof, stove left",
		"whats the total of the quotes, how much of the 6k is left":                                  " of 6000 left",
		"how much have I spent so far":                                                               " spent",
		"what do the paint and the curtains cost together":                                           "paint, curtains",
		"total of the deposit for the hall and the band?":                                            "deposit for the hall, band",
		"shed + greenhouse + fees, what's that in total?":                                            "shed, greenhouse, fees",
		"what's the shed, the butt and the compost altogether":                                       "shed, butt, compost",
		"what have Anna and Bert done so far":                                                        "none",
		"how many chairs and tables are there together":                                              "none",
		"how much is the roof":                  "none",
		"when do Anna and Bob come to the hall": "none",
	} {
		got := "none"
		if s, ok := ReadSum(said, language.Tokenize(said)); ok {
			var names []string
			for _, each := range s.Things {
				names = append(names, each.Name)
			}
			got = strings.Join(names, ", ")
			if s.Of > 0 {
				got += fmt.Sprintf(" of %g", s.Of)
			}
			if s.Left {
				got += " left"
			}
			if s.Spent {
				got += " spent"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
