package guide

import (
	_ "embed"
	"slices"
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

func (w word) is(class string) bool { return slices.Contains(w.classes, class) }

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

// words are the words and numbers of a text. A number keeps the sign of its currency.
func words(text string) []word {
	var out []word
	sign := ""
	for _, t := range language.Words(text) {
		money := strings.Contains("$€£¥", t.Norm)
		switch {
		case t.Word:
			first, _ := utf8.DecodeRuneInString(text[t.Start:])
			norm := strings.TrimSuffix(t.Norm, "'s")
			if !t.Gap {
				norm = sign + norm
			}
			out = append(out, word{norm: norm, stem: language.Stem(t.Norm), upper: unicode.IsUpper(first)})
		case money && !t.Gap && len(out) > 0 && language.Digital(out[len(out)-1].norm):
			out[len(out)-1].norm += t.Norm // "300€"
		}
		if sign = ""; money {
			sign = t.Norm
		}
	}
	for i := range out {
		classify(out, i)
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
	if w.upper && slices.Contains(classes()[w.norm], "<firstname>") && len(ws) > 1 {
		w.classes = append(w.classes, "<name>")
	}
	if w.upper && i > 0 && i+1 <= len(ws) && ws[i-1].is("<role>") && !ws[i-1].upper && len(w.classes) == 0 && len(w.norm) > 1 {
		w.classes = append(w.classes, "<name>") // "our electrician Bogdan"
	}
	if strings.ContainsFunc(w.norm, unicode.IsDigit) {
		w.classes = append(w.classes, "<num>")
		if class := numeral(w.norm, i+1 < len(ws) && slices.Contains(classes()[ws[i+1].norm], "<currency>")); class != "" {
			w.classes = append(w.classes, class)
		}
	}
}

// numeral is what kind of number a word is, if it shows.
func numeral(w string, currency bool) string {
	switch {
	case currency || strings.ContainsAny(w, "$€£¥") || isThousands(w):
		return "<money>"
	case len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")):
		return "<year>"
	case isGrouped(w):
		return "<big>"
	case strings.Count(w, "-") == 2 || strings.Count(w, "/") == 2:
		return "<date>"
	}
	return ""
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
