package offline

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"kist/agent/language"
	"kist/agent/model"
)

// plainSame is same without a look at what words begin with.
func plainSame(a, b string) float64 {
	sa, sb := language.Stem(a), language.Stem(b)
	switch {
	case sa == sb || strings.ReplaceAll(a, "-", "") == strings.ReplaceAll(b, "-", ""):
		return 1
	case len(sa) >= 5 && len(sb) >= 5 && oneApart(sa, sb), len(a) >= 6 && len(b) >= 6 && oneApart(a, b):
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
		if got, want := same(a, b), plainSame(a, b); got != want {
			t.Fatalf("same(%q, %q) = %v, not %v", a, b, got, want)
		}
		list := rapid.StringMatching(`[ab|]{0,6}`).Draw(t, "list")
		w := rapid.StringMatching(`[ab]{0,2}`).Draw(t, "w")
		if got, want := language.In(list, w), slices.Contains(strings.Split(list, "|"), w); got != want {
			t.Fatalf("in(%q, %q) = %v", list, w, got)
		}
	})
}

// What is kept of a name is shared: who appends to it must not change it for others,
// and it can be read by several at once.
func TestNameWordsAreShared(t *testing.T) {
	p := model.Project{Name: "The Northern Houseboat of Anna"}
	want := strings.Join(nameWords(p), " ")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _ = append(nameWords(p), "more") })
	}
	all.Wait()
	if got := strings.Join(nameWords(p), " "); got != want || want != "northern houseboat anna" {
		t.Errorf("%q, then %q", want, got)
	}
	if got := nameWords(model.Project{Slug: "tax-return"}); strings.Join(got, " ") != "tax return" {
		t.Errorf("by its slug: %q", got)
	}
}
