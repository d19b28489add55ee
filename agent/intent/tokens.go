package intent

import "kist/agent/language"

// words of a text as the one tokenizer cuts them, the first of a long one.
func words(text string) []string {
	tokens := language.Tokenize(clip(text))
	tokens = tokens[:min(len(tokens), most)]
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Norm
	}
	return out
}

// clip takes the beginning of a text that surely holds enough words, so that a long one
// costs no more.
func clip(text string) string { return text[:min(len(text), 40*most)] }
