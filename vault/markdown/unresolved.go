package markdown

import "bytes"

// Unresolved returns the line, from 1, at which a text has what git leaves of a merge that a person has to finish: lines that begin
// with <<<<<<<, ======= and >>>>>>>, in this order; 0: it has none.
func Unresolved(text []byte) int {
	if !bytes.Contains(text, []byte("<<<<<<< ")) {
		return 0
	}
	at, seen, n := 0, 0, 0
	for line := range bytes.Lines(text) {
		n++
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			at, seen = n, 1
		case seen == 1 && string(bytes.TrimRight(line, "\r\n")) == "=======":
			seen = 2
		case seen == 2 && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			return at
		}
	}
	return 0
}
