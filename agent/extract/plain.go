package extract

import (
	"strings"

	"kist/agent/language"
)

// Plain: a sentence only tells something: no part of it asks for anything.
func Plain(sentence string) bool {
	toks := language.Tokenize(sentence)
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && (toks[i].Quoted || !language.In("and|but|then|,|;|:|-", toks[i].Norm)) {
			continue
		}
		if i > from && wants(sentence[toks[from].Start:toks[i-1].End]) {
			return false
		}
		from = i + 1
	}
	return !strings.Contains(sentence, "?")
}

// wants: words ask for something, or have the form of an order.
func wants(text string) bool {
	toks := language.SkipOpeners(language.Tokenize(text))
	return Orders(text) || language.Asks(toks) || language.Has(toks, "please") ||
		language.Begins(toks, "<verb>", "<draftverb>", "<showverb> me|us", "i|we would like|love to", "can|could|would|will|may you|we|i", "i|we want to see|hear|know", "i|we want you")
}
