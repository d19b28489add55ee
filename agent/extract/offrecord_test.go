package extract_test

import (
	"testing"

	"kist/agent/extract"
)

func TestOffRecord(t *testing.T) {
	for text, want := range map[string]bool{
		"Don't write this one down, but I'm worn out and wish somebody else did the choir":                                        true,
		"please don't note that anywhere: Bo is looking for another job":                                                          true,
		"Off the record, the caterer is too expensive for what she does":                                                          true,
		"This is not for the notes - I think Ann will leave by March":                                                             true,
		"between you and me, the roof won't last another winter":                                                                  true,
		"Please don't write that he is leaving, only that he works till May":                                                      true,
		"never note anything about the lump":                                                                                      true,
		"don't write that down":                                                                                                   false,
		"don't note that on the list":                                                                                             false,
		"My cousin rang from Oslo. She wants me to come and I said we'll see. Don't make anything out of that, I'm only talking.": true,
		"Bo is ill. Don't make anything out of plywood":                                                                           false,
		"Don't put it down on the wet floor":                                                                                      false,
		"don't record the tank on Monday":                                                                                         false,
		"Between the two sheds, there is a drain":                                                                                 false,
		"don't note it, please":                                                                                                   false,
		"note this down, but not the price: Ann has 400.":                                                                         false,
	} {
		if got := extract.OffRecord(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestUnnoted(t *testing.T) {
	for text, want := range map[string]bool{
		"don't write that down":                      true,
		"please don't note it anywhere, thanks":      true,
		"that's off the record":                      true,
		"Don't write this down, but Ann is leaving.": false,
		"don't put it down on the wet floor":         false,
		"don't do that":                              false,
	} {
		if got := extract.Unnoted(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
