package passage

import (
	"slices"

	"kist/agent/language"
)

// What several amounts come to isn't worked out: which of them belong together, hold still or are paid
// only who asks knows. A question for it is answered with the lines that name them.

// longest is how many words a question for a sum has at most.
const longest = 60

// ReadSum reads a question for what amounts of money come to, or leave: the words of what they are
// for, none where it names nothing. false: it asks for none.
func ReadSum(toks []language.Token) (of []string, ok bool) {
	if len(toks) > longest || !asksSum(toks) || !slices.ContainsFunc(toks, func(t language.Token) bool { return listed("moneyed", t.Norm) }) {
		return nil, false
	}
	for _, t := range toks {
		if namesThing(t) {
			of = append(of, t.Norm)
		}
	}
	return of, true
}

// asksSum: words ask what there is in all.
func asksSum(toks []language.Token) bool {
	_, _, many := language.Find(toks, "how many", "when", "who", "time|hours|days")
	_, _, sure := language.Find(toks, words().sums...)
	return !many && (sure || oneOf(toks, words().roles["asked"]))
}

// Amounts are the sentences that name an amount of money for what some words name, or for anything
// where there are none.
func (q Question) Amounts(of []string, docs []Document) (out []Quote) {
	seen := map[string]bool{}
	for _, d := range unwritten(docs) {
		for _, c := range q.candidates(d) {
			if d.Last || seen[bare(c.Text)] || !q.amounts(c, of) {
				continue
			}
			seen[bare(c.Text)] = true
			out = append(out, Quote{Path: c.doc.Path, Line: c.Line, Text: c.Text, Day: c.day, Said: c.doc.Said})
		}
	}
	return out
}

// amounts: a sentence names an amount, of some things, or one that is surely money.
func (q Question) amounts(c candidate, of []string) bool {
	prices, toks := Prices(c.Text, q.Now), language.Tokenize(priced(c.Text))
	if len(of) > 0 {
		return len(prices) > 0 && shares(c.words, of)
	}
	said := oneOf(toks, words().roles["money"])
	return slices.ContainsFunc(prices, func(p Price) bool {
		return said || p.Currency+p.Per != "" || p.Value >= 5*least && isLed(toks, p.at)
	})
}

func oneOf(toks []language.Token, patterns []string) bool {
	_, _, ok := language.Find(toks, patterns...)
	return ok
}

// namesThing: a word may name what is paid for.
func namesThing(t language.Token) bool {
	w := t.Norm
	for _, list := range []string{"weak", "measure", "collective", "priced", "question", "unthing", "noplace"} {
		if listed(list, w) {
			return false
		}
	}
	return t.Word && !figure().MatchString(w) && !language.Class("<stop>", w) && !language.Class("<aux>", w) && len(language.ContentWords([]language.Token{t})) > 0
}

// shares: two lists have a word in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return Like(b, w) })
}
