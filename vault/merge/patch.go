package merge

import (
	"fmt"
	"slices"
	"strings"
)

// Patch applies a patch to the text it was made from and returns the result,
// nil where the patch deletes the file. Line numbers, removed lines and context
// must match, and a patch that creates a file needs a nil text, else
// [ErrMismatch]. An empty patch changes nothing. [ErrPatch] for no patch.
func Patch(before []byte, patch string) ([]byte, error) {
	if patch == "" {
		return before, nil
	}
	p, err := parse(patch)
	if err != nil {
		return nil, err
	}
	if err := p.checkFile(before); err != nil {
		return nil, err
	}
	lines := splitLines(string(before))
	starts := make([]int, len(p.hunks))
	for i, h := range p.hunks {
		starts[i] = h.oldStart
		whole, ok := h.at(lines, h.oldStart)
		if p.hunks[i] = whole; !ok {
			return nil, fmt.Errorf("line %d: %w", h.oldStart+1, ErrMismatch)
		}
	}
	return p.apply(lines, starts)
}

// checkFile compares whether there is a file with what the patch expects.
func (p patch) checkFile(text []byte) error {
	switch {
	case p.old == noFile && text != nil:
		return fmt.Errorf("the file exists: %w", ErrMismatch)
	case p.old != noFile && text == nil:
		return fmt.Errorf("the file doesn't exist: %w", ErrMismatch)
	}
	return nil
}

// apply puts each hunk in the place of the lines that start at its start.
func (p patch) apply(lines []string, starts []int) ([]byte, error) {
	var out strings.Builder
	at := 0
	for i, h := range p.hunks {
		write(&out, lines[at:starts[i]])
		write(&out, h.new())
		at = starts[i] + len(h.old())
	}
	write(&out, lines[at:])
	if p.new == noFile {
		if out.Len() > 0 {
			return nil, fmt.Errorf("deletes a file but not its text: %w", ErrMismatch)
		}
		return nil, nil
	}
	if !wholeLines(out.String(), p, lines) {
		return nil, fmt.Errorf("joins two lines: %w", ErrMismatch)
	}
	return []byte(out.String()), nil
}

func write(out *strings.Builder, lines []string) {
	for _, l := range lines {
		out.WriteString(l)
	}
}

// wholeLines reports whether the result has as many lines as were written: a
// line without an ending, which only the last can be, did not come before another.
func wholeLines(result string, p patch, lines []string) bool {
	want := len(lines)
	for _, h := range p.hunks {
		want += len(h.new()) - len(h.old())
	}
	return len(splitLines(result)) == want
}

func matches(lines []string, at int, want []string) bool {
	return at >= 0 && at+len(want) <= len(lines) && slices.Equal(lines[at:at+len(want)], want)
}

// Invert returns the patch that takes a patch back. [ErrPatch] for no patch.
func Invert(patch string) (string, error) {
	if patch == "" {
		return "", nil
	}
	p, err := parse(patch)
	if err != nil {
		return "", err
	}
	p.old, p.new = invertName(p.new, "a/"), invertName(p.old, "b/")
	for i := range p.hunks {
		p.hunks[i] = p.hunks[i].invert()
	}
	return p.String(), nil
}

// invertName moves a name to the other side of the header.
func invertName(name, prefix string) string {
	if len(name) > 2 && (strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/")) {
		return prefix + name[2:]
	}
	return name
}

func (h hunk) invert() hunk {
	out := hunk{oldStart: h.newStart, newStart: h.oldStart, near: h.near}
	var added []line // written behind the removed lines, as is the custom
	for _, l := range h.lines {
		switch l.op {
		case '+':
			out.lines = append(out.lines, line{'-', l.text})
		case '-':
			added = append(added, line{'+', l.text})
		default:
			out.lines = append(append(out.lines, added...), l)
			added = nil
		}
	}
	out.lines = append(out.lines, added...)
	return out
}
