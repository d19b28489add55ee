package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word of a text: lower case, contractions expanded.
type word struct {
	norm       string
	start, end int
	upper      bool
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
		for _, part := range expand(strings.ReplaceAll(strings.ToLower(text[i:end]), "’", "'")) {
			out = append(out, word{norm: part, start: i, end: end, upper: unicode.IsUpper(r)})
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

func expand(w string) []string {
	switch w {
	case "won't":
		return []string{"will", "not"}
	case "can't", "cannot":
		return []string{"can", "not"}
	case "let's":
		return []string{"let", "us"}
	case "i'm":
		return []string{"i", "am"}
	}
	if base, ok := strings.CutSuffix(w, "n't"); ok {
		return []string{base, "not"}
	}
	base, tail, ok := strings.Cut(w, "'")
	if !ok {
		return []string{w}
	}
	switch tail {
	case "re":
		return []string{base, "are"}
	case "ve":
		return []string{base, "have"}
	case "ll":
		return []string{base, "will"}
	case "d":
		return []string{base, "would"}
	case "s":
		switch base {
		case "it", "that", "there", "what", "who", "here", "where", "when", "how", "she", "he":
			return []string{base, "is"}
		}
		return []string{base + "'s"}
	}
	return []string{w}
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

// stem cuts endings that don't change what a word is about, roughly.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return undouble(w[:n-2])
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return strings.TrimSuffix(w[:n-1], "e")
	}
	return strings.TrimSuffix(w, "e")
}

func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}
