package index

import (
	"bytes"
	"kist/index/intake"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/vectorcache"
	"path"
	"strings"
	"unicode/utf8"
)

const (
	// maxPassage is how many bytes of a passage are embedded; the rest of it is found by
	// words. That is about 2,000 tokens, which the usual models take.
	maxPassage = 8 << 10
	// shortPassage is tried where a server won't have a passage: some take 512 tokens.
	shortPassage = 1 << 10
)

// A servedDocument is a document with the texts of its passages.
type servedDocument struct {
	path     string
	hash     manifest.Hash
	passages []servedPassage
}

type servedPassage struct {
	ordinal int32
	text    string
	key     vectorcache.Key
	known   bool
	vector  []float32 // nil: not known, or none
}

// complete reports whether nothing is to be asked for.
func (d servedDocument) complete() bool {
	for _, p := range d.passages {
		if !p.known {
			return false
		}
	}
	return true
}

// document finds the passages of a file and what the cache knows of them. The caller
// holds the mutex.
func (r *served) document(f *page.File, hash manifest.Hash, e manifest.Entry) servedDocument {
	_, prompt := r.embedder.Prompts()
	d := servedDocument{path: f.Path, hash: hash}
	if r.private == nil || !r.private(f.Path) {
		d.passages = passages(f, prompt, e)
	}
	r.recall(&d)
	return d
}

// recall fills in what the cache knows. The caller holds the mutex.
func (r *served) recall(d *servedDocument) {
	for i := range d.passages {
		p := &d.passages[i]
		if !p.known {
			p.vector, p.known = r.cache.Vector(p.key)
			p.known = p.known || r.odd[p.key]
		}
	}
}

// passages are the texts that stand for a file: all of a short one, else one for each
// section. A name that the file only has from its path is left out, so that moving a
// file changes none of them.
func passages(f *page.File, prompt string, e manifest.Entry) (all []servedPassage) {
	if f.Text == nil || len(bytes.TrimSpace(f.Text[f.Body:])) == 0 {
		return nil
	}
	title := f.Title
	if title == strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)) {
		title = ""
	}
	add := func(at page.Place, heading string, text []byte) {
		if len(bytes.TrimSpace(text)) == 0 {
			return
		}
		s := cutText(strings.TrimSpace(heading+"\n\n"+strings.TrimSpace(string(text))), maxPassage)
		s = prompt + s
		all = append(all, servedPassage{ordinal: int32(at), text: s, key: vectorcache.KeyOf(s)})
	}
	if intake.Whole(e.Sections, e.Tokens) {
		add(0, title, f.Text[f.Body:])
		return all
	}
	for entry, e := range f.Entries {
		for i, s := range f.Sections[e.From:e.To] {
			above := s.Headings
			if len(above) > 0 {
				above = above[:len(above)-1] // the last is in the text
			}
			heading := strings.Join(above, " > ")
			if len(s.Headings) == 0 || s.Headings[0] != title {
				heading = strings.TrimSpace(title + "\n" + heading)
			}
			add(page.PlaceOf(entry, i), heading, f.Text[s.Start:s.End])
		}
	}
	return all
}

// cutText cuts a text between two runes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
