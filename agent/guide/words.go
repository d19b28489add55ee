package guide

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// classes.txt holds classes of words: "<class>: words", continued on the next lines.
//
//go:embed classes.txt
var classesText string

// maxBytes bounds what is read of one text: twice the longest brain dump that
// anybody types, so that a pasted log costs no more.
const maxBytes = 64 << 10

// A word is a word or number of a text.
type word struct {
	norm, stem string
	start, end int // bytes
	upper      bool
	classes    []string
}

func (w word) is(class string) bool {
	for _, c := range w.classes {
		if c == class {
			return true
		}
	}
	return false
}

// classes maps each word to its classes. A constant in all but form.
var classes = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	name := ""
	for line := range strings.SplitSeq(classesText, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(head, "<") {
			name, line = head, rest
		}
		for _, w := range strings.Fields(line) {
			out[w] = append(out[w], name)
		}
	}
	return out
})

// words cuts text into words, with contractions taken apart.
func words(text string) []word {
	var out []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) && !isMoneySign(r) {
			i += size
			continue
		}
		end := wordEnd(text, i+size, unicode.IsDigit(r) || isMoneySign(r))
		out = append(out, newWords(text, i, end)...)
		i = end
	}
	for i := range out {
		classify(out, i)
	}
	return out
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func isMoneySign(r rune) bool { return strings.ContainsRune("$€£¥", r) }

// wordEnd finds the end of a word with inner apostrophes and hyphens, and in
// numbers inner dots, commas, colons and slashes.
func wordEnd(text string, i int, number bool) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case isWordRune(r):
		case (r == '\'' || r == '’' || r == '-') && isWordRune(next):
		case number && strings.ContainsRune(".,:/", r) && unicode.IsDigit(next):
		case number && (r == '€' || r == '£' || r == '$'):
		default:
			return i
		}
		i += size
	}
	return i
}

func newWords(text string, start, end int) []word {
	first, _ := utf8.DecodeRuneInString(text[start:])
	norm := strings.ReplaceAll(strings.ToLower(text[start:end]), "’", "'")
	var out []word
	for _, part := range expand(norm) {
		out = append(out, word{norm: part, stem: stem(part), start: start, end: end, upper: unicode.IsUpper(first)})
	}
	return out
}

// expand takes contractions apart, so that "I'm" is "i am".
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
	case "s": // "it's" is a verb; "Anna's" may be, and counts as a name all the same
		switch base {
		case "it", "that", "there", "what", "who", "here", "where", "she", "he", "everything":
			return []string{base, "is"}
		}
		return []string{base}
	}
	return []string{w}
}

// classify gives word i its classes; a name is told by its capital letter.
func classify(ws []word, i int) {
	w := &ws[i]
	for _, c := range classes()[w.norm] {
		if c != "<firstname>" {
			w.classes = append(w.classes, c)
		}
	}
	if w.upper && has(classes()[w.norm], "<firstname>") && len(ws) > 1 {
		w.classes = append(w.classes, "<name>")
	}
	if w.upper && i > 0 && i+1 <= len(ws) && ws[i-1].is("<role>") && !ws[i-1].upper && len(w.classes) == 0 && len(w.norm) > 1 {
		w.classes = append(w.classes, "<name>") // "our electrician Bogdan"
	}
	digit := strings.IndexFunc(w.norm, unicode.IsDigit)
	if digit < 0 {
		return
	}
	w.classes = append(w.classes, "<num>")
	switch {
	case strings.ContainsAny(w.norm, "$€£¥"), isThousands(w.norm),
		i+1 < len(ws) && has(classes()[ws[i+1].norm], "<currency>"):
		w.classes = append(w.classes, "<money>")
	case len(w.norm) == 4 && (strings.HasPrefix(w.norm, "19") || strings.HasPrefix(w.norm, "20")):
		w.classes = append(w.classes, "<year>")
	case isGrouped(w.norm):
		w.classes = append(w.classes, "<big>")
	case strings.Count(w.norm, "-") == 2 || strings.Count(w.norm, "/") == 2:
		w.classes = append(w.classes, "<date>")
	}
}

// isThousands: "20k", "1.5m" are sums unless a unit says otherwise.
func isThousands(w string) bool {
	body := strings.TrimRight(w, "km")
	return len(body) == len(w)-1 && strings.IndexFunc(body, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' }) < 0
}

// isGrouped: "8,400" is a number that somebody counted out; mostly it is a sum.
func isGrouped(w string) bool {
	head, tail, ok := strings.Cut(w, ",")
	return ok && len(tail) == 3 && head != "" && len(head) <= 3
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// stem cuts the endings that don't change what a word is about. It is rough,
// and used on both sides of every comparison.
func stem(w string) string {
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed"):
		return undouble(w[:n-2])
	case n > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:n-2]
	case n > 6 && strings.HasSuffix(w, "ings"):
		return undouble(w[:n-4])
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
