package prose

import (
	"strconv"
	"strings"
)

// FileOf is the document of a source, without its line: of "notes/a.md:3" notes/a.md.
func FileOf(source string) string {
	i := strings.LastIndexByte(source, ':')
	if i < 0 {
		return source
	}
	if _, err := strconv.Atoi(source[i+1:]); err != nil {
		return source
	}
	return source[:i]
}

// Cites reports whether a reply names a document by its whole path: "notes/inbox.md" is no "inbox.md".
func Cites(reply, file string) bool {
	for rest := reply; ; {
		before, after, ok := strings.Cut(rest, file)
		switch {
		case !ok:
			return false
		case !strings.HasSuffix(before, "/"):
			return true
		}
		rest = after
	}
}
