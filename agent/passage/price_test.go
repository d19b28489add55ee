package passage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrices(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-03: Forty chairs come to 22 each from the auction in Hull.":     "22 /each",
		"thirty of them at 22 each and I collect them on the 12th":               "22 /each",
		"the fan people want 4200 plus VAT and come on 18 January at 9:30":       "4200",
		"van hire 95/day, need 3 days":                                           "95 /day",
		"Lunch is 14 a head, ninety guests":                                      "14 /head",
		"Lunch is 14 a head from Tasker's":                                       "14 /head",
		"she begins on 1 March on 410 a month":                                   "410 /month",
		"the hall costs 720 euros instead of 650, heating is dearer":             "720 euros",
		"it's 1400 versus 3900":                                                  "1400",
		"it went up from 9,400 to 9,850":                                         "9850",
		"leads ordered, 40 from them, 96 quid, here thurs":                       "40, 96 pounds",
		"boiler goes in 9 jan, contact nev 07700 900 311":                        "",
		"door is 71cm, room 25, surveyed in 2018, 60 guests, at 5, 20% off, 3kg": "",
		"€450.50 for the lamp":                                                   "450.5 euros",
		"he wants another 350 for that":                                          "350",
		"budget 6k from the bursar":                                              "6000",
		"I paid Gordon 150 for the skip a week ago":                              "150",
		"I paid 150 a week ago":                                                  "150",
		"lessons on Tuesdays at 5, 35 pounds a go":                               "35 pounds /go",
		"the ridge is 6,950 after all since two battens are rotten":              "6950",
		"the shop wants 1,150 by Friday, twenty boxes":                           "1150",
		"water butt 45, two raised beds 60 each, gravel 8 bags at 7 each":        "45, 60 /each, 7 /each",
		"Build 2 is out, and 12 of us went":                                      "",
	} {
		var got []string
		for _, a := range Prices(text, friday) {
			s := strings.TrimSpace(fmt.Sprintf("%g %s", a.Value, a.Currency))
			if a.Per != "" {
				s += " /" + a.Per
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestPriceOf(t *testing.T) {
	for _, c := range []struct {
		text, thing string
		want        float64
	}{
		{"frosttech 2,150, sparky (dale, dj electrical) 840, van 120/day, need 2 days", "sparky", 840},
		{"frosttech 2,150, sparky (dale, dj electrical) 840, van 120/day, need 2 days", "frosttech", 2150},
		{"Denzil wants 9,850 for the roof and 1,200 for the gutters", "roof", 9850},
		{"Denzil wants 9,850 for the roof and 1,200 for the gutters", "gutters", 1200},
		{"The roofer wants 6,300 for the ridge", "ridge", 6300},
		{"Frames cost 45 and the smoker was 28", "frames", 45},
		{"the oven is between 800 and 1,100", "oven", 0},
		{"we'll take a wood burner because the pump can wait until the roof is paid for, and the stove's only 1,900", "roof", 0},
		{"we'll take a wood burner because the pump can wait until the roof is paid for, and the stove's only 1,900", "stove", 1900},
		{"Settled on a heat pump, because there's a grant of 7,500", "pump", 0},
		{"They want 11,700 for the heat pump, so 4,200 once the grant comes off", "pump", 11700},
		{"The fuse board has to be replaced and that's another 980 and he comes in May", "board", 980},
		{"Callum rang about the ridge, it's 6,950 now", "ridge", 6950},
		{"I have bought the paper for the invitations, which came to 38.50 euros.", "paper", 38.5},
		{"shed comes in march, bloke called terry is putting it up, 640 all in", "shed", 640},
		{"shed comes in march, bloke called terry is putting it up, 640 for the slabs", "shed", 0},
		{"I paid Gordon 150 for the skip on Tuesday", "Gordon", 150},
		{"he wants to spend 3,600 on sash windows", "windows", 3600},
	} {
		a, n := PriceOf(c.text, []string{c.thing}, friday)
		if n != 1 {
			a.Value = 0
		}
		if a.Value != c.want {
			t.Errorf("%s in %q: %v of %d", c.thing, c.text, a.Value, n)
		}
	}
}
