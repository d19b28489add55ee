package match

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/index/sift"
)

// A Phrase is a sequence of words, compared without regard to case and to what
// stands between them.
type Phrase [][]byte

func NewPhrase(text string) Phrase {
	var p Phrase
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !IsWordRune(r) }) {
		p = append(p, []byte(w))
	}
	return p
}

// Find returns the span of the first occurrence at or after from in text that is
// in lower case already; ok is false where there is none. Its longest word is looked for, as it is the
// rarest, as a rule.
func (p Phrase) Find(lower []byte, from int) (s Span, ok bool) {
	anchor := 0
	for i, w := range p {
		if len(w) > len(p[anchor]) {
			anchor = i
		}
	}
	for at := from; len(p) > 0; at++ {
		i := bytes.Index(lower[at:], p[anchor])
		if i < 0 {
			break
		}
		at += i
		if start := p[:anchor].before(lower, at); start >= from && startsWord(lower, start) {
			if end, ok := p.match(lower, start); ok {
				return Span{start, end}, true
			}
		}
	}
	return s, false
}

// before is where words begin that end before an offset, with no others between; -1: they don't.
func (p Phrase) before(lower []byte, at int) int {
	for _, w := range slices.Backward(p) {
		for at > 0 {
			r, n := utf8.DecodeLastRune(lower[:at])
			if IsWordRune(r) {
				break
			}
			at -= n
		}
		if !bytes.HasSuffix(lower[:at], w) {
			return -1
		}
		at -= len(w)
	}
	return at
}

// match reports whether the phrase is at start, and where it ends.
func (p Phrase) match(lower []byte, start int) (end int, ok bool) {
	at := start
	for i, w := range p {
		if i > 0 {
			gap := at
			for at < len(lower) {
				r, n := utf8.DecodeRune(lower[at:])
				if IsWordRune(r) {
					break
				}
				at += n
			}
			if at == gap && !Unbounded(w) {
				return 0, false
			}
		}
		if !bytes.HasPrefix(lower[at:], w) {
			return 0, false
		}
		at += len(w)
	}
	if r, _ := utf8.DecodeRune(lower[at:]); at < len(lower) && IsWordRune(r) && !sift.Unspaced(r) {
		return 0, false
	}
	return at, true
}

func startsWord(text []byte, at int) bool {
	r, _ := utf8.DecodeLastRune(text[:at])
	first, _ := utf8.DecodeRune(text[at:])
	return at == 0 || !IsWordRune(r) || sift.Unspaced(first) || sift.Unspaced(r)
}

func Unbounded(word []byte) bool {
	r, _ := utf8.DecodeRune(word)
	return sift.Unspaced(r)
}

// lowered returns text in lower case with every offset unchanged, or false for
// the few texts where the lower case has another length.
func lowered(text []byte) ([]byte, bool) {
	l := bytes.ToLower(text)
	return l, len(l) == len(text)
}

// ASCII reports whether a phrase has ASCII letters only.
func (p Phrase) ASCII() bool {
	return !slices.ContainsFunc(p, func(w []byte) bool { return bytes.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) })
}

// In reports whether text in lower case has the phrase.
func (p Phrase) In(lower []byte) bool {
	_, ok := p.Find(lower, 0)
	return ok
}

// IsWordRune reports whether words are made of such runes.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
