package match

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPhraseFind: the first place is found at which a phrase stands, whichever of its words is looked
// for.
func TestPhraseFind(t *testing.T) {
	found := 0
	word := rapid.SampledFrom([]string{"a", "ab", "aab", "b", "the", "keel", "東", "京都", "é", "e\u0301"})
	gap := rapid.SampledFrom([]string{" ", ", ", "", "-", "\n", "\u200d", " \u0301", "\xff", "— "})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "words") {
			b.WriteString(word.Draw(t, "word") + gap.Draw(t, "gap"))
		}
		text := []byte(b.String())
		p := NewPhrase(strings.Join(rapid.SliceOfN(word, 0, 3).Draw(t, "phrase"), " "))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		var want Span
		ok := false
		for start := from; start <= len(text) && !ok && len(p) > 0; start++ {
			if strings.HasPrefix(string(text[start:]), string(p[0])) && startsWord(text, start) {
				want.Start = start
				want.End, ok = p.match(text, start)
			}
		}
		if !ok {
			want = Span{}
		} else {
			found++
		}
		if got, is := p.Find(text, from); got != want || is != ok {
			t.Fatalf("%q in %q from %d: %v %v, want %v %v", p, text, from, got, is, want, ok)
		}
	})
	if found == 0 {
		t.Error("nothing was ever found: this proves nothing")
	}
}
