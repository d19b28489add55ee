package effort

import "testing"

func TestHours(t *testing.T) {
	tests := map[string]float64{
		"3h": 3, "90 min": 1.5, "1.5 days": 12, "2h 30m": 2.5, "2-3 weeks": 120, "PT4H": 4, "P1D": 8, "1 week": 40,
		"30": 0.5, "2": 2, "~2h": 2, "1 day and 2 hours": 10, "1,5h": 1.5,
		"": 0, "-3h": 0, "soon": 0, "0h": 0, "3 parsecs": 0, "P": 0, "99999999 weeks": 0, "h": 0,
	}
	for text, want := range tests {
		got, ok := Hours(text)
		if !ok {
			got = 0
		}
		if got != want {
			t.Errorf("%q: %g hours, want %g", text, got, want)
		}
	}
	for text, want := range map[string]float64{
		"I have 8 hours a week.": 8, "5-6 h per week": 5.5, "10h/week": 10, "(12 hrs each week)": 12,
		"8 hours a day": 0, "week 8": 0, "900 hours a week": 0, "18 hours weekday": 0,
	} {
		if least, most := Weekly(text); (least+most)/2 != want {
			t.Errorf("%q: %g to %g hours a week, want %g", text, least, most, want)
		}
	}
}
