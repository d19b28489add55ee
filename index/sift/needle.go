package sift

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Needles are the folded beginnings of words, all of which a text has to have.
type Needles []Needle

// A Needle is the folded beginning of a word. The zero value is everywhere.
type Needle struct {
	text     []byte
	inside   bool                // need not begin a word
	script   *unicode.RangeTable // any letter of it will do
	variants bool                // katakana: may be written at half width
	literal  []byte              // ASCII in lower case that has to be there as well, unfolded; nil: nothing
}

// Begins is found where a word begins so.
func (f *Folder) Begins(text string) Needle { return Needle{text: f.Fold(nil, []byte(text))} }

// Within is found anywhere. Of a text with ASCII letters or figures the longest stretch of
// these has to stand as it is, but for the case.
func (f *Folder) Within(text string) Needle {
	n := Needle{text: f.Fold(nil, []byte(text)), inside: true}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || separates[r] }) {
		if len(part) > len(n.literal) {
			n.literal = []byte(strings.ToLower(part))
		}
	}
	return n
}

// OfScript is any letter of a script.
func OfScript(table *unicode.RangeTable) Needle { return Needle{script: table} }

// How many letters a stemmer may add to or change at the end of what begins all words
// of a stem. Found with words of all languages; see the test.
const (
	trimmed   = 2
	untrimmed = 2 // what is no longer stays as it is
)

// NewNeedle is what begins all words that an analyzer takes for the same as word, of which
// it makes term.
func NewNeedle(f *Folder, analyzer, word, term string) Needle {
	first, _ := utf8.DecodeRuneInString(word)
	for _, table := range []*unicode.RangeTable{unicode.Arabic, unicode.Devanagari} {
		if unicode.Is(table, first) { // the analyzers cut beginnings off as well
			return Needle{script: table}
		}
	}
	w, t := []rune(string(f.Fold(nil, []byte(word)))), []rune(string(f.Fold(nil, []byte(term))))
	n := 0
	for n < len(w) && n < len(t) && w[n] == t[n] {
		n++
	}
	if n == 0 || n == 1 && !Unspaced(first) && (len(w) > 1 || len(t) > 1) {
		return Needle{text: []byte{}} // says too little
	}
	switch {
	case Unspaced(first):
	case analyzer == "pl": // which goes by a table, and takes -owa- and -uje- for the same
		n = max(min(n, untrimmed), n/2)
	default:
		n = max(min(n, untrimmed), n-trimmed)
	}
	out := Needle{text: []byte(string(w[:n]))}
	out.inside = out.text[0] >= utf8.RuneSelf || analyzer == "pl" // "nie" may come before
	out.variants = unicode.Is(unicode.Katakana, first)
	return out
}

// Nearly are the halves of a word that is misspelt in one place: one of them is intact.
func Nearly(f *Folder, word string) []Needles {
	w := []rune(string(f.Fold(nil, []byte(word))))
	first := Needle{text: []byte(string(w[:max(1, len(w)/2-1)]))}
	all := []Needles{{first}}
	if from, to := len(w)/2+1, len(w)-1; to-from >= 2 {
		all = append(all, Needles{{text: []byte(string(w[from:to])), inside: true}})
	}
	return all
}

// Everywhere reports whether the needle says nothing of a text.
func (n Needle) Everywhere() bool { return n.script == nil && len(n.text) == 0 }

// Equal reports whether both find the same.
func (n Needle) Equal(o Needle) bool { return bytes.Equal(n.text, o.text) && n.script == o.script }

// Equal is [Needle.Equal] for all of them.
func (w Needles) Equal(o Needles) bool {
	return slices.EqualFunc(w, o, Needle.Equal)
}

// Implied reports whether another way, of one needle, is there wherever this one is.
func (w Needles) Implied(all []Needles) bool {
	return slices.ContainsFunc(all, func(o Needles) bool {
		return len(o) == 1 && o[0].script == nil && !w.Equal(o) && slices.ContainsFunc(w, func(n Needle) bool {
			return n.script == nil && n.inside == o[0].inside && !n.variants && bytes.HasPrefix(n.text, o[0].text)
		})
	})
}

// MaxCounted: more say no more.
const MaxCounted = 50

// Count is how often a text has it, or seems to: MaxCounted at most.
func (n Needle) Count(s *Text) (count int) {
	if count = n.count(s); count > 0 && n.literal != nil && !bytes.Contains(s.LowerASCII(), n.literal) {
		return 0
	}
	return count
}

func (n Needle) count(s *Text) (count int) {
	if n.script != nil {
		if bytes.ContainsFunc(s.folded, func(r rune) bool { return unicode.Is(n.script, r) }) {
			return 1
		}
		return 0
	}
	if len(n.text) == 0 {
		return 1
	}
	for at := 0; count < MaxCounted; {
		i := bytes.Index(s.folded[at:], n.text)
		if i < 0 {
			break
		}
		if at += i; n.inside || at == 0 || !isASCIIWord(s.folded[at-1]) {
			count++
		}
		at += len(n.text)
	}
	if count == 0 && n.variants && bytes.ContainsFunc(s.folded, func(r rune) bool { return r >= 0xFF61 && r <= 0xFF9F }) {
		return 1
	}
	return count
}

func isASCIIWord(b byte) bool { return b-'a' < 26 || b-'0' < 10 }

// Unspaced reports whether a letter is of a script that is written without spaces.
func Unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
