/*
Package copies knows conflict copies by their names: those that sync makes, and those of other programs that sync folders.
*/
package copies

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Copy is a file that two sides changed in ways that contradict each other: the
// document has one, and a copy beside it the other.
type Copy struct {
	Path string // of the copy
	Of   string // of the document; empty: there is none any more
	From string // who kept the copy: kist, Syncthing, Dropbox, Nextcloud, iCloud or an editor
	Note string // what its name says of whose it is and when; may be empty
}

// What is in names, and what a program is called.
const (
	Mark   = ".conflict-" // in the names of the copies that sync makes
	Kist   = "kist"
	ICloud = "iCloud"
)

// forms are the names that programs give to conflict copies, with the document's stem
// first and its ending last. What only looks like one has no document beside it.
var forms = []struct {
	from   string
	form   *regexp.Regexp
	beside bool // it counts only where its document is there, and has much of the same text
}{
	{Kist, regexp.MustCompile(`^(.+)` + regexp.QuoteMeta(Mark) + `(.+-\d{4}-\d\d-\d\d(?:-\d+)?)(\.[^.]*|)$`), false},
	{"an editor", regexp.MustCompile(`^(.+) \(conflict (\d{4}-\d\d-\d\d \d{6}(?: \d+)?)\)(\.[^.]*|)$`), false},
	{"Syncthing", regexp.MustCompile(`^(.+)\.sync-conflict-(\d{8}-\d{6}-[A-Z0-9]{7})(\.[^.]*|)$`), false},
	{"Nextcloud", regexp.MustCompile(`^(.+) \((conflicted copy \d{4}-\d\d-\d\d \d{6})\)(\.[^.]*|)$`), false},
	// In the language of the user: "In Konflikt stehende Kopie von ...", "Copie en conflit de ...".
	{"Dropbox", regexp.MustCompile(`^(.+) \((.+['’]s conflicted copy.*|.*[Cc]onfli[ck]?t.*\d{4}-\d\d-\d\d.*|.*Konflikt.*\d{4}-\d\d-\d\d.*)\)(\.[^.]*|)$`), false},
	{ICloud, regexp.MustCompile(`^(.+) ([2-9])(\.md)$`), true},
}

// Of returns what a file is a conflict copy of, if it is one by its name. exists says
// whether a document is there.
func Of(p string, exists func(string) bool) (Copy, bool) {
	dir, base := path.Split(p)
	for _, c := range forms {
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
		return Copy{Path: p, Of: of, From: c.from, Note: m[2]}, true
	}
	return Copy{}, false
}

// Hidden: a path has a part whose name begins with a dot.
func Hidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// InHidden are the conflict copies that sync made of settings, such as those of an editor in .obsidian. The
// vault's own walk passes over hidden folders.
func InHidden(dir string) (found []string) {
	top, _ := os.ReadDir(dir)
	for _, e := range top {
		name := e.Name()
		if !strings.HasPrefix(name, ".") || name == ".kist" || name == ".trash" || strings.EqualFold(name, ".git") {
			continue
		}
		_ = filepath.WalkDir(filepath.Join(dir, name), func(p string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && strings.EqualFold(e.Name(), ".git") {
				return filepath.SkipDir
			}
			if err == nil && e.Type().IsRegular() && strings.Contains(e.Name(), Mark) {
				if p, err = filepath.Rel(dir, p); err == nil {
					found = append(found, filepath.ToSlash(p))
				}
			}
			return nil
		})
	}
	return found
}

// Former is the name of the copy that sync made in a folder, earlier, of somebody's version of a file; empty: there is none.
func Former(dir, name, whose string) string {
	all, _ := os.ReadDir(dir)
	for _, e := range all {
		c, is := Of(e.Name(), func(string) bool { return true })
		if at := day.FindStringIndex(c.Note); is && c.From == Kist && c.Of == name && at != nil && c.Note[:at[0]] == whose+"-" {
			return e.Name()
		}
	}
	return ""
}

// Alike: two texts have at least half of the lines of the shorter one in common.
func Alike(ours, theirs []byte) bool {
	a, b := counted(ours), counted(theirs)
	both := 0
	for line := range a {
		if b[line] > 0 {
			both++
		}
	}
	return both > 0 && 2*both >= min(len(a), len(b))
}

// own are the lines of front matter that tell one document from another.
var own = regexp.MustCompile(`^(?i)(?:id|uid|title|date|created)[\w-]*:`)

// Twins: two documents were the same once and are still half of it, by the words of the lines that they have in common but for
// headings, properties and what is said more than once. "Chapter 2" beside "Chapter" is a chapter, and two notes of one template are two notes.
func Twins(ours, theirs []byte) bool {
	a, nameA, keysA := body(ours)
	b, nameB, keysB := body(theirs)
	if nameA != nameB {
		return false
	}
	for key, value := range keysA {
		if other, there := keysB[key]; there && other != value {
			return false
		}
	}
	both, inA, inB := 0, 0, 0
	for line, n := range a {
		inA += n
		both += min(n, b[line])
	}
	for _, n := range b {
		inB += n
	}
	return both > 0 && 2*both >= max(inA, inB)
}

// body is how many words each line of a document has, apart from headings and front matter, its first heading, and its own properties.
func body(text []byte) (lines map[string]int, name string, keys map[string]string) {
	lines, keys = map[string]int{}, map[string]string{}
	front := false
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		n++
		switch {
		case line == "---" && (n == 1 || front):
			front = n == 1
		case front:
			if key := own.FindString(line); key != "" {
				keys[strings.ToLower(key)] = line
			}
		case strings.HasPrefix(line, "#"):
			if name == "" {
				name = line
			}
		default:
			lines[line] = len(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		}
	}
	return lines, name, keys
}

// Unsettled are those of files, by their paths in the repository, of which one of the copies is.
func Unsettled(found []Copy, files []string) []string {
	return slices.DeleteFunc(files, func(f string) bool {
		return !slices.ContainsFunc(found, func(c Copy) bool {
			was, _ := Of(c.Path, func(string) bool { return true })
			return c.Of == "" || strings.HasSuffix("/"+f, "/"+c.Of) || strings.HasSuffix("/"+f, "/"+was.Of)
		})
	})
}
