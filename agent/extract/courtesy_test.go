package extract_test

import (
	"testing"

	"kist/agent/extract"
)

// Thanks, goodbyes and kind words leave nothing to keep; with one word more they may.
func TestCourteous(t *testing.T) {
	for text, want := range map[string]bool{
		"ta. thats it for 2day":                               true,
		"Goodbye for now.":                                    true,
		"Right, I'm off to bed, night night!":                 true,
		"Thank you ever so much, you're a star!":              true,
		"cheers mate, thats all from me for today":            true,
		"That is very helpful of you. Have a lovely weekend.": true,
		"no worries, see you tomorrow":                        true,
		"I appreciate your help":                              true,
		"np":                                                  true,

		"see you tomorrow at the bank":            false,
		"see you tomorrow at 5":                   false,
		"that's all the tiles we have":            false,
		"I'm off to bed, Karl brings the keys":    false,
		"have a nice day off tomorrow":            false,
		"thanks to Bo the roof is on":             false,
		"I have to go to the bank":                false,
		"good night at the inn costs 80":          false,
		"that's it for the kitchen":               false,
		"I will be away today":                    false,
		"never mind the tiles":                    false,
		"thank you, and what is left?":            false,
		"we are done for today with the painting": false,
	} {
		if got := extract.Courteous(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
