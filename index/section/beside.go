package section

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"kist/index/match"
	"kist/index/sift"
)

// A Beside tells which words are left out of the index right before and right behind one, such as
// "of the" and "in" in "of the keel in": a number of each, of which some share one, two on a side at
// most, the nearest ones in the lowest bits. By it phrases are told of texts with other such words.
type Beside uint32

// The numbers of a place are nothing, where the word there counts or isn't looked at, unknown, where
// it isn't known whether it does, or that of a word.
const (
	nothing = iota
	unknown
	firstWord

	placeBits = 7 // so that a location takes a byte more at most for each
	numbers   = 1 << placeBits

	depthBits = 3 // there are six levels of headings
)

// besideNumbers makes one of the numbers on the left and on the right, the nearest ones first.
func besideNumbers(left, right [2]Beside) Beside {
	return right[0] | left[0]<<placeBits | left[1]<<(2*placeBits) | right[1]<<(3*placeBits)
}

// sides are the numbers of which it is made.
func (b Beside) sides() (left, right [2]Beside) {
	at := func(place int) Beside { return b >> (place * placeBits) % numbers }
	return [2]Beside{at(1), at(2)}, [2]Beside{at(0), at(3)}
}

// Meets reports whether what is beside a word may be what is wanted, where nothing is anything.
func (b Beside) Meets(want Beside) bool {
	meets := func(have, want [2]Beside) bool {
		near := have[0] == unknown || want[0] == nothing
		return near || have[0] == want[0] && (have[1] == unknown || want[1] == nothing || have[1] == want[1])
	}
	left, right := b.sides()
	wantLeft, wantRight := want.sides()
	return meets(left, wantLeft) && meets(right, wantRight)
}

// Wanted is what a phrase wants beside a token of it, whose neighbours are given, if there are any;
// 0: nothing, or nobody can tell.
func Wanted(phrase string, before, token, after *analysis.Token) Beside {
	text := []byte(phrase)
	left, right := besideOf(text, spotOf(text, before), spotOf(text, token), spotOf(text, after)).sides()
	for _, side := range []*[2]Beside{&left, &right} {
		for i, n := range side {
			if n == unknown {
				side[i] = nothing
			}
		}
	}
	return besideNumbers(left, right)
}

// A spot is where a token is; none is the zero value.
type spot struct {
	start, end int
	run        bool // it is letters and figures alone
}

func spotOf(text []byte, t *analysis.Token) spot {
	if t == nil {
		return spot{}
	}
	return spot{t.Start, t.End, oneRun(text, t.Start, t.End)}
}

// besideOf is what is beside a token of a text, between those that come before and behind it.
func besideOf(text []byte, before, token, after spot) Beside {
	if !token.run {
		return besideNumbers([2]Beside{unknown}, [2]Beside{unknown})
	}
	var left, right [2]Beside
	// As a rule the words on both sides count.
	if !before.run || before.end > token.start || wordIn(text[before.end:token.start]) {
		left = side(text, token.start, wordBefore, before)
	}
	if !after.run || after.start < token.end || wordIn(text[token.end:after.start]) {
		right = side(text, token.end, wordAfter, after)
	}
	return besideNumbers(left, right)
}

// wordIn reports whether a gap has a word.
func wordIn(gap []byte) bool {
	for _, b := range gap {
		if b >= utf8.RuneSelf {
			return bytes.ContainsFunc(gap, match.IsWordRune)
		}
		if match.IsWordRune(rune(b)) {
			return true
		}
	}
	return false
}

// side is the numbers of the two words from an offset on; next finds one, and where to go on. The
// token there counts, unless it is several words.
func side(text []byte, at int, next func(text []byte, at int) (from, to int), token spot) (numbers [2]Beside) {
	for i := range numbers {
		from, to := next(text, at)
		if from == to {
			numbers[i] = unknown
			break
		}
		if token.run && token.start <= from && to <= token.end {
			break
		}
		if numbers[i] = numberOf(text[from:to]); from >= at {
			at = to
		} else {
			at = from
		}
	}
	return numbers
}

// oneRun reports whether a stretch of text is letters and figures alone.
func oneRun(text []byte, start, end int) bool {
	if start < 0 || start >= end || end > len(text) {
		return false
	}
	for at := start; at < end; {
		r, n := runeAt(text, at)
		if !match.IsWordRune(r) {
			return false
		}
		at += n
	}
	return true
}

// runeAt is the rune at an offset and its length.
func runeAt(text []byte, at int) (rune, int) {
	if b := text[at]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRune(text[at:])
}

// runeBefore is the rune that ends at an offset and its length.
func runeBefore(text []byte, at int) (rune, int) {
	if b := text[at-1]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeLastRune(text[:at])
}

// wordBefore finds the last word that ends before an offset; none is empty. A letter of a script
// without spaces is one.
func wordBefore(text []byte, at int) (from, to int) {
	for to = at; to > 0; {
		r, n := runeBefore(text, to)
		if !match.IsWordRune(r) {
			to -= n
			continue
		}
		from = to - n
		for from > 0 && !sift.Unspaced(r) {
			before, n := runeBefore(text, from)
			if !ofWord(before) {
				break
			}
			from -= n
		}
		return from, to
	}
	return 0, 0
}

// wordAfter finds the first word that begins at an offset or behind it.
func wordAfter(text []byte, at int) (from, to int) {
	for from = at; from < len(text); {
		r, n := runeAt(text, from)
		if !match.IsWordRune(r) {
			from += n
			continue
		}
		to = from + n
		for to < len(text) && !sift.Unspaced(r) {
			after, n := runeAt(text, to)
			if !ofWord(after) {
				break
			}
			to += n
		}
		return from, to
	}
	return 0, 0
}

// ofWord reports whether a rune goes on with a word.
func ofWord(r rune) bool { return match.IsWordRune(r) && !sift.Unspaced(r) }

// numberOf is a word's number, without regard to case.
func numberOf(word []byte) Beside { return Beside(firstWord + hashOf(word)%(numbers-firstWord)) }

// hashOf is the FNV-1a hash of a word in lower case.
func hashOf(word []byte) uint32 {
	h := uint32(2166136261)
	add := func(b byte) { h = (h ^ uint32(b)) * 16777619 }
	for at := 0; at < len(word); {
		r, n := runeAt(word, at)
		if at += n; r < utf8.RuneSelf {
			if r-'A' < 26 && r >= 'A' {
				r |= 0x20
			}
			add(byte(r))
			continue
		}
		var room [utf8.UTFMax]byte
		for _, b := range utf8.AppendRune(room[:0], unicode.ToLower(r)) {
			add(b)
		}
	}
	return h
}
