package refer

import "kist/agent/language"

// Pick reads a short answer to a question that names several things: "the first
// one", "both", or words of one of them. nil: it is no such answer.
func Pick(text string, names []string) []int {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	if len(toks) == 0 || len(toks) > 9 {
		return nil
	}
	if n, ok := language.MatchAny(toks, "both of? them?", "all of? them|these|those?", "all three|four|five"); ok && n == len(toks) {
		var out []int
		for i := range names {
			out = append(out, i)
		}
		return out
	}
	if n, ok := language.MatchAny(toks, "the? * one?", "number|no *"); ok && n == len(toks) {
		for _, tok := range toks {
			if i := place(tok.Norm, len(names)); !language.In("a|an|the", tok.Norm) && i >= 1 && i <= len(names) {
				return []int{i - 1}
			}
		}
	}
	words := language.ContentWords(language.Drop(toks, "i|mean|meant|it|is|task|only|just|that"))
	var out []int
	for i, name := range names {
		if len(words) > 0 && language.Covers(language.ContentWords(language.Tokenize(name)), words) {
			out = append(out, i)
		}
	}
	if len(out) != 1 {
		return nil
	}
	return out
}

// Nth is the place in a list by which words name one of it, "the second one", from 1 on; 0: they
// don't.
func Nth(toks []language.Token) int {
	for i, t := range toks[:max(0, len(toks)-1)] {
		if n := language.DayNumber(t.Norm); n > 0 && !language.Digital(t.Norm) && language.In("one|task", toks[i+1].Norm) {
			return n
		}
	}
	return 0
}

// place is the place among so many that a word names, from 1 on; 0: it names none.
func place(word string, many int) int {
	switch {
	}
	if i := language.DayNumber(word); i > 0 || word == "one" {
		return i
	}
	return language.Count(word)
}
