package markdown

import (
	"bytes"
	"slices"
)

// leastMark is the size that git gives to the marks of a conflict, in characters: it makes them longer inside of others, and where
// attributes ask for it.
const leastMark = 7

// Unresolved returns where a text has what git leaves of a merge that a person has to finish, in order: from a line that begins with
// <<<<<<< over one of ======= to one of >>>>>>>, all of one length, and the last of them included. What stands whole in a fenced code
// block is an example.
func Unresolved(d *Document) []Span {
	if !bytes.Contains(d.src, []byte("<<<<<<<")) {
		return nil
	}
	type side struct{ start, seen int }
	open := map[int]side{} // by the size of marks
	var all []Span
	for at := 0; at < len(d.src); {
		line, next := cutLine(d.src, at)
		c, size := mark(line)
		switch s := open[size]; {
		case c == '<':
			open[size] = side{at, 1}
		case c == '=' && s.seen > 0:
			open[size] = side{s.start, 2}
		case c == '>' && s.seen == 2:
			delete(open, size)
			all = slices.DeleteFunc(all, func(in Span) bool { return in.Start > s.start })
			all = append(all, Span{Start: s.start, End: at + len(line)})
		}
		at = next
	}
	return slices.DeleteFunc(all, func(s Span) bool {
		return slices.ContainsFunc(d.blocks().fences, func(f span) bool { return f.start < s.Start && s.End < f.end })
	})
}

// mark returns which mark of a conflict a line begins with, and how long it is; 0: none.
func mark(line []byte) (c byte, size int) {
	if len(line) < leastMark || bytes.IndexByte([]byte("<=>"), line[0]) < 0 {
		return 0, 0
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	if size = len(line) - len(rest); size < leastMark || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\r' {
		return 0, 0
	}
	return line[0], size
}
