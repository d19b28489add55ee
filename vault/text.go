package vault

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// oneLine makes text from a conversation fit for a title or a front-matter value:
// no line breaks or control characters, single spaces.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\ufffd' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(s), " ")
}

// parseTime reads a time as people and programs write it into front matter; the
// zero time for anything else.
func ParseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// plainText drops what must not get into a text file: invalid UTF-8 and control
// characters other than line breaks and tabs.
func PlainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\ufffd"))
}

// maxSlug keeps paths short enough for every file system, in bytes.
const maxSlug = 60

// reserved are names that Windows gives to devices.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// Slug turns a title into a file name: lower case, letters and digits of any
// script, with hyphens between the words.
func Slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) || r == utf8.RuneError {
			// An apostrophe joins: "Emma's" is one word.
			gap = gap || r != '\'' && r != '’'
			continue
		}
		if b.Len()+utf8.RuneLen(r)+1 > maxSlug {
			break
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	s := b.String()
	if s == "" {
		return "untitled"
	}
	if reserved[s] {
		return s + "-1"
	}
	return s
}

// checkText refuses what can't be edited as text.
func CheckText(p string, text []byte) error {
	if !utf8.Valid(text) {
		at := 0
		for at < len(text) {
			r, n := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		return fmt.Errorf("%w: %s has a byte at offset %d that isn't", ErrNotText, p, at)
	}
	return nil
}
