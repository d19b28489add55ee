package claims

import (
	"math"
	"slices"
	"strconv"

	"kist/vault/pattern"
)

var citation = pattern.Lazy(`([\p{L}\p{N}_./ -]*[\p{L}\p{N}_-]\.md):([0-9]+)`)

// most bounds how many citations are told.
const most = 5

// A cited line of a document. The path is known, or all that stands before the line and may
// belong to it.
type cited struct {
	path  string
	known bool
	line  int
	said  string // the line, as it is written
}

// citations finds what a text cites as path:line.
func citations(text string, known func(path string) bool) (out []cited) {
	for _, m := range citation().FindAllStringSubmatch(text, -1) {
		c := cited{path: m[1], said: m[2]}
		for c.known = known(c.path); !c.known; c.known = known(c.path) { // words may stand before it, and paths may have blanks
			i := slices.Index([]byte(c.path), ' ')
			if i < 0 {
				break
			}
			c.path = c.path[i+1:]
		}
		var err error
		if c.line, err = strconv.Atoi(m[2]); err != nil {
			c.line = math.MaxInt // more digits than any file has lines
		}
		out = append(out, c)
	}
	return out
}

// Unread returns the documents that a text cites as path:line and that known doesn't know,
// each once, at most five.
func Unread(text string, known func(path string) bool) []string {
	var out []string
	for _, c := range citations(text, known) {
		if !c.known && !slices.Contains(out, c.path) && len(out) < most {
			out = append(out, c.path)
		}
	}
	return out
}

// Beyond returns what a text cites as path:line of documents that have no such line, each
// once, at most five. lines tells how many a document has; less than 0: it isn't known.
func Beyond(text string, lines func(path string) int) []string {
	lengths := map[string]int{}
	length := func(path string) int {
		if _, ok := lengths[path]; !ok {
			lengths[path] = lines(path)
		}
		return lengths[path]
	}
	var out []string
	for _, c := range citations(text, func(path string) bool { return length(path) >= 0 }) {
		said := c.path + ":" + c.said
		if c.known && (c.line < 1 || c.line > length(c.path)) && !slices.Contains(out, said) && len(out) < most {
			out = append(out, said)
		}
	}
	return out
}
