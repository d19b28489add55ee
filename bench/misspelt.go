package bench

import (
	"context"
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

// misspelt makes an error in three of ten words of a query: a letter that is wrong, missing or
// too much, or two that changed places, but for the first. A query always gets the same ones.
func misspelt(text string) string {
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

// withErrors is a way to rank by a query as somebody in a hurry types it.
func withErrors(m Ranker) Ranker {
	return Ranker{m.Name + misspeltName, func(ctx context.Context, c *collection, text string) ([]string, error) {
		return m.rank(ctx, c, misspelt(plainQuery(text)))
	}}
}

// misspeltName follows on the name of a mode whose queries are misspelt.
const misspeltName = ", misspelt"

// Keeps returns, for each mode that was asked misspelt queries too, what share of its nDCG@10 is
// left.
func (r *QualityReport) Keeps() map[string]float64 {
	shares := map[string]float64{}
	for _, m := range r.Modes {
		for _, o := range r.Modes {
			if o.Mode == m.Mode+misspeltName && m.NDCG10 > 0 {
				shares[m.Mode] = o.NDCG10 / m.NDCG10
			}
		}
	}
	return shares
}
