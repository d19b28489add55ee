package link

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"kist/vault/markdown"
)

// A Move is the change of where documents are and what they are called.
type Move struct {
	Before, After Names
	From, To      string // the document that moves; the same where only its title changes
	Title         string // what links by its old title are to say; empty: it keeps its title
}

// where is what a path is after the move.
func (m Move) where(p string) string {
	if p == m.From {
		return m.To
	}
	return p
}

// Relink returns the edits with which each link of a document, of which p is the path before
// the move, means what it meant before, and the links for which there is no way.
func (m Move) Relink(doc *markdown.Document, p string) ([]markdown.Edit, []markdown.Link) {
	w := newWriter(doc)
	to := m.where(p)
	for l := range markdown.EachLink(doc) {
		if l.Name == "" {
			continue
		}
		if !IsDocument(l.Name) {
			if p != to && l.Kind != markdown.WikiLink {
				rebase(w, l, p, to)
			}
			continue
		}
		meant := Resolve(m.Before, l, p)
		if meant.Path == "" {
			continue
		}
		want := m.where(meant.Path)
		// What was found by its file stays so: other programs know of no titles, and some of no
		// other letters than those that stand there.
		respelt := meant.Path == m.From && m.From != m.To && !meant.Called && strings.EqualFold(m.From, m.To)
		if now := Resolve(m.After, l, to); now.Path == want && (meant.Called || !now.Called) && !respelt {
			continue
		}
		text, ok := target(m.After, l, to, want)
		if m.Title != "" && meant.Called && l.Kind == markdown.WikiLink && Linkable(m.Title) && ResolveName(m.After, m.Title, to).Path == want {
			text, ok = m.Title, true
		}
		if ok && l.Kind != markdown.WikiLink {
			text, ok = address(l, text)
		}
		if !ok {
			w.left = append(w.left, l)
			continue
		}
		if text != string(doc.Source()[l.Target.Start:l.Target.End]) {
			w.put(l, l.Target, text)
		}
	}
	return w.done()
}

// rebase keeps a Markdown link to an attachment right when its document goes to another folder.
func rebase(w *writer, l markdown.Link, from, to string) {
	if strings.HasPrefix(l.Name, "/") || path.Dir(from) == path.Dir(to) {
		return
	}
	text, ok := address(l, relativePath(path.Dir(to), path.Join(path.Dir(from), l.Name)))
	if !ok || strings.HasPrefix(path.Join(path.Dir(from), l.Name), "../") {
		w.left = append(w.left, l)
		return
	}
	w.put(l, l.Target, text)
}

// A Retitle is the change of one heading of a document.
type Retitle struct {
	Path    string
	Section int // of the sections before
	Title   string

	before, after       []markdown.Section
	headings            *Headings // before
	slugsWere, slugsAre []string
}

// NewRetitle works out what follows from another text of a heading, and returns the edit of
// the document itself. The text is one line, without "#" before it.
func NewRetitle(doc *markdown.Document, p string, section int, title string) (*Retitle, markdown.Edit, error) {
	title = strings.Join(strings.Fields(title), " ")
	r := &Retitle{Path: p, Section: section, Title: title, before: doc.Sections()}
	if section < 0 || section >= len(r.before) || r.before[section].Level == 0 {
		return nil, markdown.Edit{}, fmt.Errorf("%w: there is no heading", markdown.ErrNoSection)
	}
	s := r.before[section]
	edit := markdown.Edit{Start: s.Title.Start, End: s.Title.End, Text: []byte(title)}
	after := markdown.Parse(edit.Apply(doc.Source()))
	r.after = after.Sections()
	if title == "" || len(r.after) != len(r.before) || r.after[section].Level != s.Level || r.after[section].Start != s.Start {
		return nil, edit, fmt.Errorf("%w: %q can't be the text of a heading", markdown.ErrValue, title)
	}
	r.headings = NewHeadings(r.before)
	r.slugsWere, r.slugsAre = Slugs(r.before), Slugs(r.after)
	return r, edit, nil
}

// Reanchor returns the edits with which the links of a document to places in the one with the
// new heading lead to the same places. Means tells whether a link leads into that document.
func (r *Retitle) Reanchor(doc *markdown.Document, means func(markdown.Link) bool) ([]markdown.Edit, []markdown.Link) {
	w := newWriter(doc)
	for l := range markdown.EachLink(doc) {
		if !l.Hash || l.Anchor == "" || strings.HasPrefix(l.Anchor, "^") || !means(l) {
			continue
		}
		if text, changed := r.anchor(l); changed {
			w.put(l, l.Fragment, text)
		}
	}
	return w.done()
}

// anchor is what a link's anchor becomes.
func (r *Retitle) anchor(l markdown.Link) (string, bool) {
	i, ok := r.headings.Find(l.Anchor)
	if !ok {
		return "", false
	}
	parts := strings.Split(l.Anchor, "#")
	at, named := align(r.before[i].Path, parts)
	if !named || l.Kind != markdown.WikiLink && l.Anchor == r.slugsWere[i] { // by its address
		return r.slugsAre[i], r.slugsAre[i] != r.slugsWere[i]
	}
	changed := false
	for j, place := range at {
		now := r.after[i].Path[place]
		if Plain(now) != Plain(parts[j]) && now != r.before[i].Path[place] {
			parts[j], changed = InLink(now), true
		}
	}
	text := strings.Join(parts, "#")
	if l.Kind != markdown.WikiLink {
		text = strings.ReplaceAll(url.PathEscape(strings.Join(parts, "#")), "%23", "#")
		if l.Angled {
			text = strings.Join(parts, "#")
		}
	}
	return text, changed
}

// IsTag reports whether a text can be a tag, without "#".
func IsTag(name string) bool {
	if name == "" || strings.Trim(name, "/") != name || strings.Contains(name, "//") {
		return false
	}
	tags := markdown.Parse([]byte("#" + name)).Tags()
	return len(tags) == 1 && tags[0] == name
}

// Retag returns the edits that give a tag of a document, and those below it, another name.
// What looks like a tag in the target of a link ("[[note #place]]") is where that leads.
func Retag(doc *markdown.Document, from, to string) []markdown.Edit {
	w, links := newWriter(doc), map[int]bool{}
	for l := range markdown.EachLink(doc) {
		links[l.Fragment.Start] = links[l.Fragment.Start] || l.Hash
	}
	for t := range markdown.EachTag(doc) {
		if below, is := CutTag(t.Name, from); is && !links[t.Start] {
			w.put(markdown.Link{Front: t.Front}, t.Span, to+below)
		}
	}
	edits, _ := w.done()
	return edits
}

// CutTag reports whether a tag is another one or below it, and returns what is below.
func CutTag(tag, parent string) (below string, is bool) {
	if len(tag) < len(parent) || !strings.EqualFold(tag[:len(parent)], parent) {
		return "", false
	}
	below = tag[len(parent):]
	return below, below == "" || below[0] == '/'
}
