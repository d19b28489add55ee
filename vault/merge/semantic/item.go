package semantic

import (
	"strings"

	"kist/vault/merge/dates"
)

// The parts of a list item's text.
type itemParts struct {
	indent string
	bullet string // "-" or "2."
	gap    string
	box    string // what is in the brackets, "" for an item without a box
	blank  string // what is behind the brackets
	rest   string // the text, with the lines that go on with it without the item's indentation
}

func splitItem(text string) (p itemParts) {
	m := marker.FindStringSubmatch(text)
	if m == nil {
		return itemParts{rest: text}
	}
	p = itemParts{indent: m[1], bullet: m[2], gap: m[3], box: m[4], blank: m[5], rest: text[len(m[0]):]}
	if m[6] != "" {
		p.rest = "\n" + p.rest
	}
	if p.indent != "" {
		p.rest = strings.ReplaceAll(p.rest, "\n"+p.indent, "\n")
	}
	return p
}

func (p itemParts) String() string {
	box := ""
	if p.box != "" {
		box = "[" + p.box + "]" + p.blank
	}
	rest := p.rest
	if p.indent != "" {
		lines := splitLines(rest)
		for i := 1; i < len(lines); i++ {
			if !blank(lines[i]) {
				lines[i] = p.indent + lines[i]
			}
		}
		rest = strings.Join(lines, "")
	}
	return p.indent + p.bullet + p.gap + box + rest
}

// mergeItem merges an item part by part. It is false where something of theirs isn't in the
// result.
func mergeItem(t triple) (string, bool) {
	if text, ok := t.settled(); ok {
		return text, true
	}
	b, o, s := splitItem(t[inBase]), splitItem(t[inOurs]), splitItem(t[inTheirs])
	for _, p := range []itemParts{b, o, s} {
		if p.String() != t[inBase] && p.String() != t[inOurs] && p.String() != t[inTheirs] {
			return mergeProse(t) // written in a way that doesn't come apart
		}
	}
	out := itemParts{
		indent: either(b.indent, o.indent, s.indent),
		bullet: either(b.bullet, o.bullet, s.bullet),
		gap:    either(b.gap, o.gap, s.gap),
	}
	box, ok := mergeBox(b.box, o.box, s.box)
	out.box, out.blank = box, either(b.blank, o.blank, s.blank)
	o.rest, s.rest = dates.DoneOnce(b.rest, o.rest, s.rest)
	rest, fine := mergeProse(triple{b.rest, o.rest, s.rest})
	out.rest = rest
	if out.box != "" && out.blank == "" && !strings.HasPrefix(rest, "\n") {
		out.blank = " "
	}
	return out.String(), ok && fine
}

// progress is how far a mark says that a task is; what isn't here is something else.
const progress = " /xX"

// mergeBox merges the marks of a box: of two that say how far a task is, the farther.
func mergeBox(base, ours, theirs string) (string, bool) {
	switch {
	case ours == theirs, base == theirs:
		return ours, true
	case base == ours:
		return theirs, true
	case ours == "" || theirs == "":
		return ours + theirs, true
	case !strings.Contains(progress, ours) || !strings.Contains(progress, theirs):
		return ours, false
	case strings.EqualFold(ours, theirs):
		return "x", true
	case strings.Index(progress, ours) > strings.Index(progress, theirs):
		return ours, true
	}
	return theirs, true
}
