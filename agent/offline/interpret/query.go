package interpret

import (
	_ "embed"

	"kist/agent/language"
)

// What is read without the trained model.

// DayAlone is the day that a message names, where it says nothing else.
func (r *Reader) DayAlone(text string) (string, bool) {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	if len(toks) == 0 || len(toks) > 10 {
		return "", false
	}
	d, ok := language.FindDay(toks, r.sit.Now)
	if !ok {
		return "", false
	}
	for i, tok := range toks {
		if (i < d.Start || i >= d.End) && tok.Word && !language.In("no|wait|sorry|make|it|that|i|meant|mean|rather|better|say|actually|to|on|for|of|the|set|change|move|again|should|be|is|due|please|instead|then|until|by|let|us|not|sooner|later|than|one", tok.Norm) {
			return "", false
		}
	}
	return language.ISODay(d.Day), true
}

// IsFinished reports whether a message says that this was all.
func IsFinished(text string) bool {
	toks := language.TrimMarks(language.Tokenize(text))
	n, ok := language.MatchAny(toks, "that is|was all|it|everything *? *?", "no? nothing else|more *?", "i am done|finished", "we are done|finished", "done|finished", "no that is|was all|it|everything")
	return ok && n == len(toks)
}
