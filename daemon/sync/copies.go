package sync

import (
	"path"
	"regexp"
	"strings"
)

// A Conflict is a file that two sides changed in ways that contradict each other: the
// document has one, and a copy beside it the other.
type Conflict struct {
	Path string // of the copy
	Of   string // of the document; empty: there is none any more
	From string // who kept the copy: kist, Syncthing, Dropbox, Nextcloud, iCloud or an editor
	Note string // what its name says of whose it is and when; may be empty
}

const (
	copyMark = ".conflict-" // in the names of the copies that sync makes
	iCloud   = "iCloud"
)

// copies are the names that programs give to conflict copies, with the document's stem
// first and its ending last. What only looks like one has no document beside it.
var copies = []struct {
	from   string
	form   *regexp.Regexp
	beside bool // it counts only where its document is there, and has much of the same text
}{
	{"kist", regexp.MustCompile(`^(.+)` + regexp.QuoteMeta(copyMark) + `(.+-\d{4}-\d\d-\d\d(?:-\d+)?)(\.[^.]*|)$`), false},
	{"an editor", regexp.MustCompile(`^(.+) \(conflict (\d{4}-\d\d-\d\d \d{6}(?: \d+)?)\)(\.[^.]*|)$`), false},
	{"Syncthing", regexp.MustCompile(`^(.+)\.sync-conflict-(\d{8}-\d{6}-[A-Z0-9]{7})(\.[^.]*|)$`), false},
	{"Nextcloud", regexp.MustCompile(`^(.+) \((conflicted copy \d{4}-\d\d-\d\d \d{6})\)(\.[^.]*|)$`), false},
	// In the language of the user: "In Konflikt stehende Kopie von ...", "Copie en conflit de ...".
	{"Dropbox", regexp.MustCompile(`^(.+) \((.+['’]s conflicted copy.*|.*[Cc]onfli[ck]?t.*\d{4}-\d\d-\d\d.*|.*Konflikt.*\d{4}-\d\d-\d\d.*)\)(\.[^.]*|)$`), false},
	{iCloud, regexp.MustCompile(`^(.+) ([2-9])(\.md)$`), true},
}

// copyOf returns what a file is a conflict copy of, if it is one by its name. exists says
// whether a document is there.
func copyOf(p string, exists func(string) bool) (Conflict, bool) {
	dir, base := path.Split(p)
	for _, c := range copies {
		m := c.form.FindStringSubmatch(base)
		if m == nil {
			continue
		}
		of := dir + m[1] + m[3]
		there := exists(of)
		if c.beside && !there {
			continue
		}
		if !there {
			of = ""
		}
		return Conflict{Path: p, Of: of, From: c.from, Note: m[2]}, true
	}
	return Conflict{}, false
}

// hidden: a path has a part whose name begins with a dot.
func hidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }
