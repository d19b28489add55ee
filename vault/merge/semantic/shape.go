package semantic

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A shape is how a text is written down, apart from what it says. Texts are merged
// in one shape, and the result gets the one that the versions' shapes merge to.
type shape struct {
	bom    bool // begins with a byte order mark
	crlf   bool // each line ends in "\r\n"
	open   bool // the last line has no line ending
	broken bool // mixed line endings, lone carriage returns, bytes that are no UTF-8
	binary bool // has a zero byte
}

const bom = "\xef\xbb\xbf"

// normal returns a text with line feeds alone, behind each line, and what it was.
func normal(text []byte) (string, shape) {
	var s shape
	if s.binary = bytes.IndexByte(text, 0) >= 0; s.binary {
		return string(text), s
	}
	returns, pairs, feeds := bytes.Count(text, []byte("\r")), bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n"))
	s.crlf = pairs > 0 && pairs == feeds && returns == pairs
	if s.broken = returns > 0 && !s.crlf || !utf8.Valid(text); s.broken {
		return string(text), s
	}
	out, had := strings.CutPrefix(string(text), bom)
	s.bom = had
	if s.crlf {
		out = strings.ReplaceAll(out, "\r\n", "\n")
	}
	if s.open = out != "" && !strings.HasSuffix(out, "\n"); s.open {
		out += "\n"
	}
	return out, s
}

// apply returns a text in the shape.
func (s shape) apply(text string) []byte {
	if s.open {
		text = strings.TrimSuffix(text, "\n")
	}
	if s.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if s.bom {
		text = bom + text
	}
	return []byte(text)
}

// pick returns the value that three merge to: the one that a side changed.
func pick[T comparable](base, ours, theirs T) T {
	if ours == base {
		return theirs
	}
	return ours
}

// mergeShapes merges each trait alone. Where there is no base, what both sides
// have counts, and else the usual: no mark, line feeds, a last line that ends.
func mergeShapes(base *shape, ours, theirs shape) shape {
	if base == nil {
		base = &shape{bom: ours.bom || theirs.bom, crlf: ours.crlf || theirs.crlf, open: ours.open || theirs.open}
	}
	return shape{
		bom:  pick(base.bom, ours.bom, theirs.bom),
		crlf: pick(base.crlf, ours.crlf, theirs.crlf),
		open: pick(base.open, ours.open, theirs.open),
	}
}
