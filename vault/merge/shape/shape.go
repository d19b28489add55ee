/*
Package shape merges how a text is written down, its byte order mark and line endings, apart from what it says.
*/
package shape

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"kist/vault/merge"
)

// A Shape is how a text is written down, apart from what it says. Texts are merged
// in one shape, and the result gets the one that the versions' shapes merge to.
type Shape struct {
	bom    bool   // begins with a byte order mark
	crlf   bool   // each line ends in "\r\n"; where they differ, most do
	open   bool   // the last line has no line ending
	Broken bool   // lone carriage returns, bytes that are no UTF-8
	Binary bool   // has a zero byte
	mixed  []bool // which lines end in "\r\n", where they differ
}

// The three versions, as indices.
const (
	inBase = iota
	inOurs
	inTheirs
	versions
)

const bom = "\xef\xbb\xbf"

// Of returns a text with line feeds alone, behind each line, and what it was.
func Of(text []byte) (string, Shape) {
	var s Shape
	if s.Binary = bytes.IndexByte(text, 0) >= 0; s.Binary {
		return string(text), s
	}
	returns, pairs, feeds := bytes.Count(text, []byte("\r")), bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n"))
	if s.Broken = returns != pairs || !utf8.Valid(text); s.Broken {
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

// Merge returns what three versions, of which a text was merged, have it written as. t are the versions as [Of] returned them: base,
// ours and theirs; hasBase says that there is a base.
func Merge(text string, t [versions]string, shapes [versions]Shape, hasBase bool) []byte {
	base := &shapes[inBase]
	if !hasBase {
		base = nil
	}
	whole := mergeShapes(base, shapes[inOurs], shapes[inTheirs])
	whole.mixed = endings(text, t, shapes, whole.crlf)
	return whole.apply(text)
}

// apply returns a text in the shape.
func (s Shape) apply(text string) []byte {
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
func endings(text string, t [versions]string, shapes [versions]Shape, crlf bool) []bool {
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
func (s Shape) endsOf(lines, own []string) []*bool {
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
func mergeShapes(base *Shape, ours, theirs Shape) Shape {
	if base == nil {
		base = &Shape{bom: ours.bom || theirs.bom, crlf: ours.crlf || theirs.crlf, open: ours.open || theirs.open}
	}
	return Shape{
		bom:  pick(base.bom, ours.bom, theirs.bom),
		crlf: pick(base.crlf, ours.crlf, theirs.crlf),
		open: pick(base.open, ours.open, theirs.open),
	}
}
