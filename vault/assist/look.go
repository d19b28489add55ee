package assist

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strings"

	"kist/vault"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/names"
	"kist/vault/position"
)

// A Spot is a stretch of a document.
type Spot struct {
	Path       string
	Start, End position.Place
	Text       string // the line that it starts on
}

// spot makes a spot of a span.
func spot(p string, table *position.Table, s markdown.Span) Spot {
	start := table.Place(s.Start)
	return Spot{Path: p, Start: start, End: table.Place(s.End), Text: clipped(table.Line(start.Line), maxLine)}
}

// maxLine is how much of a line is shown, maxExcerpt of a document.
const (
	maxLine    = 300
	maxExcerpt = 1200
)

func clipped(text []byte, n int) string {
	if len(text) > n {
		return strings.ToValidUTF8(string(text[:n]), "") + "..."
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// A Target is what a link leads to.
type Target struct {
	Link    Spot // the link itself
	Name    string
	Anchor  string
	Path    string // empty: to nothing
	Title   string
	Place   Spot     // in the document there: of the heading or block, else its beginning
	Missing bool     // the document is there, and has no such heading or block
	Others  []string // documents that it could mean as well
	Excerpt string   // Markdown, from the place on
	Linking int      // how many documents link there
	Outside bool     // to what is no document, such as an image: nobody looked whether it is there
}

// Resolve says what the link at a place leads to; false: there is no link.
func (d *Desk) Resolve(ctx context.Context, q Question) (Target, bool, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return Target{}, false, err
	}
	defer o.Close()
	for l := range markdown.EachLink(o.doc) {
		if l.All.Start <= o.at && o.at <= l.All.End {
			t := o.target(l, position.New(o.doc.Source()))
			o.describe(&t)
			return t, true, nil
		}
	}
	return Target{}, false, nil
}

// Name says what a link with a target, and an anchor behind "#", would lead to.
func (d *Desk) Name(ctx context.Context, q Question, target string) (Target, error) {
	view, err := d.Catalog.View(ctx, q.Buffers)
	if err != nil {
		return Target{}, err
	}
	defer view.Close()
	o := &open{View: view, desk: d, path: q.Path}
	l := markdown.Link{}
	l.Name, l.Anchor, l.Hash = strings.Cut(target, "#")
	t := o.lead(l)
	o.describe(&t)
	return t, nil
}

// Called returns the documents that a wiki link in a document at the vault's root may mean by a
// name, which is that of a file, a title or an alias; conversations are none. The first is the
// one that it does mean; spelt is the name as that one has it.
func (d *Desk) Called(ctx context.Context, name string) (paths []string, spelt string, err error) {
	view, err := d.Catalog.View(ctx, nil)
	if err != nil {
		return nil, "", err
	}
	defer view.Close()
	found := link.ResolveName(view, name, "")
	for _, p := range append([]string{found.Path}, found.Others...) {
		if e := view.Entry(p); e != nil && e.Type != "conversation" {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, "", nil
	}
	e := view.Entry(paths[0])
	for _, own := range append([]string{e.Base(), strings.TrimSuffix(e.Path, ".md")}, e.Names...) {
		if strings.EqualFold(own, name) {
			return paths, own, nil
		}
	}
	return paths, e.Path, nil
}

// Links lists the links of a document, in order.
func (d *Desk) Links(ctx context.Context, q Question) (list []Target, degraded string, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return nil, "", err
	}
	defer o.Close()
	table := position.New(o.doc.Source())
	for l := range markdown.EachLink(o.doc) {
		list = append(list, o.target(l, table))
	}
	return list, o.Degraded, nil
}

func (o *open) target(l markdown.Link, table *position.Table) Target {
	t := o.lead(l)
	t.Link = spot(o.path, table, l.All)
	return t
}

// lead finds what a link leads to.
func (o *open) lead(l markdown.Link) Target {
	t := Target{Name: l.Name, Anchor: l.Anchor}
	if l.Name != "" && !link.IsDocument(l.Name) {
		t.Outside = true
		return t
	}
	found := link.Resolve(o.View, l, o.path)
	t.Path, t.Others = found.Path, found.Others
	if e := o.Entry(t.Path); e != nil {
		t.Title = e.Title
	}
	if t.Path == "" || l.Anchor == "" {
		t.Place = Spot{Path: t.Path}
		return t
	}
	doc, err := o.lookAt(t.Path)
	if err != nil {
		t.Place = Spot{Path: t.Path}
		return t
	}
	in := o.placesOf(doc)
	span, ok := in.anchored(l.Anchor)
	t.Missing = !ok
	t.Place = spot(t.Path, in.table, span)
	return t
}

// lookAt is [names.View.Document], and keeps the document that is asked about, and the last one.
func (o *open) lookAt(p string) (*markdown.Document, error) {
	if p == o.path && o.doc != nil {
		return o.doc, nil
	}
	if p == o.lastPath {
		return o.last, nil
	}
	doc, err := o.Document(p)
	if err == nil {
		o.last, o.lastPath = doc, p
	}
	return doc, err
}

// places are where links into one document can lead.
type places struct {
	doc      *markdown.Document
	table    *position.Table
	headings *link.Headings
	blocks   map[string]markdown.Span // lines, by name in lower case
}

// placesOf keeps those of the last document: many links lead into one.
func (o *open) placesOf(doc *markdown.Document) *places {
	if o.places != nil && o.places.doc == doc {
		return o.places
	}
	p := &places{doc: doc, table: position.New(doc.Source()), headings: link.NewHeadings(doc.Sections()), blocks: map[string]markdown.Span{}}
	for _, b := range markdown.Blocks(doc) {
		if name := strings.ToLower(b.Name); p.blocks[name] == (markdown.Span{}) {
			p.blocks[name] = b.Line
		}
	}
	o.places = p
	return p
}

// anchored finds the heading or the block that an anchor means.
func (p *places) anchored(anchor string) (markdown.Span, bool) {
	if name, block := strings.CutPrefix(anchor, "^"); block {
		line, ok := p.blocks[strings.ToLower(name)]
		return line, ok
	}
	i, ok := p.headings.Find(anchor)
	if !ok {
		return markdown.Span{}, false
	}
	return p.doc.Sections()[i].Title, true
}

// describe adds what a person sees of the target.
func (o *open) describe(t *Target) {
	if t.Path == "" {
		return
	}
	t.Linking = o.linkingTo(t.Path)
	doc, err := o.lookAt(t.Path)
	if err != nil {
		return
	}
	src, at := doc.Source(), doc.BodyStart()
	if t.Anchor != "" && !t.Missing {
		at = position.New(src).Offset(t.Place.Start.Line, 0)
	}
	end := len(src)
	for _, s := range doc.Sections() {
		if t.Anchor != "" && s.Level > 0 && s.Start > at && s.Start < end {
			end = s.Start
		}
	}
	t.Excerpt = clipped(bytes.TrimSpace(src[at:end]), maxExcerpt)
}

// linkers are the documents that may link to another, by the names in their links.
func (o *open) linkers(p string) []string {
	e := o.Entry(p)
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(o.Linking(keysOf(e)...), func(from string) bool { return from == p })
}

// maxCounted is how many documents are read to count those that link to one of several
// documents of the same name.
const maxCounted = 500

// linkingTo counts the documents that link to another. Where nothing else has its names, no
// document has to be read for that.
func (o *open) linkingTo(p string) int {
	e, linkers := o.Entry(p), o.linkers(p)
	if e == nil || len(o.Files(link.Key(p))) == 1 || len(linkers) > maxCounted {
		return len(linkers)
	}
	return len(slices.DeleteFunc(linkers, func(from string) bool {
		doc, err := o.Document(from)
		if err != nil {
			return true
		}
		for l := range markdown.EachLink(doc) {
			if link.Resolve(o.View, l, from).Path == p {
				return false
			}
		}
		return true
	}))
}

// keysOf are the keys of links that may mean a document.
func keysOf(e *names.Entry) []string {
	keys := []string{link.Key(e.Path)}
	for _, n := range e.Names {
		if key := link.Key(n); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// References lists where other documents link to what is at a place: to the document, where
// that is no link, heading or tag. At most limit of them; more says that there are others.
func (d *Desk) References(ctx context.Context, q Question, limit int) (list []Spot, more bool, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	subject, _ := o.subject()
	if subject.kind == ofTag {
		return o.tagged(ctx, subject.name, limit)
	}
	return o.leading(ctx, subject, limit)
}

// Backlinks lists the links of other documents to one.
func (d *Desk) Backlinks(ctx context.Context, q Question, limit int) (list []Spot, more bool, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	return o.leading(ctx, subject{kind: ofNote, path: o.path}, limit)
}

func (o *open) leading(ctx context.Context, s subject, limit int) (list []Spot, more bool, err error) {
	sources := o.linkers(s.path)
	if s.kind == ofHeading {
		sources = append(sources, s.path)
	}
	for _, p := range sources {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		doc, err := o.lookAt(p)
		if err != nil {
			continue
		}
		var table *position.Table
		for l := range markdown.EachLink(doc) {
			if link.Resolve(o.View, l, p).Path != s.path || s.kind == ofHeading && !o.leadsTo(l, s) {
				continue
			}
			if len(list) == limit {
				return list, true, nil
			}
			if table == nil {
				table = position.New(doc.Source())
			}
			list = append(list, spot(p, table, l.All))
		}
	}
	return list, false, nil
}

func (o *open) leadsTo(l markdown.Link, s subject) bool {
	doc, err := o.lookAt(s.path)
	if err != nil || l.Anchor == "" {
		return false
	}
	i, ok := o.placesOf(doc).headings.Find(l.Anchor)
	return ok && i == s.section
}

func (o *open) tagged(ctx context.Context, tag string, limit int) (list []Spot, more bool, err error) {
	for _, p := range o.Tagged(tag) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		doc, err := o.lookAt(p)
		if err != nil {
			continue
		}
		var table *position.Table
		for t := range markdown.EachTag(doc) {
			if _, is := link.CutTag(t.Name, tag); !is {
				continue
			}
			if len(list) == limit {
				return list, true, nil
			}
			if table == nil {
				table = position.New(doc.Source())
			}
			list = append(list, spot(p, table, t.Span))
		}
	}
	return list, false, nil
}

// Tags lists the vault's tags by name, those that begin with a prefix.
func (d *Desk) Tags(ctx context.Context, buffers []names.Buffer, prefix string) ([]names.Tag, error) {
	view, err := d.Catalog.View(ctx, buffers)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return slices.DeleteFunc(view.Tags(), func(t names.Tag) bool {
		return len(t.Name) < len(prefix) || !strings.EqualFold(t.Name[:len(prefix)], prefix)
	}), nil
}

// A Symbol is a heading, a checkbox or a named block of a document.
type Symbol struct {
	Kind  string // heading, task or block
	Name  string
	Level int  // of a heading
	Done  bool // of a task
	Whole Spot // a heading's section with what is below it
	Own   Spot // the heading's text, or the line
}

// Symbols lists a document's symbols in order.
func (d *Desk) Symbols(ctx context.Context, q Question) (list []Symbol, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	table, sections := position.New(o.doc.Source()), o.doc.Sections()
	for i, s := range sections {
		if s.Level == 0 {
			continue
		}
		whole := markdown.Span{Start: s.Start, End: sections[branch(sections, i)-1].End}
		list = append(list, Symbol{Kind: "heading", Name: s.Heading(), Level: s.Level, Whole: spot(o.path, table, whole), Own: spot(o.path, table, s.Title)})
	}
	for _, item := range markdown.Shown(o.doc) {
		at := table.Offset(item.Line-1, 0)
		line := spot(o.path, table, markdown.Span{Start: at, End: at + len(table.Line(item.Line-1))})
		list = append(list, Symbol{Kind: "task", Name: vault.OneLine(item.Text), Done: item.Checked, Whole: line, Own: line})
	}
	for _, b := range markdown.Blocks(o.doc) {
		list = append(list, Symbol{Kind: "block", Name: "^" + b.Name, Whole: spot(o.path, table, b.Line), Own: spot(o.path, table, b.Span)})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Own.Start.Line < list[j].Own.Start.Line })
	return list, nil
}

// branch is the index behind the last section below the i-th.
func branch(sections []markdown.Section, i int) int {
	end := i + 1
	for end < len(sections) && sections[end].Level > sections[i].Level {
		end++
	}
	return end
}
