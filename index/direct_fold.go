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
	ascii [utf8.RuneSelf]byte
	low   [0x530 - 0x80][]byte    // letters with accents, Greek and Cyrillic ones
	more  [0x1F00 - 0x1E00][]byte // the rarer Latin ones
	wide  [0x5F][]byte            // full-width forms, from U+FF01 on
}

func newFolder() *folder {
	f := &folder{}
	for i := range f.ascii {
		f.ascii[i] = byte(unicode.ToLower(rune(i)))
	}
	filter := asciifolding.New()
	fill := func(table [][]byte, from rune) {
		for i := range table {
			folded := filter.Filter([]byte(string(foldLetter(from + rune(i)))))
			for j, b := range folded {
				if b < utf8.RuneSelf {
					folded[j] = f.ascii[b]
				}
			}
			table[i] = folded
		}
	}
	fill(f.low[:], 0x80)
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

// fold appends the folded text to out.
func (f *folder) fold(out, text []byte) []byte {
	last := byte(0)
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			i++
			if b = f.ascii[b]; b >= 'a' && b <= 'z' && (b == last || b == 'e' && (last == 'a' || last == 'o' || last == 'u')) {
				continue
			}
			out, last = append(out, b), b
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
			if b >= 'a' && b <= 'z' && (b == last || b == 'e' && (last == 'a' || last == 'o' || last == 'u')) {
				continue
			}
			out, last = append(out, b), b
		}
		i += n
	}
	return out
}
