package names

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/link"
	"kist/vault/markdown"
)

// Limits on what is kept of one document.
const (
	maxNames = 20
	maxName  = 200 // bytes
	maxTags  = 1000
	maxKeys  = 50
	maxLinks = 10_000
	maxHeads = 4 << 10 // bytes of headings
)

// An Entry is what is known of a document. It must not be changed.
type Entry struct {
	Path  string
	Title string   // what it is called: by its front matter, its first heading or its file
	Names []string // the title, where the file isn't called so, and the aliases
	Type  string
	ID    string // of the front matter
	Tags  []string

	links []string // keys of what it links to
	keys  []string // of its front matter
	find  string   // what it is called, in lower case, one name a line
	headings
}

// Base is the name of the document's file without its extension.
func (e *Entry) Base() string { return strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)) }

// newEntry reads the entry of a document from its text.
func newEntry(v *vault.Vault, p string, text []byte) *Entry {
	doc := markdown.Parse(text)
	e := &Entry{Path: p, Type: v.TypeOf(p)}
	base := e.Base()
	front, err := doc.FrontMatter()
	if err == nil && front != nil {
		e.Title = cmp.Or(front.String("name"), front.String("title"))
		e.Type = cmp.Or(front.String("type"), e.Type)
		e.ID = front.String("id")
		for _, p := range front.Keys()[:min(maxKeys, len(front.Keys()))] {
			e.keys = append(e.keys, p.Key)
		}
	}
	e.Title = clip(cmp.Or(e.Title, doc.Title(), base))
	names := []string{e.Title}
	if front != nil && err == nil {
		names = append(append(names, front.Strings("aliases")...), front.Strings("alias")...)
	}
	for _, n := range names {
		if n = clip(n); n != "" && n != base && len(e.Names) < maxNames && !slices.Contains(e.Names, n) {
			e.Names = append(e.Names, n)
		}
	}
	for _, t := range doc.Tags() {
		if len(e.Tags) < maxTags {
			e.Tags = append(e.Tags, t)
		}
	}
	for l := range markdown.EachLink(doc) {
		if key := link.Key(l.Name); key != "" && len(e.links) < maxLinks {
			e.links = append(e.links, strings.Clone(key))
		}
	}
	slices.Sort(e.links)
	e.links = slices.Clip(slices.Compact(e.links))
	e.find = strings.ToLower(strings.Join(append([]string{base}, e.Names...), "\n"))
	e.headings = headingsOf(doc, e.Title, maxHeads)
	return e
}

// clip holds a name to what is kept of it.
func clip(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
