/*
Package inline finds links, tags and block names in a line of text, each with its place. It
knows nothing of the document around it: package markdown says which lines are text. Code in
a line is blanked out first ([MaskCode]).
*/
package inline

import "bytes"

// MaskLines returns the lines of one paragraph with the content of code spans blanked out,
// also of those that go over several of them.
func MaskLines(lines [][]byte) [][]byte {
	all := bytes.Join(lines, []byte("\n"))
	if bytes.IndexByte(all, '`') < 0 {
		return lines
	}
	all = MaskCode(all)
	out := make([][]byte, len(lines))
	for i, line := range lines {
		out[i] = all[:len(line):len(line)]
		all = all[min(len(line)+1, len(all)):]
	}
	return out
}

// MaskCode returns the text with the content of code spans blanked out. A run
// of backticks that no later run in the text matches is text, and so is a backtick behind a
// backslash, but not within code.
func MaskCode(text []byte) []byte {
	if bytes.IndexByte(text, '`') < 0 {
		return text
	}
	last := map[int]int{} // position of the last run of each length
	for i := 0; i < len(text); {
		n := backticks(text[i:])
		if n > 0 {
			last[n] = i
		}
		i += max(n, 1)
	}
	out := bytes.Clone(text)
	for i := 0; i < len(text); {
		n := backticks(text[i:])
		switch {
		case text[i] == '\\':
			i += 2 // a backtick there starts nothing
			continue
		case n == 0 || last[n] <= i:
			i += max(n, 1)
			continue
		}
		i += n
		for m := backticks(text[i:]); m != n; m = backticks(text[i:]) {
			for range max(m, 1) {
				out[i] = '.'
				i++
			}
		}
		i += n
	}
	return out
}

func backticks(text []byte) int {
	n := 0
	for n < len(text) && text[n] == '`' {
		n++
	}
	return n
}
