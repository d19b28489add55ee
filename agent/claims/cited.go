package claims

import (
	"regexp"
	"slices"
)

var citation = regexp.MustCompile(`([\p{L}\p{N}_./ -]*[\p{L}\p{N}_-]\.md):[0-9]+`)

// Unread returns the documents that a text cites as path:line and that known doesn't know,
// each once, at most five.
func Unread(text string, known func(path string) bool) []string {
	var out []string
	for _, m := range citation.FindAllStringSubmatch(text, -1) {
		path := m[1]
		for !known(path) { // words may stand before it, and paths may have blanks
			i := slices.Index([]byte(path), ' ')
			if i < 0 {
				break
			}
			path = path[i+1:]
		}
		if !known(path) && !slices.Contains(out, path) && len(out) < 5 {
			out = append(out, path)
		}
	}
	return out
}
