package rank

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/blevesearch/vellum/levenshtein"
	"pgregory.net/rapid"
)

// accepts feeds a text to the automaton.
func (n *neighbours) accepts(text string) bool {
	state := n.Start()
	for _, b := range []byte(text) {
		if state = n.Accept(state, b); !n.CanMatch(state) {
			return false
		}
	}
	return n.IsMatch(state)
}

// TestNeighbours: the automaton of several spellings accepts what one of theirs does,
// if the first letter is the word's.
func TestNeighbours(t *testing.T) {
	builder, err := levenshtein.NewLevenshteinAutomatonBuilder(1, true)
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[abé]{4,7}`)
		word := rapid.StringMatching(`[abé]{5,7}`).Draw(t, "word")
		terms := rapid.SliceOfN(text, 0, maxSpellings-1).Draw(t, "terms")
		n, err := newNeighbours(word, terms, 5)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := utf8.DecodeRuneInString(word)
		for _, s := range rapid.SliceOfN(text, 1, 20).Draw(t, "tried") {
			want := false
			for _, spelling := range append(terms, word) {
				a, err := builder.BuildDfa(spelling, 1)
				if err != nil {
					t.Fatal(err)
				}
				ok, _ := a.MatchAndDistance(s)
				want = want || ok && utf8.RuneCountInString(spelling) >= 5 && strings.HasPrefix(s, string(first))
			}
			if got := n.accepts(s); got != want {
				t.Fatalf("word %q terms %q: accepts %q: %v, want %v", word, terms, s, got, want)
			}
			if want {
				accepted++
			}
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted: this proves nothing")
	}
}

func BenchmarkNeighbours(b *testing.B) {
	for b.Loop() {
		if _, err := newNeighbours("conversaton", []string{"conversaton", "conversat"}, 5); err != nil {
			b.Fatal(err)
		}
	}
}
