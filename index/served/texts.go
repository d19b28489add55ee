package served

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

// A Document is a document with the texts of its passages.
type Document struct {
	Path     string
	Hash     manifest.Hash
	Passages []Passage
}

type Passage struct {
	Ordinal int32
	Text    string
	key     vectorcache.Key
	known   bool
	Vector  []float32 // nil: not known, or none
}

// Complete reports whether nothing is to be asked for.
func (d Document) Complete() bool {
	for _, p := range d.Passages {
		if !p.known {
			return false
		}
	}
	return true
}

// Document finds the passages of a file and what the cache knows of them.
func (r *Server) Document(f *page.File, hash manifest.Hash, e manifest.Entry) Document {
	_, prompt := r.embedder.Prompts()
	d := Document{Path: f.Path, Hash: hash}
	if r.private == nil || !r.private(f.Path) {
		d.Passages = Passages(f, prompt, e)
	}
	r.Recall(&d)
	return d
}

// Recall fills in what the cache knows.
func (r *Server) Recall(d *Document) {
	r.odds.Lock()
	defer r.odds.Unlock()
	for i := range d.Passages {
		p := &d.Passages[i]
		if !p.known {
			p.Vector, p.known = r.cache.Vector(p.key)
			p.known = p.known || r.odd[p.key]
		}
	}
}

// Passages are the texts that stand for a file: all of a short one, else one for each
// section. A name that the file only has from its path is left out, so that moving a
// file changes none of them.
func Passages(f *page.File, prompt string, e manifest.Entry) (all []Passage) {
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
		all = append(all, Passage{Ordinal: int32(at), Text: s, key: vectorcache.KeyOf(s)})
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
