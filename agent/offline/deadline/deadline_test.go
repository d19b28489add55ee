package deadline

import (
	"testing"
	"time"

	"kist/agent/language"
)

func TestRead(t *testing.T) {
	now := time.Date(2026, time.November, 24, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"the permit needs doing tomorrow, the quotes by next Friday": "the permit||2026-11-25; the quotes||2026-12-04; ",
		"the cups have to be engraved by fri":                        "the cups|engraved|2026-11-27; ",
		"flyers thursday, posters friday":                            "flyers||2026-11-26; posters||2026-11-27; ",
		"the flyers and the posters by Friday":                       "the flyers and the posters||2026-11-27; ",
		"the deposit is due on 3 December":                           "the deposit||2026-12-03; ",
		"the plumber can do it on the 3rd":                           "",
		"the surveyor is coming on Monday":                           "",
		"the launch moved to 3 March":                                "",
		"she has a meeting on Monday":                                "",
		"the quotes by Friday, and the dog is ill":                   "",
		"the hall is for Thursday":                                   "the hall||2026-11-26; ",
		"order the cups by monday":                                   "the cups|order|2026-11-30; ",
		"the quotes":                                                 "",
	} {
		got := ""
		for _, thing := range Read(text, language.Tokenize(text), now) {
			got += thing.Name + "|" + thing.Does + "|" + thing.Day + "; "
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAgainst(t *testing.T) {
	now := time.Date(2026, time.November, 24, 10, 0, 0, 0, time.UTC)
	const said = "the surveyor comes to the house on 8 December at ten"
	for text, want := range map[string]string{
		"remind me the day before to print the plans":            "2026-12-07",
		"remind me the evening before the survey to tidy up":     "",
		"remind me two days before the house survey to tidy up":  "",
		"remind me a week before the surveyor comes to ring him": "2026-12-01",
		"pack the car the day after":                             "2026-12-09",
		"call Bo the day before yesterday":                       "",
		"pay within the week after":                              "",
		"remind me three weeks before to ask":                    "",
	} {
		got := ""
		if gap, ok := Against(language.Tokenize(text)); ok {
			got, _ = gap.Day(said, now)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
