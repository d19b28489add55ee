package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes s fit for one line of a terminal: whatever could move the cursor,
// change the terminal's state or reorder what is read becomes visible text.
func Line(s string) string { return visible(s, false) }

// Block does as Line but leaves line ends and tabs as they are.
func Block(s string) string { return visible(s, true) }

func visible(s string, multiline bool) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case multiline && strings.HasPrefix(s, "\r\n"):
			// A Windows line end is no news to a reader.
			b.WriteByte('\n')
			n = 2
		case multiline && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('␀' + r) // the block of control pictures is in the order of C0
		case r == 0x7f:
			b.WriteRune('␡')
		case Deceptive(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Deceptive reports whether a terminal or an eye would take r for something
// else than it is: C1 controls, direction marks, invisible characters. The
// zero-width joiner stays, for emoji and for the scripts that are written with it.
func Deceptive(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f:
		return true
	case r == 0x200c || r == 0x200d:
		return false
	case r == 0x2028 || r == 0x2029:
		return true
	}
	// Format characters: bidi embeddings, isolates and marks, zero-width space
	// and no-break space, interlinear annotations, tags.
	return unicode.Is(unicode.Cf, r)
}
