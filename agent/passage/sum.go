package passage

import (
	"slices"

	"kist/agent/language"
)

// A Sum is a question for what the prices of several things come to, or what they leave.
type Sum struct {
	Things     []Thing
	Of         float64 // what they are taken from; 0: no figure is named
	Left       bool    // what is left is asked for
	Spent      bool    // of what was paid for
	All        bool    // of whatever the question's one thing is part of, or of everything
	Mean       bool    // not all of it, but what it is on average
	Bound      bool    // with what is ordered or agreed and not paid yet
	Everything bool    // it asks for all there is
	In         bool    // of what came in, or is owed to somebody
	That       bool    // of what was told last
	With       bool    // they come on top of something: "what would I pay with parking and water?"
}

// A Thing is one whose price counts.
type Thing struct {
	Name  string // as it was said
	Words []string
}

// longest is how many words a question for a sum has at most.
const longest = 60

// ReadSum reads a question for a sum of money. false: it asks for none.
func ReadSum(src string, toks []language.Token) (Sum, bool) {
	if len(toks) > longest {
		return Sum{}, false
	}
	sure, asks := asksSum(toks)
	if !asks {
		return Sum{}, false
	}
	var s Sum
	s.mark(toks)
	s.All = sure || s.In || oneOf(toks, words().roles["asked"])
	start := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && !parts(toks, i) {
			if m := figure().FindStringSubmatch(toks[i].Norm); m != nil && s.Of == 0 && valueOf(m) >= least && taken(toks[:i]) {
				s.Of = valueOf(m)
			}
			continue
		}
		if thing := thingOf(src, toks[start:i]); len(thing.Words) > 0 {
			s.Things = append(s.Things, thing)
		}
		if start = i; i < len(toks) && toks[i].Norm == ":" {
			s.Things = nil // what follows are the things that are asked about
		}
	}
	return s, s.Of > 0 || sure && len(s.Things) > 1 || slices.ContainsFunc(toks, func(t language.Token) bool { return listed("moneyed", t.Norm) })
}

// asksSum: words ask for a sum, for sure or where money is spoken of.
func asksSum(toks []language.Token) (sure, asks bool) {
	_, _, sure = language.Find(toks, words().sums...)
	sure = sure || slices.ContainsFunc(toks, func(t language.Token) bool { return listed("whole", t.Norm) })
	asks = sure || oneOf(toks, words().roles["income"]) && language.Has(toks, "much") || oneOf(toks, words().rather) || oneOf(toks, words().roles["asked"])
	_, _, many := language.Find(toks, "how many", "when", "who", "time|hours|days")
	return sure, asks && !many && language.Has(toks, "how|what|total|sum|add|added|everything|was|wieviel|wie")
}

// mark reads of which kind a sum is.
func (s *Sum) mark(toks []language.Token) {
	_, _, s.Left = language.Find(toks, words().left...)
	s.In = oneOf(toks, words().roles["income"])
	s.That = language.Has(toks, "that|those|these|them|it") && !language.Has(toks, "all|everything|far")
	s.With = language.Has(toks, "with|including|mit")
	s.Everything = language.Has(toks, "everything|all|altogether|total|far")
	s.Mean, s.Bound = language.Has(toks, "average|mean"), language.Has(toks, "committed|committing|commit|bound")
	s.Spent = language.Has(toks, "spent|paid|spend|bought") && !s.Bound && !language.Has(toks, "to")
}

// taken: what follows is what the others are taken from: "of the", "out of my".
func taken(before []language.Token) bool {
	for n := len(before) - 1; n >= max(0, len(before)-2); n-- {
		if language.In("of|from|von", before[n].Norm) {
			return true
		}
		if !language.Class("<det>", before[n].Norm) {
			return false
		}
	}
	return false
}

// parts: another thing begins here: "the fan the range and the chairs".
func parts(toks []language.Token, i int) bool {
	w := toks[i].Norm
	if !toks[i].Word || listed("joins", w) || language.In("plus|minus|with|after|once|when|including|mit|nach", w) {
		return !toks[i].Quoted && w != "-"
	}
	return language.Class("<det>", w) && i > 0 && !listed("at", toks[i-1].Norm) && !language.In("of|for|per|von|für", toks[i-1].Norm)
}

// thingOf is what a part of such a question names.
func thingOf(src string, toks []language.Token) Thing {
	first, last := -1, -1
	var t Thing
	for i, tok := range toks {
		w := tok.Norm
		if !tok.Word || figure().MatchString(w) || listed("collective", w) || listed("weak", w) || listed("question", w) || listed("measure", w) || language.Class("<aux>", w) || len(language.ContentWords(toks[i:i+1])) == 0 {
			continue
		}
		if language.Class("<stop>", w) {
			continue
		}
		t.Words = append(t.Words, w)
		if first < 0 {
			first = i
		}
		last = i
	}
	if first >= 0 {
		t.Name = language.Spell(src, toks[first:last+1])
	}
	return t
}

// PricesOf are the figures of what a thing costs: those that count, or else one that doesn't.
func PricesOf(thing []string, all []Figure) []Figure {
	for _, of := range []func(Figure) bool{
		func(f Figure) bool { return shares(f.Subject, thing) },
		func(f Figure) bool { return f.Of(thing) },
	} {
		list := slices.DeleteFunc(slices.Clone(all), func(f Figure) bool {
			return !of(f) || f.Why == Replaced || f.Why == Declined || f.Role == Budgeted || f.Role == Received
		})
		counted := slices.DeleteFunc(slices.Clone(list), func(f Figure) bool { return f.Why != "" && f.Why != Within })
		switch {
		case len(counted) > 0:
			return slices.DeleteFunc(counted, func(f Figure) bool { return f.Why == Within && len(counted) > 1 })
		case len(list) > 0:
			return list[:1]
		}
	}
	return nil
}
