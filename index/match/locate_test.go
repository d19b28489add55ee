package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kist/index/analyze"
)

// What is shown begins where it would if a text were looked at as a whole: that it is looked at
// in pieces, and no longer than needed, makes no difference.
func TestLocateInPieces(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"keel", "Keels", "mast", "café", "sail", "boat", "of", "a", "plank", "—", "oak", "東京"}
	early := 0
	for round := range 300 {
		var b strings.Builder
		for b.Len() < 20<<10 {
			if rng.IntN(40) == 0 {
				b.WriteString(words[rng.IntN(6)])
			} else {
				b.WriteString(words[6+rng.IntN(6)])
			}
			b.WriteString([]string{" ", " ", " ", "\n", ". ", "\n\n"}[rng.IntN(6)])
		}
		text := []byte(b.String())
		m := Matcher{Analyzer: langs.Of(analyze.English), Terms: map[string]float64{"keel": 2, "mast": 1 + float64(round%3)}, Words: []string{"keel", "mast"}}
		if round%4 == 0 {
			m.Phrases = []Phrase{NewPhrase("sail boat")}
		}
		m.Prepare()
		want, best := m.bestLine(text, m.Find(text), len(text))
		got, ok := m.Locate(text, 0, len(text))
		if ok != (best > 0) || got != want {
			t.Fatalf("round %d: at %d, want %d", round, got, want)
		}
		if want < firstChunk {
			early++
		}
	}
	if early == 0 || early == 300 {
		t.Errorf("%d of 300 are found in the first piece: this proves nothing", early)
	}
}

// Of the terms that languages make of a word a text needn't have all to be shown at once.
func TestLocateStopsAtItsOwnWords(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	m := Matcher{Analyzer: langs.Of(analyze.English), Terms: map[string]float64{"motor": 2, "motors": 2, "moto": 2}}
	if m.everything() != 6 {
		t.Errorf("%v where the words aren't known", m.everything())
	}
	m.Words = []string{"motors", "motors"}
	if m.everything() != 2 {
		t.Errorf("%v for one word", m.everything())
	}
	m.Words = []string{"motors", "xyzzy"} // which is looked for under another spelling
	if m.everything() != 6 {
		t.Errorf("%v where a word has no term", m.everything())
	}
}
