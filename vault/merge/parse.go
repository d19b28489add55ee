package merge

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)\n?$`)

// parse reads a unified diff of one file.
func parse(text string) (patch, error) {
	lines := splitLines(text)
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ ") {
		return patch{}, fmt.Errorf("no header: %w", ErrPatch)
	}
	p := patch{old: unquoteName(lines[0][4:]), new: unquoteName(lines[1][4:])}
	lines = lines[2:]
	last, shift := 0, 0 // the end of the hunk before, and how far lines have moved there
	for len(lines) > 0 {
		h, rest, err := parseHunk(lines)
		if err != nil {
			return patch{}, err
		}
		old := len(h.old())
		if h.oldStart < last || h.newStart != h.oldStart+shift {
			return patch{}, fmt.Errorf("line numbers don't add up: %w", ErrPatch)
		}
		last, shift = h.oldStart+old, shift+len(h.new())-old
		p.hunks = append(p.hunks, h)
		lines = rest
	}
	return p, nil
}

func parseHunk(lines []string) (hunk, []string, error) {
	m := hunkHeader.FindStringSubmatch(lines[0])
	if m == nil {
		return hunk{}, nil, fmt.Errorf("no hunk header: %w", ErrPatch)
	}
	h := hunk{near: parseNear(m[5])}
	var old, new int
	h.oldStart, old = parseSpan(m[1], m[2])
	h.newStart, new = parseSpan(m[3], m[4])
	lines = lines[1:]
	for old > 0 || new > 0 {
		if len(lines) == 0 || !strings.HasSuffix(lines[0], "\n") {
			return hunk{}, nil, fmt.Errorf("hunk is cut off: %w", ErrPatch)
		}
		l := line{op: lines[0][0], text: lines[0][1:]}
		switch l.op {
		case ' ':
			old, new = old-1, new-1
		case '-':
			old--
		case '+':
			new--
		default:
			return hunk{}, nil, fmt.Errorf("line %q in a hunk: %w", lines[0], ErrPatch)
		}
		lines = lines[1:]
		if len(lines) > 0 && strings.HasPrefix(lines[0], "\\") {
			l.text = strings.TrimSuffix(l.text, "\n")
			lines = lines[1:]
		}
		h.lines = append(h.lines, l)
	}
	if h.near != nil && h.near.part && !h.trim() {
		return hunk{}, nil, fmt.Errorf("no part of a line: %w", ErrPatch)
	}
	if old < 0 || new < 0 {
		return hunk{}, nil, fmt.Errorf("hunk is longer than it says: %w", ErrPatch)
	}
	return h, lines, nil
}

// trim takes the line breaks off that end the two sides of a part; false: it has not
// just lines removed, and behind them lines added.
func (h *hunk) trim() bool {
	last := len(h.lines) - 1
	removed := slices.IndexFunc(h.lines, func(l line) bool { return l.op == '+' }) - 1
	if removed < 0 || slices.ContainsFunc(h.lines[:removed+1], func(l line) bool { return l.op != '-' }) ||
		slices.ContainsFunc(h.lines[removed+1:], func(l line) bool { return l.op != '+' }) {
		return false
	}
	for _, i := range []int{removed, last} {
		h.lines[i].text = strings.TrimSuffix(h.lines[i].text, "\n")
	}
	return true
}

// parseSpan reads "12,3" as the index of the first line and the number of lines.
func parseSpan(start, count string) (first, n int) {
	first, _ = strconv.Atoi(start) // digits by the expression
	n = 1
	if count != "" {
		n, _ = strconv.Atoi(count)
	}
	if n > 0 {
		first--
	}
	return first, n
}

func unquoteName(name string) string {
	name = strings.TrimSuffix(name, "\n")
	if unquoted, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return unquoted
	}
	return name
}
