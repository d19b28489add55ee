package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kist/vault/pattern"
)

// plainText matches what can stand in YAML without quotes, as far as the
// characters go: in doubt it doesn't.
var plainText = pattern.Lazy(`^[\pL\pN_/.(+@][^\x00-\x1f\x7f-\x9f\x{2028}\x{2029}\x{feff}\x{fffe}\x{ffff}]*$`)

// schoolBooleans are strings for YAML 1.2 but booleans for older readers.
var schoolBooleans = pattern.Lazy(`^(?i:y|n|yes|no|on|off)$`)

// Quote returns s as a YAML scalar on one line that reads back as the same
// string: as it is where that works, else in double quotes. Numbers, dates,
// booleans and the like are quoted; to write a date as a date, don't quote it.
// Bytes that aren't UTF-8 become U+FFFD.
func Quote(s string) string { return quote(s, inLine) }

// QuoteList returns a YAML list on one line, such as [red, "a, b"].
func QuoteList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s, inList)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quoteKey(key string) string { return quote(key, asKey) }

// form is where a scalar is to stand: what is written around it.
type form struct{ before, after string }

var (
	inLine = form{before: "k: "}
	inList = form{before: "[", after: "]"}
	asKey  = form{after: ": v"}
)

// quote is Quote for any form.
func quote(s string, in form) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if isPlain(s, in) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlain reports whether s needs no quotes. The parser has the last word.
func isPlain(s string, in form) bool {
	if len(s) > 1000 || !plainText().MatchString(s) || in != inLine && strings.ContainsAny(s, ",[]{}") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || schoolBooleans().MatchString(s) {
		return false
	}
	if last, _ := utf8.DecodeLastRuneInString(s); last == ':' || last == ' ' {
		return false
	}
	root, err := decode([]byte(in.before + s + in.after))
	if err != nil || root == nil || len(root.Content) == 0 {
		return false
	}
	scalar := root.Content[0]
	if in == inLine {
		scalar = root.Content[1]
	}
	return scalar.Tag == "!!str" && scalar.Value == s
}
