package terminal

import (
	"fmt"
	"strings"
)

// JSON escapes what JSON allows in a string as it is but a terminal may
// act on, so that JSON on a terminal is as harmless as text.
func JSON(s string) string {
	if strings.IndexFunc(s, jsonUnsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !jsonUnsafe(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func jsonUnsafe(r rune) bool { return r == 0x7f || Deceptive(r) }
