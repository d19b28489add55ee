package prose

import "testing"

func TestQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Fine.": "", "Fine.\nWhich one?": "Which one?", "Which one?\n\n(Nothing was changed in this turn.)": "Which one?",
		"Which (of two)?": "Which (of two)?", "Which one?\n(a)\n(b)": "Which one?", "Which one? (or two)": "", "(Which?)": "", ")": "",
	} {
		if got := Question(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
