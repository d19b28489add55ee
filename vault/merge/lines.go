package merge

import (
	"slices"
)

// Lines merges two texts that were both made from base. A stretch of lines that
// only one of them changed is taken from it, one that both changed in the same
// way is taken once. Where both changed the same or touching lines in different
// ways, it returns a [*ConflictError]. A nil text is no file: deleting merges
// only with no change or with deleting.
func Lines(base, ours, theirs []byte) ([]byte, error) {
	return mergeLines(base, ours, theirs, neither)
}

// LinesFavoring merges as [Lines] does and takes what both changed from the side
// favored. Of a file that one side deleted and the other changed it returns what
// that side has.
func LinesFavoring(base, ours, theirs []byte, side Side) []byte {
	merged, err := mergeLines(base, ours, theirs, side)
	switch {
	case err == nil:
		return merged
	case side == Ours:
		return ours
	}
	return theirs
}

// A Side is one of the two texts that are merged.
type Side int

// The sides.
const (
	neither Side = iota
	Ours
	Theirs
)

func mergeLines(base, ours, theirs []byte, favor Side) ([]byte, error) {
	switch {
	case equal(ours, theirs), equal(base, theirs):
		return ours, nil
	case equal(base, ours):
		return theirs, nil
	case base == nil:
		return nil, &ConflictError{Line: 1, Reason: "both sides created the file"}
	case ours == nil || theirs == nil:
		return nil, &ConflictError{Line: 1, Reason: "one side deleted the file, the other changed it"}
	}
	o, a, b := splitLines(string(base)), splitLines(string(ours)), splitLines(string(theirs))
	m := merger{base: o, ours: a, theirs: b, favor: favor}
	if err := m.merge(compare(o, a), compare(o, b)); err != nil {
		return nil, err
	}
	return m.result()
}

// equal also tells no file from an empty one.
func equal(a, b []byte) bool { return string(a) == string(b) && (a == nil) == (b == nil) }

type merger struct {
	base, ours, theirs []string
	out                []string
	shift              int // of ours against base, behind the changes taken so far
	favor              Side
}

// merge walks both lists of changes. Changes of the two sides that overlap or
// touch form a group, which must come out the same on both sides.
func (m *merger) merge(ours, theirs []chunk) error {
	at := 0
	for len(ours) > 0 || len(theirs) > 0 {
		var g group
		for {
			grown := false
			for len(ours) > 0 && g.takes(ours[0], len(theirs) == 0 || ours[0].a0 <= theirs[0].a0) {
				g.ours, ours, grown = append(g.ours, ours[0]), ours[1:], true
				g.grow(g.ours)
			}
			for len(theirs) > 0 && g.takes(theirs[0], len(ours) == 0 || theirs[0].a0 < ours[0].a0) {
				g.theirs, theirs, grown = append(g.theirs, theirs[0]), theirs[1:], true
				g.grow(g.theirs)
			}
			if !grown {
				break
			}
		}
		m.out = append(m.out, m.base[at:g.from]...)
		lines, err := m.resolve(g)
		if err != nil {
			return err
		}
		m.out = append(m.out, lines...)
		at = g.to
	}
	m.out = append(m.out, m.base[at:]...)
	return nil
}

// resolve returns what becomes of the base's lines from g.from up to g.to.
func (m *merger) resolve(g group) ([]string, error) {
	ours := side(m.base, m.ours, g, g.ours)
	theirs := side(m.base, m.theirs, g, g.theirs)
	line := g.from + m.shift + 1
	m.shift += len(ours) - (g.to - g.from)
	switch {
	case len(g.theirs) == 0 || slices.Equal(ours, theirs):
		return ours, nil
	case len(g.ours) == 0, m.favor == Theirs:
		return theirs, nil
	case m.favor == Ours:
		return ours, nil
	}
	return nil, &ConflictError{Line: line, Reason: "both sides changed these lines"}
}

// side returns a group's lines as one side has them.
func side(base, text []string, g group, chunks []chunk) []string {
	var out []string
	at := g.from
	for _, c := range chunks {
		out = append(out, base[at:c.a0]...)
		out = append(out, text[c.b0:c.b1]...)
		at = c.a1
	}
	return append(out, base[at:g.to]...)
}

// A group is a stretch of the base with the changes that touch each other in it.
type group struct {
	from, to     int
	ours, theirs []chunk
}

func (g *group) empty() bool { return len(g.ours)+len(g.theirs) == 0 }

// takes reports whether a change belongs to the group: it touches it, or is to
// be the first one in it.
func (g *group) takes(c chunk, first bool) bool {
	if g.empty() {
		return first
	}
	return c.a0 <= g.to
}

// grow extends the group by the last of the changes.
func (g *group) grow(chunks []chunk) {
	c := chunks[len(chunks)-1]
	if len(g.ours)+len(g.theirs) == 1 {
		g.from, g.to = c.a0, c.a1
	}
	g.to = max(g.to, c.a1)
}

// result joins the lines. A last line without an ending may have come before
// others, which only a change of the text's end on both sides can bring about.
func (m *merger) result() ([]byte, error) {
	n := 0
	for i, l := range m.out {
		if i+1 < len(m.out) && l[len(l)-1] != '\n' {
			if m.favor != neither {
				m.out[i], n = l+"\n", n+len(l)+1
				continue
			}
			return nil, &ConflictError{Line: len(m.ours), Reason: "both sides changed the end of the text"}
		}
		n += len(l)
	}
	out := make([]byte, 0, n)
	for _, l := range m.out {
		out = append(out, l...)
	}
	return out, nil
}
