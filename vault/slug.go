package vault

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
