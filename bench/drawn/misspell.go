package drawn

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"unicode"
)

const (
	// misspeltShare of the words of a query get a wrong letter, if they are long enough.
	misspeltShare = 0.3
	misspeltFrom  = 4 // letters
)

// Misspell makes an error in three of ten words of a query: a letter that is wrong, missing or
// too much, or two that changed places, but for the first. A query always gets the same ones.
func Misspell(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	r := rand.New(rand.NewPCG(h.Sum64(), 9))
	words := strings.Fields(text)
	for i, w := range words {
		letters := []rune(w)
		if len(letters) < misspeltFrom || strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) }) || r.Float64() >= misspeltShare {
			continue
		}
		at, other := 1+r.IntN(len(letters)-1), 'a'+rune(r.IntN(26))
		switch r.IntN(4) {
		case 0:
			letters[at] = other
		case 1:
			letters = append(letters[:at], letters[at+1:]...)
		case 2:
			letters = append(letters[:at], append([]rune{other}, letters[at:]...)...)
		default:
			at = min(at, len(letters)-2)
			letters[at], letters[at+1] = letters[at+1], letters[at]
		}
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}
