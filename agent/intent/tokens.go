package intent

import "kist/agent/language"

// cut takes the first tokens of a text, as the one tokenizer cuts them.
func cut(text string) []language.Token {
	toks := language.Tokenize(clip(text))
	return toks[:min(len(toks), most)]
}

// words of a text, the first of a long one.
func words(text string) []string { return language.Norms(cut(text)) }

// clip takes the beginning of a text that surely holds enough words, so that a long one
// costs no more.
func clip(text string) string { return text[:min(len(text), 40*most)] }
