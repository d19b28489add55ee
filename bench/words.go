package bench

import (
	"math/rand/v2"
	"strings"
)

// vocabularySize is the number of words that a corpus has besides stop words.
const vocabularySize = 30_000

// stopWords are the most frequent words of English, first ones first: an analyzer
// drops them, so a text without any would be too cheap to read and too dear to index.
var stopWords = strings.Fields(`the of and to a in is it that for on with as was are be this by at from or an
	not but have which they you we will can has had their if there would been when who more no out so what up
	about into than then some could them only other its also two may these after new first any`)

// vocabulary makes words of syllables, each once. Those at the front, which are
// used most, are the shorter ones, as in a language.
func vocabulary(r *rand.Rand) []string {
	const consonants, vowels, ends = "bcdfghklmnprstvz", "aeiou", "nrslmtdk"
	seen := map[string]bool{}
	for _, s := range stopWords {
		seen[s] = true
	}
	words := make([]string, 0, vocabularySize)
	for len(words) < vocabularySize {
		syllables := 2
		if len(words) > 1000 {
			syllables += r.IntN(3)
		}
		var b strings.Builder
		for range syllables {
			b.WriteByte(consonants[r.IntN(len(consonants))])
			b.WriteByte(vowels[r.IntN(len(vowels))])
			if r.IntN(3) == 0 {
				b.WriteByte(ends[r.IntN(len(ends))])
			}
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}
