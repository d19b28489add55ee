package assist

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/names"
)

// maxCandidates is how many candidates are given where nobody asks for another number.
const maxCandidates = 50

// A Candidate is what could be written.
type Candidate struct {
	Text   string // what is inserted
	Label  string // how it is shown
	Detail string
	Path   string // of the document, where it is one
	Where  Spot   // of a heading of any document, without its line; else nothing
}

// Candidates answer a question for what could be written, best first.
type Candidates struct {
	Blank    Blank
	List     []Candidate
	More     bool // there are others
	Degraded string
}

// CompleteAt says what could be written at a place of a document. Its Kind is empty where
// nothing is completed there.
func (d *Desk) CompleteAt(ctx context.Context, q Question, limit int) (Candidates, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return Candidates{}, err
	}
	defer o.Close()
	b, ok := blank(o.doc, o.at)
	if !ok {
		return Candidates{Degraded: o.Degraded}, nil
	}
	list := o.complete(b, limit)
	if b.Kind == Note && bytes.HasSuffix(o.doc.Source()[:b.Span.Start], []byte("![[")) {
		err = o.embedded(ctx, &list, cmp.Or(limit, maxCandidates))
	}
	return list, err
}

// embedded puts attachments before the documents that could be shown in another one.
func (o *open) embedded(ctx context.Context, c *Candidates, limit int) error {
	files, _, err := vault.Kept[attachments](o.desk.Vault).list(ctx, o.desk.Vault)
	if err != nil {
		return err
	}
	first := offered(o.desk.Vault.Layout(), files, c.Blank.Prefix, limit+1)
	c.More = c.More || len(first)+len(c.List) > limit
	c.List = slices.Concat(first, c.List)
	c.List = c.List[:min(limit, len(c.List))]
	return nil
}

// Complete says what could be written for a kind and a prefix, in the document of the
// question where its path isn't empty. It returns [vault.ErrInvalid] for an unknown kind.
func (d *Desk) Complete(ctx context.Context, q Question, b Blank, limit int) (Candidates, error) {
	if !slices.Contains(Kinds(), b.Kind) {
		return Candidates{}, fmt.Errorf("%w: there is no kind %q of completion; one of %v", vault.ErrInvalid, b.Kind, Kinds())
	}
	if b.Kind == Project {
		if err := catalog.Place(ctx, d.Vault); err != nil {
			return Candidates{}, err
		}
	}
	if q.Path == "" {
		view, err := d.Catalog.View(ctx, q.Buffers)
		if err != nil {
			return Candidates{}, err
		}
		defer view.Close()
		return (&open{View: view, desk: d}).complete(b, limit), nil
	}
	o, err := d.open(ctx, q)
	if err != nil {
		return Candidates{}, err
	}
	defer o.Close()
	return o.complete(b, limit), nil
}

func (o *open) complete(b Blank, limit int) Candidates {
	limit = cmp.Or(limit, maxCandidates)
	var list []Candidate
	switch b.Kind {
	case Note:
		list = o.notes(b.Prefix, limit+1, func(*names.Entry) bool { return true })
	case Person:
		list = o.notes(b.Prefix, limit+1, func(e *names.Entry) bool { return e.Type == "person" })
		for i := range list {
			list[i].Text = "[[" + list[i].Text + "]]"
		}
	case Project:
		list = o.projects(b.Prefix)
	case Heading:
		list = o.headings(b, limit+1)
	case Block:
		list = o.blocks(b)
	case Tag:
		list = o.tags(b.Prefix)
	case Key:
		list = o.keys(b.Prefix)
	case Value:
		list = o.values(b)
	case Date:
		list = dates(o.desk.Vault.Now(), b.Prefix)
	}
	return Candidates{Blank: b, List: list[:min(limit, len(list))], More: len(list) > limit, Degraded: o.Degraded}
}

// notes are the documents that are called something with a text in it: first those that are
// called so, then those whose name begins so, has a word that does, or has it somewhere; behind
// them what Obsidian's user excluded, and templates.
func (o *open) notes(text string, limit int, wanted func(*names.Entry) bool) (list []Candidate) {
	var ranks [4][]*names.Entry
	text = strings.ToLower(strings.TrimSpace(text))
	all := o.Finding(text)
	if strings.Contains(text, "/") {
		all = o.Each() // it may be of the path
	}
	for e := range all {
		rank := e.Finds(text)
		if rank < 0 && strings.Contains(text, "/") && strings.Contains(strings.ToLower(e.Path), text) {
			rank = 0
		}
		if rank < 0 || rank == 3 || len(ranks[rank]) == limit || e.Path == o.path || !wanted(e) {
			continue
		}
		if ranks[rank] = append(ranks[rank], e); rank == 2 && len(ranks[2]) == limit {
			break // nothing better is to come
		}
	}
	for _, p := range slices.Concat(o.Files(link.Key(text)), o.Called(text)) {
		if e := o.Entry(p); e.Finds(text) == 3 && p != o.path && wanted(e) && !slices.Contains(ranks[3], e) {
			ranks[3] = append(ranks[3], e)
		}
	}
	for rank := 3; rank >= 0; rank-- {
		for _, e := range ranks[rank][:min(limit-len(list), len(ranks[rank]))] {
			list = append(list, o.candidate(e))
		}
	}
	settings := catalog.Settings(o.desk.Vault)
	var behind []Candidate
	list = slices.DeleteFunc(list, func(c Candidate) bool {
		if !settings.LeavesOut(c.Path) {
			return false
		}
		behind = append(behind, c)
		return true
	})
	return append(list, behind...)
}

