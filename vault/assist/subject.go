package assist

import (
	"kist/vault/link"
	"kist/vault/markdown"
)

// A subject is what a place in a document is about.
type subject struct {
	kind    subjectKind
	name    string        // as it is written now
	span    markdown.Span // of the name, in the document that is asked about
	path    string        // the document that it is, or is in
	section int           // of a heading
}

type subjectKind string

const (
	ofNote    subjectKind = "note"
	ofHeading subjectKind = "heading"
	ofTag     subjectKind = "tag"
)

// subject finds out what is at the place: a link's anchor or its document, a tag, or a
// heading; false: nothing of that, and the subject is the document itself.
func (o *open) subject() (subject, bool) {
	src := o.doc.Source()
	text := func(s markdown.Span) string { return string(src[s.Start:s.End]) }
	for l := range markdown.EachLink(o.doc) {
		if o.at < l.All.Start || o.at > l.All.End {
			continue
		}
		t := link.Resolve(o.View, l, o.path)
		if t.Path == "" || l.Name != "" && !link.IsDocument(l.Name) {
			break
		}
		if doc, err := o.lookAt(t.Path); l.Hash && o.at >= l.Fragment.Start && o.at <= l.Fragment.End && err == nil {
			if i, ok := o.placesOf(doc).headings.Find(l.Anchor); ok {
				return subject{ofHeading, doc.Sections()[i].Heading(), l.Fragment, t.Path, i}, true
			}
		}
		return subject{ofNote, text(l.Target), l.Target, t.Path, 0}, true
	}
	for t := range markdown.EachTag(o.doc) {
		if t.Start-1 <= o.at && o.at <= t.End {
			return subject{ofTag, t.Name, t.Span, o.path, 0}, true
		}
	}
	for i, s := range o.doc.Sections() {
		if s.Level > 0 && s.Start <= o.at && o.at < s.ContentStart {
			return subject{ofHeading, text(s.Title), s.Title, o.path, i}, true
		}
	}
	return subject{kind: ofNote, path: o.path}, false
}
