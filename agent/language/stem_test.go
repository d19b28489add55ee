package language

import (
	"slices"
	"testing"
)

func TestExpand(t *testing.T) {
	for w, want := range map[string][]string{
		"i'm": {"i", "am"}, "won't": {"will", "not"}, "don't": {"do", "not"}, "they're": {"they", "are"}, "it's": {"it", "is"},
		"anna's": {"anna's"}, "o'clock": {"o'clock"}, "boat": {"boat"}, "": {""},
	} {
		if got := Expand(w); !slices.Equal(got, want) {
			t.Errorf("Expand(%q) = %q, want %q", w, got, want)
		}
	}
}

// Forms of a word have one stem.
func TestStem(t *testing.T) {
	for _, forms := range [][]string{
		{"budget", "budgets"}, {"story", "stories"}, {"plan", "plans", "planned", "planning"}, {"box", "boxes"}, {"bus"}, {"analysis"},
		{"anna", "anna's"}, {"paint", "painted", "painting", "paintings"}, {"house", "houses", "housing"},
	} {
		for _, f := range forms {
			if Stem(f) != Stem(forms[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q", f, Stem(f), forms[0], Stem(forms[0]))
			}
		}
	}
}
