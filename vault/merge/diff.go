package merge

import (
	"fmt"
	"strconv"
	"strings"
)

// context is the number of unchanged lines around a change in a diff.
const context = 3

const (
	noFile    = "/dev/null"
	noNewline = "\\ No newline at end of file\n"
)

// Diff returns the unified diff that turns before into after, with three lines
// of context, "" if they are equal. The path is for the header only. A nil
// text, for no file, is /dev/null in the header; a file that is created or
// deleted empty is a header without hunks. Any bytes come through unchanged.
func Diff(path string, before, after []byte) string {
	p, _, ok := diff(path, before, after)
	if !ok {
		return ""
	}
	return p.String()
}

// diff also returns the lines of before; false: nothing was changed.
func diff(path string, before, after []byte) (p patch, a []string, ok bool) {
	if string(before) == string(after) && (before == nil) == (after == nil) {
		return patch{}, nil, false
	}
	p = patch{old: "a/" + path, new: "b/" + path}
	if before == nil {
		p.old = noFile
	}
	if after == nil {
		p.new = noFile
	}
	a = splitLines(string(before))
	b := splitLines(string(after))
	p.hunks = hunks(a, b, compare(a, b))
	return p, a, true
}

// A patch is a parsed unified diff of one file.
type patch struct {
	old, new string // as in the header
	hunks    []hunk
}

// A hunk replaces some lines by others.
type hunk struct {
	oldStart, newStart int // index of the first line, from 0
	lines              []line
	near               *near // in a delta; nil: the lines around are among lines
}

// A line of a hunk: context (' '), removed ('-') or added ('+').
type line struct {
	op   byte
	text string // with its ending
}

// old returns the hunk's lines as they were, new as they become.
func (h hunk) old() []string { return h.side('-') }
func (h hunk) new() []string { return h.side('+') }

func (h hunk) side(op byte) []string {
	list := make([]string, 0, len(h.lines))
	for _, l := range h.lines {
		if l.op == ' ' || l.op == op {
			list = append(list, l.text)
		}
	}
	return list
}

// hunks groups the differences between a and b with their context.
func hunks(a, b []string, chunks []chunk) []hunk {
	var list []hunk
	for i := 0; i < len(chunks); {
		from := max(chunks[i].a0-context, 0)
		h := hunk{oldStart: from, newStart: chunks[i].b0 - (chunks[i].a0 - from)}
		at := from
		for {
			c := chunks[i]
			h.add(' ', a[at:c.a0])
			h.add('-', a[c.a0:c.a1])
			h.add('+', b[c.b0:c.b1])
			at = c.a1
			i++
			if i == len(chunks) || chunks[i].a0-at > 2*context {
				break
			}
		}
		h.add(' ', a[at:min(at+context, len(a))])
		list = append(list, h)
	}
	return list
}

func (h *hunk) add(op byte, lines []string) {
	for _, text := range lines {
		h.lines = append(h.lines, line{op, text})
	}
}

// String returns the patch as a unified diff.
func (p patch) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", quoteName(p.old), quoteName(p.new))
	for _, h := range p.hunks {
		old, new := len(h.old()), len(h.new())
		fmt.Fprintf(&b, "@@ -%s +%s @@%s\n", span(h.oldStart, old), span(h.newStart, new), h.near)
		for _, l := range h.lines {
			b.WriteByte(l.op)
			b.WriteString(l.text)
			switch {
			case strings.HasSuffix(l.text, "\n"):
			case h.near != nil && h.near.part:
				b.WriteString("\n")
			default:
				b.WriteString("\n" + noNewline)
			}
		}
	}
	return b.String()
}

// span formats a range of lines; one without lines names the line before it.
func span(start, n int) string {
	switch n {
	case 0:
		return strconv.Itoa(start) + ",0"
	case 1:
		return strconv.Itoa(start + 1)
	}
	return strconv.Itoa(start+1) + "," + strconv.Itoa(n)
}

// quoteName quotes a name that would break the header, as git does.
func quoteName(name string) string {
	if strings.ContainsAny(name, "\n\r\t\"\\") {
		return strconv.Quote(name)
	}
	return name
}
