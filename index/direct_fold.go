package index

import (
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
)

// A folder brings texts into a form in which words that an analyzer takes for the same
// begin alike, whatever the language: in lower case, without accents, double letters
// once, and no e behind a, o and u (ä is written ae as well). It goes from left to
// right, so what begins a text begins the folded text.
type folder struct {
	low  [0x250 - 0x80][]byte    // Latin letters with accents
	more [0x1F00 - 0x1E00][]byte // and the rarer ones
	wide [0x5F][]byte            // full-width forms, from U+FF01 on
}

func newFolder() *folder {
	f := &folder{}
	filter := asciifolding.New()
	fill := func(table [][]byte, from rune) {
		for i := range table {
			r := unicode.ToLower(from + rune(i))
			folded := filter.Filter([]byte(string(r)))
			for j, b := range folded {
				folded[j] = lowerByte(b)
			}
			table[i] = folded
		}
	}
	fill(f.low[:], 0x80)
	fill(f.more[:], 0x1E00)
	fill(f.wide[:], 0xFF01)
	return f
}

func lowerByte(b byte) byte {
	if b-'A' < 26 {
		return b | 0x20
	}
	return b
}

// fold appends the folded text to out.
func (f *folder) fold(out, text []byte) []byte {
	last := byte(0)
	add := func(b byte) {
		if b == last && b-'a' < 26 || b == 'e' && (last == 'a' || last == 'o' || last == 'u') {
			return
		}
		last = b
		out = append(out, b)
	}
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			add(lowerByte(b))
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r < 0x250:
			for _, c := range f.low[r-0x80] {
				add(c)
			}
		case r >= 0x1E00 && r < 0x1F00:
			for _, c := range f.more[r-0x1E00] {
				add(c)
			}
		case r > 0xFF00 && r < 0xFF01+0x5F:
			for _, c := range f.wide[r-0xFF01] {
				add(c)
			}
		case r == utf8.RuneError && n == 1, r >= 0x2E80:
			out, last = append(out, text[i:i+n]...), 0
		default:
			out, last = utf8.AppendRune(out, foldOther(r)), 0
		}
		i += n
	}
	return out
}

func foldOther(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ς':
		return 'σ'
	case 'ё':
		return 'е'
	}
	return r
}
