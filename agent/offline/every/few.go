package every

import (
	"strings"

	"kist/agent/language"
)

// A Few is an order about some tasks, that are named or numbered.
type Few struct {
	Status  string   // done or todo
	Names   []string // words for each
	Numbers []int    // their places in the list that was shown, from 1 on
}

// ReadFew reads the order that a message is, and nothing else.
func ReadFew(said string) (Few, bool) {
	toks := whole(said)
	for _, f := range forms() {
		kind, status, ok := strings.Cut(f.What, " ")
		if !ok || len(toks) == 0 {
			continue
		}
		filled, ok := f.Fill(toks, func(place string, toks []language.Token) bool {
			if place == "numbers" {
				return numbers(toks) != nil
			}
			return len(language.ContentWords(toks)) > 0 && !isSet(toks) && numbers(toks) == nil
		})
		switch {
		case !ok:
		case kind == "number":
			return Few{Status: status, Numbers: numbers(filled.Places["numbers"])}, true
		default:
			few := Few{Status: status}
			for _, one := range language.ListedNames(filled.Places["set"]) {
				few.Names = append(few.Names, language.Spell(said, one))
			}
			return few, len(few.Names) > 0
		}
	}
	return Few{}, false
}

// mostNumbers is how many places are named at once.
const mostNumbers = 30

// numbers are the places in a list that words name and nothing else: "3 and 5", "the first two",
// "items 2 to 4"; nil: they don't.
func numbers(toks []language.Token) (out []int) {
	upTo, first := false, false
	for _, t := range toks {
		n := language.Count(t.Norm)
		if n == 0 && !language.In("a|an|the", t.Norm) {
			n = language.DayNumber(t.Norm)
		}
		switch {
		case t.Quoted:
			return nil
		case len(out) > 0 && !upTo && language.In("one|ones", t.Norm): // "the third one"
		case n > 0 && (upTo || first && len(out) == 1): // "2 to 4", "the first two"
			for i := out[len(out)-1] + 1; i <= min(n, mostNumbers); i++ {
				out = append(out, i)
			}
		case n > 0 && n <= mostNumbers:
			out = append(out, n)
			first = t.Norm == "first"
		case language.In("to|-|–|bis|through|till", t.Norm):
			upTo = len(out) > 0
			continue
		case !language.In("and|und|,|the|die|number|numbers|no|nr|#|item|items|task|tasks|one|ones|plus|&", t.Norm):
			return nil
		}
		upTo = false
	}
	return out
}
