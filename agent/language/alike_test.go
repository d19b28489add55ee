package language

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainAlike is Alike without a look at what words begin with.
func plainAlike(a, b string) float64 {
	sa, sb := Stem(a), Stem(b)
	switch {
	case sa == sb || strings.ReplaceAll(a, "-", "") == strings.ReplaceAll(b, "-", ""):
		return 1
	case len(sa) >= 5 && len(sb) >= 5 && OneApart(sa, sb), len(a) >= 6 && len(b) >= 6 && OneApart(a, b):
		return 0.9
	case len(sa) >= 3 && len(sb) >= 3 && sa[0] == sb[0] && squeeze(sa) == squeeze(sb):
		return 0.9
	case len(sa) >= 4 && len(sb) > len(sa)+2 && strings.HasSuffix(sb, sa), len(a) >= 4 && len(b) > len(a)+2 && strings.HasSuffix(b, a):
		return 0.8
	}
	return 0
}

// Words drawn from few letters and endings are often alike.
func TestShortWaysTellTheSame(t *testing.T) {
	word := rapid.StringMatching(`[abos1][abos]{0,5}(-?[abo]{1,3})?(s|ed|ing|ies|es|ings|xes)?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = a[:rapid.IntRange(0, len(a)-1).Draw(t, "cut")] + b
		}
		if got, want := Alike(a, b), plainAlike(a, b); got != want {
			t.Fatalf("Alike(%q, %q) = %v, not %v", a, b, got, want)
		}
		list := rapid.StringMatching(`[ab|]{0,6}`).Draw(t, "list")
		w := rapid.StringMatching(`[ab]{0,2}`).Draw(t, "w")
		if got, want := In(list, w), slices.Contains(strings.Split(list, "|"), w); got != want {
			t.Fatalf("in(%q, %q) = %v", list, w, got)
		}
	})
}

// Words of any length are compared with those of the calendar.
func TestSlipped(t *testing.T) {
	for _, tt := range []struct {
		w, right string
		want     bool
	}{{"tuesady", "tuesday", true}, {"tusday", "tuesday", true}, {"tuesdday", "tuesday", true}, {"thurstayss", "thursday", false}, {"thursdax", "thursdayxx", false}, {"january", "january", false}, {"thursdaynny", "thursday", false}} {
		if got := slipped(tt.w, tt.right); got != tt.want {
			t.Errorf("slipped(%q, %q) = %v", tt.w, tt.right, got)
		}
	}
}
