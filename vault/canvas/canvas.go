/*
Package canvas reads canvases as Obsidian and others keep them (jsoncanvas.org), which are JSON.
[Text] leaves of one what is written on its text cards, each where it stands in the file, and
[Cards] tells them apart; [Plain] is for who reads it; [Values] goes over the JSON itself. Nothing here writes.
*/
package canvas

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Is reports whether a file is a canvas by its name.
func Is(p string) bool {
	const ext = ".canvas"
	return len(p) > len(ext) && strings.EqualFold(p[len(p)-len(ext):], ext)
}

// What [Text] returns has a mark before each card's text, and one for each end of a line within, and no
// other control characters.
const (
	mark    = '\x1e'
	lineEnd = '\x1f'
)

// Text is what is written on a canvas's text cards: as many bytes as the canvas has, and as many
// lines, with a card's text where it stands in the file and blanks for all else. The lines of a card are one,
// as in the file, until [Lines] parts them. What isn't a canvas's JSON in UTF-8 has none, but a NUL byte
// where that shows.
func Text(raw []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(raw))
	for i := 0; ; i++ {
		n := bytes.IndexByte(raw[i:], '\n')
		if n < 0 {
			break
		}
		i += n
		out[i] = '\n'
	}
	at := len(raw) - len(bytes.TrimPrefix(raw, []byte("\ufeff")))
	if len(bytes.TrimSpace(raw[at:])) == 0 {
		return out // as a new one is
	}
	if bad := fault(raw, at); bad >= 0 {
		out[bad] = 0
		return out
	}
	Values(raw, at, func(list string, at, _ int) {
		if list == "nodes" {
			Values(raw, at, func(_ string, at, _ int) { write(out, raw, at) })
		}
	})
	return out
}

// fault is where a text from an offset on isn't JSON in UTF-8; -1: it is.
func fault(raw []byte, from int) int {
	if !utf8.Valid(raw) {
		return len(raw) - len(invalid(raw[from:]))
	}
	syntax, bad := errors.AsType[*json.SyntaxError](json.Unmarshal(raw[from:], new(struct{})))
	if !bad {
		return -1
	}
	for at := min(from+int(syntax.Offset), len(raw)) - 1; ; at-- {
		if at == from || raw[at] != '\n' {
			return at
		}
	}
}

// invalid is a text from its first byte on that isn't UTF-8.
func invalid(text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			break
		}
		text = text[n:]
	}
	return text
}

// write puts the text of the node at an offset into its place, if it is a text card.
func write(out, raw []byte, at int) {
	kind, text, from, to := "", "", 0, 0
	Values(raw, at, func(key string, at, end int) {
		switch key {
		case "type":
			_ = json.Unmarshal(raw[at:end], &kind) // else it is none that there is
		case "text":
			if json.Unmarshal(raw[at:end], &text) == nil {
				from, to = at, end
			}
		}
	})
	if kind != "text" || strings.TrimSpace(text) == "" {
		return
	}
	out[from] = mark // for the quotation mark
	for i := range copy(out[from+1:to], text) {
		switch c := &out[from+1+i]; {
		case *c == '\n':
			*c = lineEnd
		case *c < ' ':
			*c = ' '
		}
	}
}

// Plain is a file's text as it is read: of a canvas, what is on its cards, a line for each of the file's.
func Plain(p string, raw []byte) []byte {
	if !Is(p) {
		return raw
	}
	lines := bytes.Split(Text(raw), []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.Join(bytes.FieldsFunc(line, func(r rune) bool { return r <= ' ' }), []byte(" "))
	}
	return bytes.Join(lines, []byte("\n"))
}

// Lines is a text of cards with their lines as lines.
func Lines(cards []byte) []byte { return bytes.ReplaceAll(cards, []byte{lineEnd}, []byte("\n")) }

// A Card is where in a [Text] one is: all up to the next.
type Card struct{ Start, End int }

// Cards are those of a [Text], in its order.
func Cards(text []byte) (all []Card) {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], mark)
		if n < 0 {
			return all
		}
		at += n + 1
		if len(all) > 0 {
			all[len(all)-1].End = at
		}
		all = append(all, Card{at, len(text)})
	}
}

// Values yields the values of the object or array that begins at an offset of valid JSON, with
// their keys and where they stand. Other values have none.
func Values(text []byte, at int, yield func(key string, from, to int)) {
	at = blanks(text, at)
	if at == len(text) || text[at] != '{' && text[at] != '[' {
		return
	}
	object := text[at] == '{'
	for at = blanks(text, at+1); text[at] != '}' && text[at] != ']'; {
		key := ""
		if object {
			end := valueEnd(text, at)
			_ = json.Unmarshal(text[at:end], &key) // a text can be read
			at = blanks(text, blanks(text, end)+1) // behind the colon
		}
		end := valueEnd(text, at)
		yield(key, at, end)
		if at = blanks(text, end); text[at] == ',' {
			at = blanks(text, at+1)
		}
	}
}

func blanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
		at++
	}
	return at
}

// valueEnd is where the value ends that begins at an offset.
func valueEnd(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ' ', '\t', '\r', '\n', ':':
			continue
		default:
			for at+1 < len(text) && strings.IndexByte(" \t\r\n,:]}", text[at+1]) < 0 {
				at++
			}
		}
		if depth == 0 {
			return at + 1
		}
	}
	return at
}
