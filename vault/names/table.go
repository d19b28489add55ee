package names

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"kist/vault/link"
)

// A table is the entries of all documents, and where to look for them.
type table struct {
	entries map[string]*Entry
	files   map[string][]string // by link.Key of the path
	called  map[string][]string // by title or alias, in lower case
	linking map[string][]string // by link.Key of a link's target, in no order
	tags    map[string]*Tag     // by name in lower case
	keys    map[string]int      // of front matters: in how many documents
	ids     map[string][]string
	words   map[string]*word       // strings that many entries share
	loose   map[string]bool        // keys of files and called whose lists aren't sorted
	order   []*Entry               // nearest first
	many    bool                   // order is to be made anew
	most    int                    // of entries since it was made
	finder  atomic.Pointer[finder] // nil: to be made when it is asked for
}

// A word is a string that entries have, once for all of them.
type word struct {
	text string
	uses int
}

// A Tag is one that documents have.
type Tag struct {
	Name      string // as it is written somewhere
	Documents int
}

func newTable() *table {
	return &table{
		entries: map[string]*Entry{}, files: map[string][]string{}, called: map[string][]string{},
		linking: map[string][]string{}, tags: map[string]*Tag{}, keys: map[string]int{}, ids: map[string][]string{}, words: map[string]*word{}, loose: map[string]bool{},
	}
}

// set puts an entry in the place of the one of its path; nil takes that away. sort has to follow.
func (t *table) set(p string, e *Entry) {
	t.finder.Store(nil)
	if old := t.entries[p]; old != nil {
		t.remove(old)
	}
	if e == nil {
		return
	}
	t.share(e)
	t.entries[p] = e
	t.most = max(t.most, len(t.entries))
	if !t.many {
		i, _ := slices.BinarySearchFunc(t.order, p, byPath)
		t.order = slices.Insert(t.order, i, e)
	}
	t.list(t.files, link.Key(p), p)
	for _, n := range e.Names {
		t.list(t.called, strings.ToLower(n), p)
	}
	for _, l := range e.links {
		t.linking[l] = append(t.linking[l], p)
	}
	if e.ID != "" {
		t.ids[e.ID] = append(t.ids[e.ID], p)
	}
	for _, key := range e.keys {
		t.keys[key]++
	}
	for _, name := range e.Tags {
		key := strings.ToLower(name)
		tag := t.tags[key]
		if tag == nil {
			tag = &Tag{Name: name}
			t.tags[key] = tag
		}
		tag.Documents++
	}
}

func byPath(e *Entry, p string) int { return link.Nearer(e.Path, p) }

func (t *table) list(in map[string][]string, key, p string) {
	if n := len(in[key]); n == 0 || in[key][n-1] != p { // else two of its names differ in case only
		in[key] = append(in[key], p)
		t.loose[key] = true
	}
}

// sort puts the lists that were added to into their order.
func (t *table) sort() {
	for key := range t.loose {
		slices.SortFunc(t.files[key], link.Nearer)
		slices.SortFunc(t.called[key], link.Nearer)
	}
	clear(t.loose)
	if !t.many {
		return
	}
	t.order = slices.AppendSeq(make([]*Entry, 0, len(t.entries)), maps.Values(t.entries))
	slices.SortFunc(t.order, func(a, b *Entry) int { return link.Nearer(a.Path, b.Path) })
	t.many = false
}

// shrunk is the table in the room that it needs: a map keeps that of what is gone.
func (t *table) shrunk() *table {
	if t.most < 1000 || len(t.entries) > t.most/4 {
		return t
	}
	left := newTable()
	left.many = true
	for p, e := range t.entries {
		left.set(p, e)
	}
	left.sort()
	return left
}

func (t *table) remove(e *Entry) {
	delete(t.entries, e.Path)
	if i, found := slices.BinarySearchFunc(t.order, e.Path, byPath); found && !t.many {
		t.order = slices.Delete(t.order, i, i+1)
	}
	t.part(e)
	unlist(t.files, link.Key(e.Path), e.Path)
	for _, n := range e.Names {
		unlist(t.called, strings.ToLower(n), e.Path)
	}
	for _, l := range e.links {
		unlist(t.linking, l, e.Path)
	}
	if e.ID != "" {
		unlist(t.ids, e.ID, e.Path)
	}
	for _, key := range e.keys {
		if t.keys[key]--; t.keys[key] == 0 {
			delete(t.keys, key)
		}
	}
	for _, name := range e.Tags {
		key := strings.ToLower(name)
		if tag := t.tags[key]; tag != nil {
			if tag.Documents--; tag.Documents == 0 {
				delete(t.tags, key)
			}
		}
	}
}

// unlist makes a new list, as views may hold the old one.
func unlist(in map[string][]string, key, p string) {
	left := slices.DeleteFunc(slices.Clone(in[key]), func(o string) bool { return o == p })
	if len(left) == 0 {
		delete(in, key)
		return
	}
	in[key] = left
}

// share makes strings that entries have in common one.
func (t *table) share(e *Entry) {
	e.Type = t.word(e.Type)
	for _, list := range [][]string{e.Tags, e.links, e.keys} {
		for i, s := range list {
			list[i] = t.word(s)
		}
	}
}

func (t *table) word(s string) string {
	w := t.words[s]
	if w == nil {
		w = &word{text: strings.Clone(s)}
		t.words[w.text] = w
	}
	w.uses++
	return w.text
}

// part lets go of the strings that an entry shared.
func (t *table) part(e *Entry) {
	for _, list := range [][]string{{e.Type}, e.Tags, e.links, e.keys} {
		for _, s := range list {
			if w := t.words[s]; w != nil {
				if w.uses--; w.uses == 0 {
					delete(t.words, s)
				}
			}
		}
	}
}