// candidate is a document to link to: by its file's name where that is enough, else by its path.
func (o *open) candidate(e *names.Entry) Candidate {
	c := Candidate{Text: e.Base(), Label: e.Base(), Detail: e.Path, Path: e.Path}
	ofProject := path.Base(e.Path) == "project.md" // the next project's file is called so too
	if ofProject || link.ResolveName(o.View, c.Text, o.path).Path != e.Path || len(o.Files(link.Key(e.Path))) > 1 {
		c.Text = strings.TrimSuffix(e.Path, ".md")
	}
	if len(e.Names) > 0 {
		c.Label = strings.Join(e.Names, ", ")
		if e.Title == e.Base() {
			c.Label = e.Title + ", " + c.Label
		}
	}
	if ofProject || !link.Linkable(c.Text) {
		for _, n := range e.Names {
			if link.Linkable(n) && link.ResolveName(o.View, n, o.path).Path == e.Path {
				c.Text = n
			}
		}
	}
	return c
}

func (o *open) projects(prefix string) (list []Candidate) {
	v := o.desk.Vault
	for e := range o.Each() {
		slug := v.ProjectOf(e.Path)
		if slug == "" || v.ProjectPath(slug) != e.Path || e.Finds(strings.ToLower(prefix)) < 0 && !strings.HasPrefix(slug, strings.ToLower(prefix)) {
			continue
		}
		list = append(list, Candidate{Text: slug, Label: e.Title, Detail: e.Path, Path: e.Path})
	}
	return byText(list)
}

func byText(list []Candidate) []Candidate {
	compare := func(a, b Candidate) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), strings.Compare(a.Path, b.Path))
	}
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
	return list
}

// maxHeaded is how many documents are read for their headings: such as have more than the
// catalog keeps.
const maxHeaded = 200

// everyHeading are headings of all documents with a text in them, those first that begin so.
// What a document is called is left out: notes are found by that.
func (o *open) everyHeading(text string, limit int) []Candidate {
	var begins, others []Candidate
	text = strings.ToLower(strings.TrimSpace(text))
	looked := 0
	for e := range o.Each() {
		if len(begins) >= limit {
			break
		}
		if holds, first := e.Headed(text); !holds || !first && len(others) >= limit {
			continue
		}
		if e.Clipped() {
			looked++
		}
		for h, first := range o.Headings(e, text, looked <= maxHeaded) {
			list := &others
			if first {
				list = &begins
			}
			if len(*list) < limit {
				*list = append(*list, Candidate{Text: link.InLink(h.Text), Label: strings.Repeat("#", h.Level) + " " + vault.OneLine(h.Text), Detail: e.Path, Path: e.Path, Where: Spot{Path: e.Path, Start: h.Start, End: h.End}})
			}
		}
	}
	return append(begins, others...)
}

func (o *open) headings(b Blank, limit int) (list []Candidate) {
	if o.path == "" && b.Of == "" {
		return o.everyHeading(b.Prefix, limit)
	}
	p := link.ResolveName(o.View, b.Of, o.path).Path
	if b.Of == "" {
		p = o.path
	}
	doc, err := o.Document(p)
	if p == "" || err != nil {
		return nil
	}
	parts := strings.Split(b.Prefix, "#")
	want := link.Plain(parts[len(parts)-1])
	for _, s := range doc.Sections() {
		text := link.InLink(s.Heading())
		if s.Level > 0 && text != "" && strings.Contains(strings.ToLower(text), want) {
			list = append(list, Candidate{Text: text, Label: strings.Repeat("#", s.Level) + " " + text, Detail: p, Path: p})
		}
	}
	return list
}

func (o *open) blocks(b Blank) (list []Candidate) {
	p := link.ResolveName(o.View, b.Of, o.path).Path
	if b.Of == "" {
		p = o.path
	}
	doc, err := o.Document(p)
	if p == "" || err != nil {
		return nil
	}
	for _, block := range markdown.Blocks(doc) {
		if strings.HasPrefix(strings.ToLower(block.Name), strings.ToLower(b.Prefix)) {
			line := strings.ToValidUTF8(string(doc.Source()[block.Line.Start:block.Line.End]), "\uFFFD")
			text := block.Name
			if b.Bare {
				text = "#^" + text
			}
			list = append(list, Candidate{Text: text, Label: "^" + block.Name, Detail: vault.OneLine(line), Path: p})
		}
	}
	return list
}

func (o *open) tags(prefix string) (list []Candidate) {
	tags := o.Tags()
	sort.SliceStable(tags, func(i, j int) bool { return tags[j].Documents < tags[i].Documents })
	own := o.Entry(o.path)
	for _, t := range tags {
		if t.Documents == 1 && strings.EqualFold(t.Name, prefix) && own != nil && slices.Contains(own.Tags, t.Name) {
			continue // it is what is being written
		}
		if len(t.Name) >= len(prefix) && strings.EqualFold(t.Name[:len(prefix)], prefix) {
			list = append(list, Candidate{Text: t.Name, Label: "#" + t.Name, Detail: count(t.Documents, "document")})
		}
	}
	return list
}

// dates are days that are often meant, and the one that is written.
func dates(now time.Time, prefix string) (list []Candidate) {
	add := func(label string, day time.Time) {
		text := day.Format(time.DateOnly)
		if strings.HasPrefix(text, prefix) || strings.HasPrefix(label, strings.ToLower(strings.TrimSpace(prefix))) {
			list = append(list, Candidate{Text: text, Label: label, Detail: day.Format("Mon ") + text})
		}
	}
	add("today", now)
	add("tomorrow", now.AddDate(0, 0, 1))
	for i := 2; i <= 7; i++ {
		day := now.AddDate(0, 0, i)
		add(strings.ToLower(day.Weekday().String()), day)
	}
	add("in a fortnight", now.AddDate(0, 0, 14))
	add("in a month", now.AddDate(0, 1, 0))
	return list
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
