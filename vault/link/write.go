package link

import (
	"path"
	"slices"
	"sort"
	"strings"

	"kist/vault/markdown"
)

// Apply makes edits of a source, which are in order and don't touch each other.
func Apply(src []byte, edits []markdown.Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, src[at:]...)
}

// unlinkable are characters that a wiki link's target can't hold.
const unlinkable = "[]|#^\n\r\\"

// Linkable reports whether a wiki link can hold a document's name.
func Linkable(name string) bool {
	return !strings.ContainsAny(name, unlinkable) && strings.TrimSpace(name) == name && name != ""
}

// target writes what a link in the document from is to have as its target so that it means
// the document p, in the manner in which it is written; false: there is no way.
func target(names Names, l markdown.Link, from, p string) (string, bool) {
	stem := p
	if withoutSuffix(l.Name) == strings.ToLower(l.Name) { // written without ".md"
		stem = strings.TrimSuffix(p, path.Ext(p))
	}
	relative := relativePath(path.Dir(from), stem)
	if strings.HasPrefix(l.Name, "./") && !strings.HasPrefix(relative, ".") {
		relative = "./" + relative
	}
	var ways []string
	switch {
	case strings.HasPrefix(l.Name, "/"):
		ways = []string{"/" + stem}
	case l.Kind != markdown.WikiLink || strings.HasPrefix(l.Name, "."):
		ways = []string{relative, "/" + stem}
	case strings.Contains(l.Name, "/"):
		ways = []string{stem}
	default:
		ways = []string{path.Base(stem), stem}
	}
	for _, way := range ways {
		want := l
		want.Name = way
		if l.Kind == markdown.WikiLink && strings.ContainsAny(way, unlinkable) {
			continue
		}
		if Resolve(names, want, from).Path == p {
			return way, true
		}
	}
	return "", false
}

// relativePath is the way from a folder to a path.
func relativePath(dir, p string) string {
	if dir == "." {
		return p
	}
	from, to := strings.Split(dir, "/"), strings.Split(p, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// address encodes a path for a Markdown link.
func address(l markdown.Link, p string) (string, bool) {
	if l.Angled {
		if strings.ContainsAny(p, "<>\n\r") {
			return "", false
		}
		return strings.NewReplacer("%", "%25", "#", "%23").Replace(p), true
	}
	var out strings.Builder
	for i := range len(p) {
		if b := p[i]; b <= ' ' || b == 0x7f || strings.IndexByte("()<>#?%\\\"", b) >= 0 {
			out.WriteByte('%')
			out.WriteByte("0123456789ABCDEF"[b>>4])
			out.WriteByte("0123456789ABCDEF"[b&15])
		} else {
			out.WriteByte(b)
		}
	}
	return out.String(), true
}

// A writer writes into links of one document.
type writer struct {
	doc   *markdown.Document
	edits []markdown.Edit
	left  []markdown.Link
}

func newWriter(doc *markdown.Document) *writer { return &writer{doc: doc} }

// put replaces a part of a link by a text.
func (w *writer) put(l markdown.Link, part markdown.Span, text string) {
	if l.Front {
		text = quoted(l.Quote, text)
	}
	if string(w.doc.Source()[part.Start:part.End]) != text {
		w.edits = append(w.edits, markdown.Edit{Start: part.Start, End: part.End, Text: []byte(text)})
	}
}

// quoted writes a text as it can stand in the quotes of the front matter.
func quoted(quote byte, text string) string {
	switch quote {
	case '\'':
		return strings.ReplaceAll(text, "'", "''")
	case '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	}
	return text
}

// done returns the edits, in order. Where the front matter wouldn't be read any more, it is
// left as it is.
func (w *writer) done() ([]markdown.Edit, []markdown.Link) {
	sort.SliceStable(w.edits, func(i, j int) bool { return w.edits[i].Start < w.edits[j].Start })
	body := w.doc.BodyStart()
	if len(w.edits) > 0 && w.edits[0].Start < body && w.doc.Editable() == nil &&
		markdown.Parse(Apply(w.doc.Source(), w.edits)).Editable() != nil {
		w.edits = slices.DeleteFunc(w.edits, func(e markdown.Edit) bool { return e.Start < body })
		for l := range markdown.EachLink(w.doc) {
			if l.Front {
				w.left = append(w.left, l)
			}
		}
	}
	return w.edits, w.left
}
