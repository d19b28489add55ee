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

// Shorten cuts a text to n runes.
func Shorten(s string, n int) string {
	s = strings.TrimSpace(s)
	if most := 4 * (n + 1); len(s) > most { // n runes and one more, for certain
		s = strings.ToValidUTF8(s[:most], "")
	}
	r := []rune(s)
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// OneLine puts a text on one line and cuts it to n runes.
func OneLine(s string, n int) string {
	if most := 16 * n; len(s) > most { // far more than n runes need, and some blanks
		s = strings.ToValidUTF8(s[:most], "")
	}
	return Shorten(strings.Join(strings.Fields(s), " "), n)
}

// Gap is what parts what is said next from the reply so far.
func Gap(said string) string {
	switch {
	case said == "", strings.HasSuffix(said, "\n\n"):
		return ""
	case strings.HasSuffix(said, "\n"):
		return "\n"
	}
	return "\n\n"
}
