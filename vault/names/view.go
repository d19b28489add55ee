package names

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"

	"kist/vault/link"
	"kist/vault/markdown"
)

// A Buffer is a document as an editor has it and hasn't saved it, or one that isn't there yet.
type Buffer struct {
	Path string
	Text []byte
}

// A View is a catalog at one moment. It implements [link.Names].
type View struct {
	Degraded string // why something that was saved may be missing; empty: nothing is

	catalog *Catalog
	over    map[string]*Entry // in the place of the table's; nil: there is none
	texts   map[string][]byte // of buffers
	parsed  map[string]*markdown.Document
}

// view makes a view; the read lock is held.
func (c *Catalog) view(buffers []Buffer, degraded string) *View {
	v := &View{catalog: c, Degraded: degraded, over: map[string]*Entry{}, texts: map[string][]byte{}, parsed: map[string]*markdown.Document{}}
	for _, b := range buffers {
		v.texts[b.Path] = b.Text
		v.over[b.Path] = newEntry(c.vault, b.Path, b.Text)
	}
	return v
}

// Close lets the catalog go on.
func (v *View) Close() { v.catalog.mu.RUnlock() }

// Moved returns the view as it will be when a document has another path. It ends with v.
func (v *View) Moved(from, to string) *View {
	after := *v
	after.over = maps.Clone(v.over)
	if e := v.Entry(from); e != nil {
		after.over[from] = nil
		moved := *e
		moved.Path, moved.find = to, ""
		if e.Title == e.Base() { // it is called by its file
			moved.Title = moved.Base()
		}
		base := moved.Base()
		moved.Names = slices.DeleteFunc(slices.Clone(e.Names), func(n string) bool { return n == base })
		if e.Title != e.Base() && e.Title != base && !slices.Contains(moved.Names, e.Title) {
			moved.Names = append(moved.Names, e.Title)
		}
		after.over[to] = &moved
	}
	return &after
}

// Edited returns the view as it will be when a document has another text. It ends with v.
func (v *View) Edited(p string, text []byte) *View {
	after := *v
	after.over, after.texts = maps.Clone(v.over), maps.Clone(v.texts)
	after.parsed = maps.Clone(v.parsed)
	delete(after.parsed, p)
	after.texts[p], after.over[p] = text, newEntry(v.catalog.vault, p, text)
	return &after
}

// Entry returns what is known of a document; nil: there is none.
func (v *View) Entry(p string) *Entry {
	if e, ok := v.over[p]; ok {
		return e
	}
	return v.catalog.table.entries[p]
}

// Unsaved reports whether a document's text is an editor's.
func (v *View) Unsaved(p string) bool { return v.texts[p] != nil }

// Document returns a document, as the editor has it where it has it unsaved. Errors are those
// of reading it.
func (v *View) Document(p string) (*markdown.Document, error) {
	if doc := v.parsed[p]; doc != nil {
		return doc, nil
	}
	if text := v.texts[p]; text != nil {
		doc := markdown.Parse(text)
		v.parsed[p] = doc
		return doc, nil
	}
	return v.catalog.vault.Document(p)
}

// Each goes over all documents: first those of buffers, then the others, nearest first.
func (v *View) Each() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, e := range v.over {
			if e != nil && !yield(e) {
				return
			}
		}
		for _, e := range v.catalog.table.order {
			if len(v.over) > 0 {
				if _, other := v.over[e.Path]; other {
					continue
				}
			}
			if !yield(e) {
				return
			}
		}
	}
}

// Files implements [link.Names].
func (v *View) Files(key string) []string {
	return v.paths(v.catalog.table.files[key], func(e *Entry) bool { return link.Key(e.Path) == key })
}

// Called implements [link.Names].
func (v *View) Called(name string) []string {
	return v.paths(v.catalog.table.called[name], func(e *Entry) bool { return hasName(e, name) })
}

func hasName(e *Entry, name string) bool {
	return slices.ContainsFunc(e.Names, func(n string) bool { return strings.ToLower(n) == name })
}

// Linking returns the documents that have a link with one of the keys, by path.
func (v *View) Linking(keys ...string) []string {
	var all []string
	for _, key := range keys {
		all = append(all, v.paths(v.catalog.table.linking[key], func(e *Entry) bool { return slices.Contains(e.links, key) })...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// WithID returns the documents that have an id in their front matter.
func (v *View) WithID(id string) []string {
	return v.paths(v.catalog.table.ids[id], func(e *Entry) bool { return e.ID == id })
}

// Tagged returns the documents that have a tag or one below it, by path.
func (v *View) Tagged(tag string) (paths []string) {
	for e := range v.Each() {
		if slices.ContainsFunc(e.Tags, func(t string) bool { _, is := link.CutTag(t, tag); return is }) {
			paths = append(paths, e.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// paths corrects a list of the table's by what lies over it.
func (v *View) paths(list []string, has func(*Entry) bool) []string {
	if len(v.over) == 0 {
		return list
	}
	out := slices.DeleteFunc(slices.Clone(list), func(p string) bool { _, other := v.over[p]; return other })
	for _, e := range v.over {
		if e != nil && has(e) {
			out = append(out, e.Path)
		}
	}
	slices.SortFunc(out, link.Nearer)
	return out
}

// Tags returns the tags of all documents, by name.
func (v *View) Tags() []Tag {
	counts := make(map[string]Tag, len(v.catalog.table.tags))
	for key, t := range v.catalog.table.tags {
		counts[key] = *t
	}
	count := func(e *Entry, n int) {
		if e == nil {
			return
		}
		for _, name := range e.Tags {
			key := strings.ToLower(name)
			t := counts[key]
			if t.Name == "" {
				t.Name = name
			}
			t.Documents += n
			counts[key] = t
		}
	}
	for p, e := range v.over {
		count(v.catalog.table.entries[p], -1)
		count(e, 1)
	}
	var all []Tag
	for _, t := range counts {
		if t.Documents > 0 {
			all = append(all, t)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Keys returns the front matters' keys, and in how many saved documents each is. It must not be changed.
func (v *View) Keys() map[string]int { return v.catalog.table.keys }

// Finds reports where an entry is called something that holds the words: 3 it is that, 2 it
// begins so, 1 one of its words does, 0 it holds it; -1 it doesn't. The text is in lower case.
func (e *Entry) Finds(text string) int {
	find := e.find
	if find == "" {
		find = strings.ToLower(e.Base())
	}
	best := -1
	for rest, at := find, 0; ; rest = find[at:] {
		i := strings.Index(rest, text)
		if i < 0 {
			return best
		}
		i += at
		end := i + len(text)
		starts := i == 0 || find[i-1] == '\n'
		switch {
		case starts && (end == len(find) || find[end] == '\n'):
			return 3
		case starts:
			best = max(best, 2)
		case strings.IndexByte(" -_/.(", find[i-1]) >= 0:
			best = max(best, 1)
		default:
			best = max(best, 0)
		}
		if at = i + 1; text == "" {
			return best
		}
	}
}
