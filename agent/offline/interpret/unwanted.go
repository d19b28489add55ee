package interpret

import "kist/agent/language"

// What isn't a thing to do, or isn't one any more, by its words.

// mayHave: what there is to do isn't sure: "we might have to sell it".
func mayHave(toks []language.Token) bool {
	_, _, ok := language.Find(toks, "might|may *? have|need to")
	return ok
}

// goneBy are the words behind a task by which it isn't wanted.
var goneBy = []string{"may|can|could|should|must be <gone>", "may|can|should go", "is|are|was|were no|not a|an|any|real|meant? as|to? be? a|an? <taskword>", "is|are no longer|more needed|wanted|necessary|relevant", "is|are not needed|wanted|necessary|relevant"}

// shortNeed is within how many words somebody says what need not be done.
const shortNeed = 12

// goneThing is where words name what isn't wanted any more, with the words that say so behind it, from
// the i-th to the n-th: "the tent can go", "I don't need to ring Dale".
func goneThing(toks []language.Token) (of []language.Token, i, n int, ok bool) {
	if k, no := language.MatchAny(toks, "and|so? i|we do not need|have to"); no && len(toks) < shortNeed {
		of = toks[k:]
		return of, len(of), len(of), true
	}
	i, n, ok = language.Find(toks, goneBy...)
	return toks, i, n, ok
}
