package filing

import (
	"time"

	"kist/agent/language"
)

// minFramed is how many words that matter must be found for an order to be covered whose
// verb stands nowhere: "open the window" isn't by a task about the window.
const minFramed = 2

// framed is covered for an order: what orders something stands in no file, once it is
// done. "And then remind me to buy floor oil" is in "buy floor oil".
func framed(sentence, text string, now time.Time) bool {
	toks := language.Tokenize(sentence)
	rest := unframed(toks)
	if len(rest) == len(toks) || !dateCovered(toks, text, now) {
		return false
	}
	n, found := commonOf(rest, text, now)
	return n == found && n >= minFramed
}

// unframed are tokens without the verb that orders something and the words for kist's
// things that go with it: "put ... on the list", "new task: ...".
func unframed(toks []language.Token) []language.Token {
	lead := leading(toks)
	if lead == len(toks) || !isFrame(toks[lead]) {
		return toks
	}
	out := toks[:lead:lead]
	for i := lead + 1; i < len(toks); i++ {
		if tok := toks[i]; tok.Quoted || !isThing(tok.Norm) {
			out = append(out, tok)
		}
	}
	return out
}

// leading is how many words stand before the first that says anything.
func leading(toks []language.Token) int {
	for i, tok := range toks {
		if tok.Word && !(language.Light(tok.Norm) && !isFrame(tok)) {
			return i
		}
	}
	return len(toks)
}

// isFrame: an order to write something down begins with it.
func isFrame(tok language.Token) bool {
	w := tok.Norm
	return tok.Word && !tok.Quoted && (isThing(w) || language.Class("<addverb>", w) || language.Class("<commandverb>", w))
}

// isThing: something that kist keeps, as a thing.
func isThing(w string) bool {
	return language.Class("<taskword>", w) || language.Class("<noteword>", w) || language.Class("<memoryword>", w) || language.Class("<listword>", w)
}
