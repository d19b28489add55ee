package page

import (
	"kist/index/match"
	"path"
	"slices"
	"strings"
)

// MaxNames is how many names of a document are looked for.
const MaxNames = 10

// NameKey is what names are compared by: their words in lower case.
func NameKey(name string) string {
	key := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !match.IsWordRune(r) }), " ")
	if len(key) > maxPropertyValue {
		return ""
	}
	return key
}

// names are the keys of what a document is called: its title, its aliases and its file's name.
func (f *File) names() (keys []string) {
	base := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	for _, name := range append([]string{f.Title, base}, f.Aliases...) {
		if key := NameKey(name); key != "" && len(keys) < MaxNames && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// CommonName reports whether a file's name says what it is and not what it is about,
// such as project.md.
func (f *File) CommonName(base string) bool {
	base = strings.ToLower(base)
	return base == strings.ToLower(f.Kind) || base == "readme" || base == "index"
}
