package section

import (
	"bytes"
	"hash/fnv"
	"slices"
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
	left, right := besideOf([]byte(phrase), before, token, after).sides()
	for _, side := range []*[2]Beside{&left, &right} {
		for i, n := range side {
			if n == unknown {
				side[i] = nothing
			}
		}
	}
	return besideNumbers(left, right)
}

// besideOf is what is beside a token of a text, whose neighbours are given, if there are any.
func besideOf(text []byte, before, token, after *analysis.Token) Beside {
	if !oneRun(text, token.Start, token.End) {
		return besideNumbers([2]Beside{unknown}, [2]Beside{unknown})
	}
	var left, right [2]Beside
	// As a rule the words on both sides count.
	if before == nil || before.End > token.Start || wordIn(text[before.End:token.Start]) || !oneRun(text, before.Start, before.End) {
		left = side(text, token.Start, wordBefore, before)
	}
	if after == nil || after.Start < token.End || wordIn(text[token.End:after.Start]) || !oneRun(text, after.Start, after.End) {
		right = side(text, token.End, wordAfter, after)
	}
	return besideNumbers(left, right)
}

// wordIn reports whether a gap has a word.
func wordIn(gap []byte) bool {
	sure := !slices.ContainsFunc(gap, func(b byte) bool { return b >= utf8.RuneSelf || b-'0' < 10 || b|0x20-'a' < 26 })
	return !sure && bytes.ContainsFunc(gap, match.IsWordRune)
}

// side is the numbers of the two words from an offset on; next finds one, and where to go on. The
// token there counts, unless it is several words.
func side(text []byte, at int, next func(text []byte, at int) (from, to, then int), token *analysis.Token) (numbers [2]Beside) {
	for i := range numbers {
		from, to, then := next(text, at)
		if from == to {
			numbers[i] = unknown
			break
		}
		if token != nil && token.Start <= from && to <= token.End && oneRun(text, token.Start, token.End) {
			break
		}
		numbers[i], at = numberOf(text[from:to]), then
	}
	return numbers
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

// wordBefore finds the last word that ends before an offset; none is empty. A letter of a script
// without spaces is one.
func wordBefore(text []byte, at int) (from, to, then int) {
	last := bytes.LastIndexFunc(text[:at], match.IsWordRune)
	if last < 0 {
		return 0, 0, 0
	}
	r, n := utf8.DecodeRune(text[last:])
	from, to = last, last+n
	for from > 0 && !sift.Unspaced(r) {
		before, n := utf8.DecodeLastRune(text[:from])
		if !ofWord(before) {
			break
		}
		from -= n
	}
	return from, to, from
}

// wordAfter finds the first word that begins at an offset or behind it.
func wordAfter(text []byte, at int) (from, to, then int) {
	first := bytes.IndexFunc(text[at:], match.IsWordRune)
	if first < 0 {
		return 0, 0, 0
	}
	r, n := utf8.DecodeRune(text[at+first:])
	from, to = at+first, at+first+n
	for to < len(text) && !sift.Unspaced(r) {
		after, n := utf8.DecodeRune(text[to:])
		if !ofWord(after) {
			break
		}
		to += n
	}
	return from, to, to
}

// ofWord reports whether a rune goes on with a word.
func ofWord(r rune) bool { return match.IsWordRune(r) && !sift.Unspaced(r) }

// numberOf is a word's number, without regard to case.
func numberOf(word []byte) Beside {
	h := fnv.New32a()
	for at := 0; at < len(word); {
		r, n := utf8.DecodeRune(word[at:])
		var room [utf8.UTFMax]byte
		h.Write(utf8.AppendRune(room[:0], unicode.ToLower(r)))
		at += n
	}
	return Beside(firstWord + h.Sum32()%(numbers-firstWord))
}
