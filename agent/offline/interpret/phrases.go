package interpret

import "kist/agent/language"

// titleOf spells the title of a task that is referred to.
func titleOf(c *Clause, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	if n, ok := language.MatchAny(toks, "<det>? <taskword> called|named|:|to?"); ok && n < len(toks) {
		toks = toks[n:]
	}
	if len(toks) > 1 && len(c.Body) > 0 && toks[0].Start == c.Body[0].Start && language.Fits(toks[0], "<later>|<sooner>|<shifted>|bump|raise|lower|mark|set|flag|drop|scrap") {
		toks = toks[1:] // what is to be done to it is no word of its own
	}
	if n := len(toks); n > 1 && !toks[n-1].Quoted && language.In("slips|slipped|moves|moved|shifts|shifted", toks[n-1].Norm) {
		toks = toks[:n-1] // "the pilot slips to the 18th"
	}
	if n := len(toks); n > 1 && language.Fits(toks[n-1], "<taskword>|one|ones") { // "the coach one"
		toks = toks[:n-1]
	}
	if words := language.ContentWords(toks); len(words) == 0 || len(words) > 12 || len(words) == 1 && (language.Class("<pronoun>", words[0]) || language.In("us|me|house|forward", words[0])) {
		return ""
	}
	return language.Unwrap(language.Spell(c.Src, language.Paired(language.Inner(toks))))
}

// Span is the topic as the user wrote it, with the small words between.
func Span(c *Clause, toks []language.Token) string {
	first, last := -1, -1
	for i, t := range toks {
		if language.Telltale(t) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	return language.Limit(language.Spell(c.Src, toks[first:last+1]), 80)
}

// memoryText is what a memory is about, in the user's words.
func memoryText(c *Clause, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	for len(toks) > 1 && !toks[0].Quoted && language.In("that|about|of|the|fact|is|was|,|:|with", toks[0].Norm) {
		toks = language.TrimMarks(toks[1:])
	}
	for _, tail := range []string{"any more", "any longer", "anymore", "please", "<saying> habe|hab|hatte|have|had?"} {
		if i, e, ok := language.Find(toks, tail); ok && e == len(toks) {
			toks = toks[:i]
		}
	}
	if i, _, ok := language.Find(toks, ", it|that|this|they|he|she|we|i|because|since|as|which"); ok && i > 0 {
		toks = toks[:i] // and why
	}
	if len(language.ContentWords(toks)) == 0 || len(language.ContentWords(toks)) == 1 && language.Class("<pronoun>", language.ContentWords(toks)[0]) {
		return ""
	}
	return language.Limit(language.Unwrap(language.Spell(c.Src, toks)), 300)
}

// RecordNamed is what a clause calls the thing that it speaks of; empty: nothing.
func RecordNamed(c *Clause) string {
	switch {
	case c == nil:
	case language.Has(c.All, "<taskword>"):
		return "task"
	case language.Has(c.All, "decision|decisions"):
		return "decision"
	case language.Has(c.All, "<noteword>|inbox"):
		return "note"
	}
	return ""
}
