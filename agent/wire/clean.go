package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A cleaner makes text of pieces that can be shown: whole runes, and none that steer a
// terminal or turn the text around it.
type cleaner struct{ rest string } // the beginning of a rune, of which more may come

func (c *cleaner) add(piece string) string {
	piece = c.rest + piece
	c.rest = ""
	if n := cutRune(piece); n > 0 {
		piece, c.rest = piece[:len(piece)-n], piece[len(piece)-n:]
	}
	return Clean(piece)
}

// flush returns what is left when nothing more comes.
func (c *cleaner) flush() string {
	rest := c.rest
	c.rest = ""
	return Clean(rest)
}

// cutRune returns how many bytes at the end of s are the beginning of a rune.
func cutRune(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if last := s[len(s)-n]; utf8.RuneStart(last) {
			if !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Clean takes out of a text what no terminal should see: control characters but for
// newline and tab, and those that turn the direction of writing. Each byte that is no
// UTF-8 becomes a mark of its own, so that it doesn't matter in which pieces a text comes.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || bidi(r):
			return -1
		}
		return r // U+FFFD for such a byte
	}, s)
}

// bidi: embeddings, overrides and isolates. The marks for one character, which Arabic
// and Hebrew need, are none of these.
func bidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }
