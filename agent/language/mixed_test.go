package language

import "testing"

// German times are read between English words too.
func TestFindDayOfMixedText(t *testing.T) {
	for text, want := range map[string]string{
		"send the Exposé to Lena nächsten Freitag":           "2026-11-27 send the Exposé to Lena",
		"hand in the Exposé bis nächsten Freitag":            "2026-11-27 hand in the Exposé",
		"meet the builder kommenden Mittwoch":                "2026-11-25 meet the builder",
		"print the posters übernächste Woche":                "2026-12-04 print the posters",
		"print the posters for the hall Ende nächster Woche": "2026-11-27 print the posters for the hall",
		"pay the rent for the room am 3. Dezember":           "2026-12-03 pay the rent for the room",
		"Exposé abgeben bis nächsten Freitag":                "2026-11-27 Exposé abgeben",
		"I am in the hall on the first":                      "2026-12-01 I am in the hall",
		"In January, Saturday the 9th, we move":              "2027-01-09 we move",
		"we move in March, on the 2nd":                       "2027-03-02 we move",
		"read the book about Woche and other magazines":      " read the book about Woche and other magazines",
	} {
		toks := Tokenize(text)
		got := " " + Spell(text, toks)
		if d, ok := FindDay(toks, saturday); ok {
			got = ISODay(d.Day) + " " + Spell(text, Cut(toks, d.Start, d.End))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
