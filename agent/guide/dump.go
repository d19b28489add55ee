package guide

import (
	"strings"
	"unicode/utf8"
)

// dumpLength is the number of characters from which a message is a brain dump.
const dumpLength = 500

// IsBrainDump reports whether a message is one in which somebody pours out what
// is on their mind: 500 characters and more. A shorter one counts if first is
// true, for the first message of a session that makes a project, and it tells
// rather than asks: 25 words in two sentences or lines.
func IsBrainDump(text string, first bool) bool {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) >= dumpLength {
		return true
	}
	return first && len(strings.Fields(text)) >= 25 && len(sentences(text)) >= 2 && !strings.HasSuffix(text, "?")
}
