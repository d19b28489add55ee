package link

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"kist/vault/markdown"
)

// Names are what documents can be linked by. The lists must not be changed.
type Names interface {
	// Files returns the paths of the documents whose file has the key, nearest first.
	Files(key string) []string
	// Called returns those with the title or alias, in lower case, nearest first.
	Called(name string) []string
}

// Key is what a file and links to it have in common: the last part of a path, in lower case
// and without ".md".
func Key(target string) string {
	key := path.Base(strings.ToLower(strings.TrimSpace(target)))
	if key == "." || key == "/" || len(key) > 512 {
		return ""
	}
	return strings.TrimSuffix(key, ".md")
}

// Nearer orders paths of one name: what a link without a path means comes first.
func Nearer(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// A Found is what a link leads to.
type Found struct {
	Path   string   // empty: to no document
	Called bool     // it was found by its title or an alias, not by its file's name
	Others []string // that are no farther away, or nearer: the link could mean them as well
}

// Resolve finds the document that a link in the document from means; one without a target
// means that itself.
func Resolve(names Names, l markdown.Link, from string) Found {
	if l.Name == "" {
		return Found{Path: from}
	}
	if l.Kind != markdown.WikiLink && strings.HasSuffix(strings.ToLower(l.Name), ".md") && !strings.HasPrefix(l.Name, "/") {
		if p := beside(names, l.Name, from); p != "" {
			return Found{Path: p}
		}
	}
	return ResolveName(names, l.Name, from)
}

// beside finds a file by its path from the folder of another.
func beside(names Names, target, from string) string {
	want := path.Join(path.Dir(strings.ToLower(from)), withoutSuffix(target))
	for _, p := range names.Files(Key(target)) {
		if withoutSuffix(p) == want {
			return p
		}
	}
	return ""
}

// ResolveName is [Resolve] for the target of a wiki link.
func ResolveName(names Names, target, from string) Found {
	name := withoutSuffix(strings.TrimSpace(target))
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return Found{Path: beside(names, name, from)}
	}
	files := names.Files(Key(name))
	if len(files) == 0 {
		if called := names.Called(name); len(called) > 0 {
			return Found{Path: called[0], Called: true, Others: called[1:]}
		}
		return Found{}
	}
	rooted := strings.HasPrefix(name, "/")
	name = strings.TrimPrefix(path.Clean(name), "/")
	exact := slices.IndexFunc(files, func(p string) bool { return withoutSuffix(p) == name })
	if exact >= 0 && (rooted || strings.Contains(name, "/")) {
		return Found{Path: files[exact]} // from the root
	}
	folder := strings.ToLower(path.Dir(from))
	var near [elsewhere + 1][]string
	for i, p := range files {
		if i != exact && strings.HasSuffix(withoutSuffix(p), "/"+name) {
			d := distance(folder, strings.ToLower(path.Dir(p)))
			near[d] = append(near[d], p)
		}
	}
	if exact >= 0 {
		found := Found{Path: files[exact]}
		if folder != "." { // who writes in a folder with one of that name may have meant that
			found.Others = slices.Concat(near[here], near[beneath])
		}
		return found
	}
	for _, list := range near {
		if len(list) > 0 {
			return Found{Path: list[0], Others: list[1:]}
		}
	}
	return Found{}
}

// Where a folder is, seen from another one.
const (
	here = iota
	beneath
	elsewhere
)

func distance(from, to string) int {
	switch {
	case from == to:
		return here
	case from == "." || strings.HasPrefix(to, from+"/"):
		return beneath
	}
	return elsewhere
}

func withoutSuffix(p string) string { return strings.TrimSuffix(strings.ToLower(p), ".md") }

// IsDocument reports whether a link's target can be a document: an attachment has an
// extension of its own.
func IsDocument(target string) bool {
	ext := path.Ext(target)
	return ext == "" || strings.EqualFold(ext, ".md") || len(ext) > 6 && !strings.EqualFold(ext, ".canvas") || strings.ContainsAny(ext, " ")
}
