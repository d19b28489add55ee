package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
)

// A word of a text: lower case, contractions expanded.
type word struct {
	norm  string
	upper bool
}

// words cuts text into words and numbers; marks of punctuation are left out.
func words(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) {
			i += size
			continue
		}
		end := wordEnd(text, i+size, unicode.IsDigit(r))
		for _, part := range language.Expand(strings.ReplaceAll(strings.ToLower(text[i:end]), "’", "'")) {
			out = append(out, word{norm: part, upper: unicode.IsUpper(r)})
		}
		i = end
	}
	return out
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("$€£¥%", r)
}

func wordEnd(text string, i int, number bool) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case isWordRune(r):
		case (r == '\'' || r == '’' || r == '-') && unicode.IsLetter(next):
		case !number && strings.ContainsRune("./:@_", r) && unicode.IsLower(next): // "git.example.org/boat"
		case number && strings.ContainsRune(".,:/-", r) && unicode.IsDigit(next):
		default:
			return i
		}
		i += size
	}
	return i
}

func norms(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.norm
	}
	return out
}

// in reports whether w is one of the words of a list separated by blanks.
func in(list, w string) bool {
	for item := range strings.FieldsSeq(list) {
		if item == w {
			return true
		}
	}
	return false
}
