package guide

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
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
	for _, part := range language.Expand(norm) {
		out = append(out, word{norm: strings.TrimSuffix(part, "'s"), stem: language.Stem(part), upper: unicode.IsUpper(first)})
	}
	return out
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
