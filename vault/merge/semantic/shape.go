package semantic

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"kist/vault/merge"
)

// A shape is how a text is written down, apart from what it says. Texts are merged
// in one shape, and the result gets the one that the versions' shapes merge to.
type shape struct {
	bom    bool   // begins with a byte order mark
	crlf   bool   // each line ends in "\r\n"; where they differ, most do
	open   bool   // the last line has no line ending
	broken bool   // lone carriage returns, bytes that are no UTF-8
	binary bool   // has a zero byte
	mixed  []bool // which lines end in "\r\n", where they differ
}

const bom = "\xef\xbb\xbf"

// normal returns a text with line feeds alone, behind each line, and what it was.
func normal(text []byte) (string, shape) {
	var s shape
	if s.binary = bytes.IndexByte(text, 0) >= 0; s.binary {
		return string(text), s
	}
	returns, pairs, feeds := bytes.Count(text, []byte("\r")), bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n"))
	if s.broken = returns != pairs || !utf8.Valid(text); s.broken {
		return string(text), s
	}
	out, had := strings.CutPrefix(string(text), bom)
	s.bom, s.crlf = had, 2*pairs > feeds
	if pairs > 0 && pairs < feeds {
		for line := range strings.Lines(out) {
			s.mixed = append(s.mixed, strings.HasSuffix(line, "\r\n"))
		}
	}
	out = strings.ReplaceAll(out, "\r\n", "\n")
	if s.open = out != "" && !strings.HasSuffix(out, "\n"); s.open {
		out += "\n"
	}
	return out, s
}

// apply returns a text in the shape.
func (s shape) apply(text string) []byte {
	switch {
	case s.mixed != nil:
		var b strings.Builder
		for i, line := range slices.Collect(strings.Lines(text)) {
			line, ended := strings.CutSuffix(line, "\n")
			b.WriteString(line)
			if ended {
				b.WriteString(ending(s.mixed[i]))
			}
		}
		text = b.String()
	case s.crlf:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if s.open {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	if s.bom {
		text = bom + text
	}
	return []byte(text)
}

func ending(crlf bool) string {
	if crlf {
		return "\r\n"
	}
	return "\n"
}

// endings is which lines of a merged text end in "\r\n": nil where each version has one ending for all. A line that both have
// is as the one has it that changed it; one that is a single side's keeps what is odd on that side, and else gets the usual.
func endings(text string, t triple, shapes [versions]shape, crlf bool) []bool {
	if shapes[inBase].mixed == nil && shapes[inOurs].mixed == nil && shapes[inTheirs].mixed == nil {
		return nil
	}
	lines := slices.Collect(strings.Lines(text))
	var has [versions][]*bool
	for v, s := range shapes {
		has[v] = s.endsOf(lines, slices.Collect(strings.Lines(t[v])))
	}
	all := make([]bool, len(lines))
	for i := range lines {
		b, o, th := has[inBase][i], has[inOurs][i], has[inTheirs][i]
		switch {
		case o != nil && th != nil && b != nil:
			all[i] = pick(*b, *o, *th)
		case o != nil && th != nil && *o == *th, o != nil && th == nil && *o != shapes[inOurs].crlf:
			all[i] = *o
		case th != nil && o == nil && *th != shapes[inTheirs].crlf:
			all[i] = *th
		default:
			all[i] = crlf
		}
	}
	return all
}

// endsOf returns how the text that a shape was taken of, whose lines are own, ends those of some lines that it has; nil: it hasn't.
func (s shape) endsOf(lines, own []string) []*bool {
	ends, at, shift := make([]*bool, len(lines)), 0, 0
	same := func(to int) {
		for ; at < to; at++ {
			i := at + shift
			if crlf := s.crlf; s.mixed == nil {
				ends[at] = &crlf
			} else if !s.open || i < len(own)-1 {
				ends[at] = &s.mixed[i]
			}
		}
	}
	for _, c := range merge.Compare(lines, own) {
		same(c.A0)
		at, shift = c.A1, c.B1-c.A1
	}
	same(len(lines))
	return ends
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
