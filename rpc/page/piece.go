package page

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Fit returns how many bytes of a text, in whole characters, fit into room bytes of a
// message in its larger form.
func Fit(s string, room int) int {
	room -= len(`""`)
	end := 0
	for ; end < len(s) && room > 0; end++ {
		switch c := s[end]; {
		case c < ' ', c == 0x7f:
			room -= len(`\u001f`)
		case c == '"', c == '\\':
			room -= len(`\"`)
		default:
			room--
		}
	}
	if room < 0 {
		end--
	}
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}

// A Place is how much of a thing that is sent in pieces was sent: so many whole items, and
// so many bytes of the next one.
type Place struct{ Items, Bytes int }

// Token names a place in a thing, of which state says what it was when it was read.
func (p Place) Token(state string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %d %s", p.Items, p.Bytes, state))
}

// PlaceOf reads a token; an empty one is the beginning. It returns ErrToken for another
// thing's, or where the thing isn't any more what it was.
func PlaceOf(token, state string) (p Place, err error) {
	if token == "" {
		return p, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return p, ErrToken
	}
	if n, err := fmt.Sscanf(string(text), "%d %d ", &p.Items, &p.Bytes); n != 2 || err != nil || p.Items < 0 || p.Bytes < 0 || !strings.HasSuffix(string(text), " "+state) {
		return Place{}, ErrToken
	}
	return p, nil
}
