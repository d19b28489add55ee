package interpret

import "kist/agent/language"

// What is read without the trained model.

// IsFinished reports whether a message says that this was all.
func IsFinished(text string) bool {
	toks := language.TrimMarks(language.Tokenize(text))
	n, ok := language.MatchAny(toks, "that is|was all|it|everything *? *?", "no? nothing else|more *?", "i am done|finished", "we are done|finished", "done|finished", "no that is|was all|it|everything")
	return ok && n == len(toks)
}
