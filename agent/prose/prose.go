// Package prose makes texts from files fit for showing.
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes a text one line of at most n characters: no markup that hides or links,
// no control characters, nothing that isn't UTF-8.
func Line(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r == '[':
			return '('
		case r == ']':
			return ')'
		case r == '`':
			return '\''
		case r == '*' || r == unicode.ReplacementChar || unicode.In(r, unicode.Cf, unicode.Co):
			return -1
		case unicode.IsControl(r) || unicode.IsSpace(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return Cut(strings.Join(strings.Fields(s), " "), n)
}

// Cut shortens a text to n characters.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		return strings.TrimSpace(string([]rune(s)[:n])) + "…"
	}
	return s
}
