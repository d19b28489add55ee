package lsp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	v1 "kist/proto/kist/v1"
	places "kist/vault/position"
)

// A document is one that the editor has open. It isn't changed: each change makes a new one.
type document struct {
	uri     string
	path    string // in the vault; empty: it isn't in there
	text    []byte
	version int
	saved   bool // the editor said so, and nothing was changed since
	lines   *places.Table
}

// maxText is how large a document may be to be asked about, in bytes.
const maxText = 3 << 20

func (s *server) newDocument(uri string, text []byte, version int) *document {
	return &document{uri: uri, path: s.pathOf(uri), text: text, version: version, lines: places.New(text)}
}

// usable reports whether the daemon can be asked about the document.
func (d *document) usable() bool { return d != nil && d.path != "" && len(d.text) <= maxText }

func (d *document) hash() string {
	sum := sha256.Sum256(d.text)
	return hex.EncodeToString(sum[:])
}

// document returns an open document; nil: it isn't open.
func (s *server) document(uri string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.docs[uri]
}

// opened lists the open documents by path.
func (s *server) opened() []*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*document
	for _, d := range s.docs {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *document) int { return strings.Compare(a.path, b.path) })
	return all
}

// maxUnsaved is how many texts go along with a question.
const maxUnsaved = 50

// unsaved are the texts that count in the place of the files': that of the document which is
// asked about, and of those that were changed since they were saved.
func (s *server) unsaved(about *document) (list []*v1.UnsavedDocument) {
	room := maxText
	add := func(d *document) {
		if room -= len(d.text); d.usable() && room >= 0 && len(list) < maxUnsaved {
			list = append(list, &v1.UnsavedDocument{Path: d.path, Text: valid(d.text)})
		}
	}
	if about != nil {
		add(about)
	}
	for _, d := range s.opened() {
		if !d.saved && (about == nil || d.uri != about.uri) {
			add(d)
		}
	}
	return list
}

// valid is a text as the daemon takes it. One that isn't changed any more, as a document's, is
// taken itself: it may have megabytes, and goes along with each question.
func valid(text []byte) string {
	return strings.ToValidUTF8(unsafe.String(unsafe.SliceData(text), len(text)), "\uFFFD")
}

// didOpen takes in a document that was opened.
func (s *server) didOpen(p documentParams) {
	d := s.newDocument(p.TextDocument.URI, []byte(p.TextDocument.Text), p.TextDocument.Version)
	s.mu.Lock()
	s.docs[d.uri] = d
	s.mu.Unlock()
	s.checkSoon(d.uri)
}

// didChange takes in changes, one after the other.
func (s *server) didChange(p changeParams) error {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return fmt.Errorf("%s isn't open", p.TextDocument.URI)
	}
	for _, c := range p.ContentChanges {
		text := []byte(c.Text)
		if c.Range != nil {
			start, end := s.offset(d, c.Range.Start), s.offset(d, c.Range.End)
			text = slices.Concat(d.text[:start], text, d.text[max(start, end):])
		}
		d = s.newDocument(d.uri, text, p.TextDocument.Version)
	}
	s.mu.Lock()
	s.docs[d.uri] = d
	s.mu.Unlock()
	s.checkSoon(d.uri)
	return nil
}

// didSave notes that a document is on the disk as it is here.
func (s *server) didSave(p documentParams) {
	s.mu.Lock()
	if d := s.docs[p.TextDocument.URI]; d != nil {
		saved := *d
		saved.saved = true
		s.docs[d.uri] = &saved
	}
	s.mu.Unlock()
	s.checkAll()
	s.checkIn(p.TextDocument.URI, 0) // whoever saves wants to know
}

func (s *server) didClose(p documentParams) {
	s.mu.Lock()
	delete(s.docs, p.TextDocument.URI)
	s.mu.Unlock()
	s.publish(p.TextDocument.URI, 0, nil)
}

// offset is where a position is in a document.
func (s *server) offset(d *document, p position) int {
	if s.utf8 {
		return d.lines.Offset(p.Line, p.Character)
	}
	return d.lines.OffsetUTF16(p.Line, p.Character)
}

// at is a position as the daemon takes it.
func (s *server) at(p position) *v1.Position {
	at := &v1.Position{Line: clamp(p.Line), Column: clamp(p.Character)}
	if !s.utf8 {
		at.Utf16Column = &at.Column
	}
	return at
}

// inFile is a position in a document that the daemon is to look for in its file, which may
// begin with a byte order mark that the editor keeps to itself.
func (s *server) inFile(p position, d *document, now *v1.Document) *v1.Position {
	at := s.at(p)
	if p.Line == 0 && marked(textOf(now)) && !marked(d.text) {
		at.Column += int32(s.markWidth())
	}
	return at
}

func marked(text []byte) bool { return bytes.HasPrefix(text, []byte(places.Mark)) }

// markWidth is how far a byte order mark moves what stands behind it.
func (s *server) markWidth() int {
	if s.utf8 {
		return len(places.Mark)
	}
	return 1
}

// location is a place in a document that isn't the one which was asked about: as the daemon
// found it in the file, or in what else isn't saved.
func (s *server) location(path string, r *v1.Range) location {
	l := location{s.uriOf(path), s.span(r)}
	if d := s.document(l.URI); d != nil && marked(d.text) {
		return l
	}
	if r.GetStart().GetByteOrderMark() {
		l.Range.Start.Character -= s.markWidth()
	}
	if r.GetEnd().GetByteOrderMark() {
		l.Range.End.Character -= s.markWidth()
	}
	return l
}

func clamp(n int) int32 { return int32(max(0, min(n, 1<<30))) }

// span is a range as the editor takes it.
func (s *server) span(r *v1.Range) span { return span{s.place(r.GetStart()), s.place(r.GetEnd())} }

func (s *server) place(p *v1.Position) position {
	if s.utf8 {
		return position{int(p.GetLine()), int(p.GetColumn())}
	}
	return position{int(p.GetLine()), int(p.GetUtf16Column())}
}

// pathOf returns the path in the vault that a file's address has; empty: it has none there.
func (s *server) pathOf(uri string) string {
	file, ok := fileOf(uri)
	if !ok || s.root == "" {
		return ""
	}
	rel, ok := strings.CutPrefix(file, s.root+"/")
	if !ok {
		dir, err := filepath.EvalSymlinks(filepath.Dir(filepath.FromSlash(file)))
		if err != nil {
			return ""
		}
		if rel, ok = strings.CutPrefix(path.Join(filepath.ToSlash(dir), path.Base(file)), s.root+"/"); !ok {
			return ""
		}
	}
	if !strings.EqualFold(path.Ext(rel), ".md") {
		return ""
	}
	return rel
}

// fileOf returns the file of an address, with forward slashes.
func fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	file := path.Clean(u.Path)
	if len(file) > 2 && file[0] == '/' && file[2] == ':' { // "/c:/notes"
		file = file[1:]
	}
	return file, true
}

// uriOf is the address of a path in the vault: as the editor wrote it, where it is open.
func (s *server) uriOf(p string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri, d := range s.docs {
		if d.path == p {
			return uri
		}
	}
	file := s.root + "/" + p
	if !strings.HasPrefix(file, "/") {
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}
