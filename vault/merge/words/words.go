/*
Package words cuts texts into the words by which they are merged.
*/
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of cuts a text into words, the blanks between them and the punctuation
// behind them. Letters of scripts without blanks are words of their own.
func Of(text string) []string {
	var list []string
	at := 0
	cut := func(end int) {
		if end > at {
			list = append(list, text[at:end])
			at = end
		}
	}
	space := false
	for i, r := range text {
		switch {
		case unicode.IsSpace(r) != space:
			cut(i)
			space = !space
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			cut(i)
		}
		if !space && closes(r) && closesWord(text[i:]) {
			cut(i)
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			cut(i + utf8.RuneLen(r))
		}
	}
	cut(len(text))
	return list
}

func closes(r rune) bool { return strings.ContainsRune(".,;:!?", r) }

// closesWord reports whether nothing but punctuation is left of a word.
func closesWord(rest string) bool {
	i := strings.IndexFunc(rest, func(r rune) bool { return !closes(r) })
	return i < 0 || strings.TrimSpace(rest[i:i+1]) == ""
}
