package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/pl"
)

// Polish is analysed as bleve does it: words of a text, and made ones with any endings.
func TestPolish(t *testing.T) {
	ours, theirs := both(t, pl.AnalyzerName)
	words := strings.Fields(string(polishStops) + ` Książka książki książkami Warszawie najpiękniejszych dziewczynka
		przeczytawszy robiłybyśmy kotów psem źdźbło x ż 1984 naïve 🐈 o'neill Łódź ŁODZIĄ chrząszczami konstantynopolitańczykowianeczka`)
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aąbcćdeęfghijklłmnńoóprsśtuwyzźż")
	tries := polishTries()
	for range 20000 { // endings that the table knows, from its last letter on
		trie := tries[r.IntN(2)]
		var word []rune
		for at := trie.root; at >= 0 && len(trie.rows[at]) > 0 && len(word) < 12; {
			s := trie.rows[at][r.IntN(len(trie.rows[at]))]
			word, at = append([]rune{s.letter}, word...), s.next
		}
		for range r.IntN(4) {
			word = append([]rune{letters[r.IntN(len(letters))]}, word...)
		}
		words = append(words, string(word))
	}
	cut := 0
	for _, w := range words {
		got, want := terms(ours, w), terms(theirs, w)
		if got != want {
			t.Errorf("%s: %q, of bleve %q", w, got, want)
		}
		if got != w {
			cut++
		}
	}
	if cut < len(words)/2 {
		t.Errorf("of %d words %d were cut", len(words), cut)
	}
}

func BenchmarkPolish(b *testing.B) {
	text := []byte(strings.Repeat("Książkami najpiękniejszych dziewczynek przeczytawszy w Warszawie chrząszczami ", 20))
	ours, theirs := both(b, pl.AnalyzerName)
	for name, a := range map[string]analysis.Analyzer{"ours": ours, "bleve": theirs} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				a.Analyze(text)
			}
		})
	}
}
