package language

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed foreign.txt
var foreignText string

// foreign holds the small words of each language that isn't read, without those that
// English or German have too.
var foreign = sync.OnceValue(func() []map[string]bool {
	var out []map[string]bool
	for _, list := range Lists(foreignText) {
		words := map[string]bool{}
		for _, w := range strings.Fields(list) {
			words[w] = !ours(w)
		}
		out = append(out, words)
	}
	return out
})

// ours: a word is known of a language that is read.
func ours(w string) bool {
	_, de := german()[w]
	return de || known(w) || Class("<stop>", w)
}

// IsForeign reports whether a text is in a language that isn't read: in another script, or
// with more small words of another language than words of English and German.
func IsForeign(text string) bool {
	letters, latin := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	if letters > 3 && 2*latin < letters {
		return true
	}
	read, strange := 0, 0
	found := make([]int, len(foreign()))
	words := Words(text)
	for i, t := range words {
		switch {
		case !t.Word || inName(text, words[i:]):
		case ours(t.Norm):
			read++
		case strings.ContainsFunc(t.Norm, accented):
			strange++
		default:
			for i, small := range foreign() {
				if small[t.Norm] {
					found[i]++
				}
			}
		}
	}
	most := strange + slices.Max(found)
	return most > 1 && most > read
}

// ForeignTopic is what a text that [IsForeign] is about: its words without the small ones.
func ForeignTopic(text string) string {
	var out []string
	for _, t := range Words(text) {
		if t.Word && !slices.ContainsFunc(foreign(), func(small map[string]bool) bool { return small[t.Norm] }) {
			out = append(out, text[t.Start:t.End])
		}
	}
	return strings.Join(out, " ")
}

// inName: a small word leads up to a name, as in "de la Rue".
func inName(text string, words []Token) bool {
	for i, t := range words {
		if !t.Word || i > 2 {
			return false
		}
		if first, _ := utf8.DecodeRuneInString(text[t.Start:]); unicode.IsUpper(first) {
			return i > 0
		}
		if !slices.ContainsFunc(foreign(), func(small map[string]bool) bool { return small[t.Norm] }) {
			return false
		}
	}
	return false
}

// accented: a letter that English and German words don't have.
func accented(r rune) bool {
	return r > unicode.MaxASCII && unicode.IsLetter(r) && !strings.ContainsRune("äöüß", r)
}
