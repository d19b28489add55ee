package passage

import (
	"slices"
	"strings"
	"testing"

	"kist/agent/language"
)

// A question for a sum is answered with the lines that name amounts, of what it names or all.
func TestAmounts(t *testing.T) {
	docs := []Document{{Path: "inbox.md", Lines: []string{
		"- 2026-11-02: The stage curtains are 840 from Bellweather Textiles.",
		"- 2026-11-03: Forty chairs come to 22 each from the auction.",
		"- 2026-11-05: We meet on the 12th in room 30.",
		"- 2026-11-13: bought paint, 112.40 euros",
	}}}
	for question, want := range map[string]string{
		"how much have we spent so far?":              "curtains|chairs|paint",
		"what do the curtains and chairs come to?":    "curtains|chairs",
		"total for paint?":                            "paint",
		"how much have we paid for the piano in all?": "",
	} {
		of, ok := ReadSum(language.Tokenize(question))
		var got []string
		for _, q := range (Question{Now: friday}).Amounts(of, docs) {
			for _, w := range []string{"curtains", "chairs", "room", "paint"} {
				if strings.Contains(q.Text, w) {
					got = append(got, w)
				}
			}
		}
		if s := strings.Join(got, "|"); !ok || s != want {
			t.Errorf("%s: %v %v, %q, want %q", question, of, ok, s, want)
		}
	}
	for _, other := range []string{"when is the total eclipse?", "what is due this week?", "how many chairs are left?"} {
		if of, ok := ReadSum(language.Tokenize(other)); ok || slices.Contains(of, "chairs") {
			t.Errorf("%s asks for a sum of %v", other, of)
		}
	}
}
