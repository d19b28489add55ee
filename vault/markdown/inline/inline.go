/*
Package inline finds links, tags and block names in a line of text, each with its place. It
knows nothing of the document around it: package markdown says which lines are text. Code in
a line is blanked out first ([MaskCode]).
*/
package inline

import "bytes"

// MaskCode returns the line with the content of code spans blanked out. A run
// of backticks that no later run on the line matches is text.
func MaskCode(line []byte) []byte {
	if bytes.IndexByte(line, '`') < 0 {
		return line
	}
	last := map[int]int{} // position of the last run of each length
	for i := 0; i < len(line); {
		n := backticks(line[i:])
		if n > 0 {
			last[n] = i
		}
		i += max(n, 1)
	}
	out := bytes.Clone(line)
	for i := 0; i < len(line); {
		n := backticks(line[i:])
		if n == 0 || last[n] <= i {
			i += max(n, 1)
			continue
		}
		i += n
		for m := backticks(line[i:]); m != n; m = backticks(line[i:]) {
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
