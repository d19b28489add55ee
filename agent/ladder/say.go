package ladder

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A reader follows a JSON object while it comes and passes on the string under one key,
// decoded, as far as it has come.
type reader struct {
	key string // whose string is passed on
	all strings.Builder

	depth    int
	inString bool
	value    bool            // the string is a value, not a key
	current  string          // the key of the value that comes, at depth 1
	name     strings.Builder // of the key that comes
	escape   string          // begun: \ or \u and digits
	high     rune            // the first half of a surrogate pair
	ended    bool            // the object is whole
}

// add takes the next piece of the object and returns what it says. What stands behind the
// object is ignored.
func (r *reader) add(piece string) string {
	var said strings.Builder
	for _, c := range piece {
		if r.ended {
			break
		}
		r.all.WriteRune(c)
		if r.inString {
			r.within(c, &said)
		} else {
			r.between(c)
		}
	}
	return said.String()
}

// between takes a character outside of strings.
func (r *reader) between(c rune) {
	switch c {
	case '{', '[':
		r.depth++
		r.value = c == '['
	case '}', ']':
		r.depth--
		r.ended = r.depth <= 0
	case ',':
		r.value = false
	case ':':
		r.value = true
	case '"':
		r.inString = true
		r.name.Reset()
	}
}

// within takes a character of a string.
func (r *reader) within(c rune, said *strings.Builder) {
	if r.escape != "" {
		if r.escape += string(c); r.escape[1] == 'u' && len(r.escape) < 6 {
			return
		}
		c, r.escape = unescape(r.escape), ""
	} else if c == '\\' {
		r.escape = `\`
		return
	} else if c == '"' {
		r.inString = false
		if !r.value && r.depth == 1 {
			r.current = r.name.String()
		}
		return
	}
	switch {
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
		return
	case r.high != 0:
		c, r.high = utf16.DecodeRune(r.high, c), 0
	}
	switch {
	case !r.value && r.depth == 1:
		r.name.WriteRune(c)
	case r.value && r.depth == 1 && r.current == r.key:
		said.WriteRune(c)
	}
}

// unescape returns the character of a whole escape.
func unescape(s string) rune {
	if s[1] == 'u' {
		n, err := strconv.ParseUint(s[2:], 16, 32)
		if err != nil {
			return utf8.RuneError
		}
		return rune(n)
	}
	switch s[1] {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r', 'b', 'f':
		return ' '
	}
	c, _ := utf8.DecodeRuneInString(s[1:])
	return c
}

// object is what was read, if it is whole.
func (r *reader) object() (json.RawMessage, bool) {
	return json.RawMessage(r.all.String()), r.ended
}
