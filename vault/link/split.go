package link

import (
	"net/url"
	"path"
	"strings"

	"kist/vault/markdown"
)

// A Split is what becomes of links when a part of a document becomes one of its own.
type Split struct {
	Before, After Names
	From, To      string
	Part          markdown.Span // of From's text before, which To gets
	// Place finds where an anchor leads in From before: where its heading or line begins.
	Place func(anchor string) (int, bool)
	// Headings are those of To.
	Headings *Headings
}

// Relink returns the edits with which the links of a document, of which p is the path, lead to
// the places to which they led before, and the links for which there is no way. Of From itself
// they are edits of the text before, also in what it gives away.
func (s Split) Relink(doc *markdown.Document, p string) ([]markdown.Edit, []markdown.Link) {
	w := newWriter(doc)
	for l := range markdown.EachLink(doc) {
		in := p // the document that has the link afterwards
		if p == s.From && s.has(l.All.Start) {
			in = s.To
		}
		want := in // the document that has the place
		if l.Name != "" || l.Anchor != "" {
			want = s.means(l, p)
		}
		if want == "" || l.Name == "" && want == in || l.Name != "" && Resolve(s.After, l, in).Path == want && s.there(l, want) {
			continue
		}
		s.write(w, l, in, want)
	}
	return w.done()
}

func (s Split) has(at int) bool { return s.Part.Start <= at && at < s.Part.End }

// means is the document in which the place of a link is afterwards; empty: it leads to neither.
func (s Split) means(l markdown.Link, p string) string {
	if l.Name != "" && (!IsDocument(l.Name) || Resolve(s.Before, l, p).Path != s.From) {
		return ""
	}
	if l.Anchor == "" {
		return s.From
	}
	if at, ok := s.Place(l.Anchor); ok && s.has(at) {
		return s.To
	}
	return s.From
}

// there reports whether the anchor of a link says the place in the document that has it.
func (s Split) there(l markdown.Link, want string) bool {
	text, _ := s.anchor(l, want)
	return text == ""
}

// write has a link of one document lead into another.
func (s Split) write(w *writer, l markdown.Link, in, want string) {
	like := l
	if l.Name == "" && l.Kind != markdown.WikiLink {
		like.Name = path.Base(want) // with its ending
	}
	text, ok := target(s.After, like, in, want)
	if ok && l.Kind != markdown.WikiLink {
		text, ok = address(l, text)
	}
	anchor, fits := s.anchor(l, want)
	if !ok || !fits {
		w.left = append(w.left, l)
		return
	}
	w.put(l, l.Target, text)
	if anchor != "" {
		w.put(l, l.Fragment, anchor)
	}
}

// anchor is what the anchor of a link has to be where the headings above its place stay behind;
// empty: it needs no other.
func (s Split) anchor(l markdown.Link, want string) (string, bool) {
	if want != s.To || l.Anchor == "" || strings.HasPrefix(l.Anchor, "^") {
		return "", true
	}
	if _, ok := s.Headings.Find(l.Anchor); ok {
		return "", true
	}
	parts := strings.Split(l.Anchor, "#")
	for i := 1; i < len(parts); i++ {
		text := strings.Join(parts[i:], "#")
		if _, ok := s.Headings.Find(text); !ok {
			continue
		}
		if l.Kind != markdown.WikiLink && !l.Angled {
			text = strings.ReplaceAll(url.PathEscape(text), "%23", "#")
		}
		return text, true
	}
	return "", false
}
