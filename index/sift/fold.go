package sift

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
)

// A Folder brings texts into a form in which words that an analyzer takes for the same
// begin alike, whatever the language: in lower case, without accents, double letters
// once, and no e behind a, o and u (ä is written ae as well). It goes from left to
// right, so what begins a text begins the folded text. ASCII characters that are no letters
// and figures stay, and none are added.
type Folder struct {
	ascii [utf8.RuneSelf]byte
	mask  [256]uint32             // a bit for each letter from a to z
	drop  [256]uint32             // by what comes before: those left out
	low   [0x530 - 0x80][]byte    // letters with accents, Greek and Cyrillic ones
	more  [0x1F00 - 0x1E00][]byte // the rarer Latin ones
	wide  [0x5F][]byte            // full-width forms, from U+FF01 on
}

// NewFolder makes its tables.
func NewFolder() *Folder {
	f := &Folder{}
	for i := range f.ascii {
		f.ascii[i] = byte(unicode.ToLower(rune(i)))
	}
	for c := 'a'; c <= 'z'; c++ {
		f.mask[c] = 1 << (c - 'a')
		f.drop[c] = f.mask[c]
	}
	for _, c := range "aou" {
		f.drop[c] |= f.mask['e']
	}
	filter := asciifolding.New()
	fill := func(table [][]byte, from rune) {
		for i := range table {
			folded := filter.Filter([]byte(string(foldLetter(from + rune(i)))))
			for j, b := range folded {
				if separates[b] {
					folded = []byte(string(from + rune(i))) // it separates words as it is
					break
				}
				if b < utf8.RuneSelf {
					folded[j] = f.ascii[b]
				}
			}
			table[i] = folded
		}
	}
	fill(f.low[:], 0x80)
	for r := rune(0x300); r < 0x370; r++ {
		f.low[r-0x80] = nil // an accent of its own
	}
	fill(f.more[:], 0x1E00)
	fill(f.wide[:], 0xFF01)
	return f
}

func foldLetter(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ς':
		return 'σ'
	case 'ё':
		return 'е'
	}
	return r
}

// Fold appends the folded text to out.
func (f *Folder) Fold(out, text []byte) []byte {
	last := byte(0)
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			n := len(out)
			out = slices.Grow(out, len(text)-i)
			out = out[:n+len(text)-i]
			var done int
			n, done, last = f.foldASCII(out, n, text[i:], last)
			out = out[:n]
			i += done
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		var folded []byte
		switch {
		case r < 0x530:
			folded = f.low[r-0x80]
		case r >= 0x1E00 && r < 0x1F00:
			folded = f.more[r-0x1E00]
		case r > 0xFF00 && r < 0xFF01+0x5F:
			folded = f.wide[r-0xFF01]
		default: // scripts without upper case, as a rule
			folded = text[i : i+n]
		}
		for _, b := range folded {
			if f.drop[last]&f.mask[b] == 0 {
				out, last = append(out, b), b
			}
		}
		i += n
	}
	return out
}

// foldASCII folds the ASCII letters that text begins with into out[n:], which has room
// for them, and returns where it ends there and in text, and what came last. Most of
// most texts goes through here, so it branches on nothing but the end.
func (f *Folder) foldASCII(out []byte, n int, text []byte, last byte) (end, done int, then byte) {
	for i, b := range text {
		if b >= utf8.RuneSelf {
			return n, i, last
		}
		b = f.ascii[b]
		out[n] = b
		if f.drop[last]&f.mask[b] == 0 {
			last = b
			n++
		}
	}
	return n, len(text), last
}
