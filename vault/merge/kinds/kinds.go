/*
Package kinds knows by their names which files aren't merged as others are.
*/
package kinds

import (
	"path"
	"regexp"
	"strings"
)

// IsPatterns reports whether a file has one pattern a line, such as .gitignore and .stignore.
func IsPatterns(name string) bool {
	base := path.Base(name)
	return base == ".gitattributes" || strings.HasPrefix(base, ".") && strings.HasSuffix(base, "ignore")
}

var workspaceFile = regexp.MustCompile(`^workspace(-[a-z]+)?\.json$`)

// IsMachines reports whether a file has the state of a program on one machine, such as which notes are open in
// Obsidian. Two machines' have nothing to do with each other, and of two states one is taken.
func IsMachines(name string) bool {
	return path.Base(path.Dir(name)) == ".obsidian" && workspaceFile.MatchString(path.Base(name))
}

// IsView reports whether a file has how a program shows the vault, such as the zoom of Obsidian's graph, beside settings: of two
// values for one key either will do.
func IsView(name string) bool { return strings.HasSuffix("/"+name, "/.obsidian/graph.json") }
