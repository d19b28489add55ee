package section

import (
	"hash/fnv"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"kist/index/match"
)

// A Beside tells which words are left out of the index right before and right behind one in a
// body, such as "the" and "of" in "the keel of": a number of each, of which some share one. It stands
// where a heading's location has its depth. Phrases with one word that counts are found by it.
type Beside uint16

// The numbers of a side are nothing, where the next word counts, unknown, where it isn't known
// whether it does, or that of a word.
const (
	nothing = iota
	unknown
	firstWord

	sideBits = 7 // so that a location takes a byte more at most
	sides    = 1 << sideBits
)

// Meets reports whether what is beside a word may be what is wanted, where nothing is anything.
func (b Beside) Meets(want Beside) bool {
	meets := func(have, want Beside) bool { return want == nothing || have == unknown || have == want }
	return meets(b/sides, want/sides) && meets(b%sides, want%sides)
}

// Around is what a phrase wants beside its one word that counts, which is somewhere in it; ok
// is false where nobody can tell by that.
func Around(phrase string, start, end int) (want Beside, ok bool) {
	text := []byte(phrase)
	if !oneRun(text, start, end) {
		return 0, false
	}
	before, after := wordBefore(text[:start]), wordAfter(text[end:])
	return before*sides | after, before|after != nothing
}

// besideOf is what is beside a token of a text, whose neighbours are given; none before the first.
func besideOf(text []byte, before, token, after *analysis.Token) Beside {
	if !oneRun(text, token.Start, token.End) {
		return unknown*sides | unknown
	}
	left, right, from, at := Beside(unknown), Beside(unknown), 0, 0
	if before != nil {
		from, at = before.End, before.Position
	}
	switch gap := token.Position - at; {
	case gap == 1 && before != nil && oneRun(text, before.Start, before.End):
		left = nothing
	case gap > 1 && from <= token.Start:
		left = max(unknown, wordBefore(text[from:token.Start]))
	}
	to := min(after.Start, len(text)) // what stands for the end is behind the text
	switch gap := after.Position - token.Position; {
	case gap == 1 && oneRun(text, after.Start, after.End):
		right = nothing
	case gap > 1 && token.End <= to:
		right = max(unknown, wordAfter(text[token.End:to]))
	}
	return left*sides | right
}

// oneRun reports whether a stretch of text is letters and figures alone.
func oneRun(text []byte, start, end int) bool {
	if start < 0 || start >= end || end > len(text) {
		return false
	}
	for at := start; at < end; {
		if b := text[at]; b < utf8.RuneSelf {
			if b-'0' > 9 && b|0x20-'a' > 25 {
				return false
			}
			at++
			continue
		}
		r, n := utf8.DecodeRune(text[at:])
		if !match.IsWordRune(r) {
			return false
		}
		at += n
	}
	return true
}

// wordBefore is the number of the word that ends a text, or of the last one in it.
func wordBefore(text []byte) Beside {
	for len(text) > 0 {
		r, n := utf8.DecodeLastRune(text)
		if match.IsWordRune(r) {
			break
		}
		text = text[:len(text)-n]
	}
	from := len(text)
	for from > 0 {
		r, n := utf8.DecodeLastRune(text[:from])
		if !match.IsWordRune(r) {
			break
		}
		from -= n
	}
	return numberOf(text[from:])
}

// wordAfter is the number of the first word in a text.
func wordAfter(text []byte) Beside {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if match.IsWordRune(r) {
			break
		}
		text = text[n:]
	}
	to := 0
	for to < len(text) {
		r, n := utf8.DecodeRune(text[to:])
		if !match.IsWordRune(r) {
			break
		}
		to += n
	}
	return numberOf(text[:to])
}

// numberOf is a word's number, without regard to case; nothing for none.
func numberOf(word []byte) Beside {
	if len(word) == 0 {
		return nothing
	}
	h := fnv.New32a()
	for at := 0; at < len(word); {
		r, n := utf8.DecodeRune(word[at:])
		var room [utf8.UTFMax]byte
		h.Write(utf8.AppendRune(room[:0], unicode.ToLower(r)))
		at += n
	}
	return Beside(firstWord + h.Sum32()%(sides-firstWord))
}
