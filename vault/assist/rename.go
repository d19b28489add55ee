package assist

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/names"
	"kist/vault/position"
)

// A Renaming is what gives something another name over all files.
type Renaming struct {
	Kind  string // note, heading or tag
	Old   string
	New   string
	Path  string     // the document's path afterwards
	From  string     // what that was until then; empty: the same
	Step  vault.Step // without changes where all of them are in buffers
	Edits []Edit     // of buffers, which the step leaves out
	Left  []Left     // what keeps its old name
}

// An Edit replaces a stretch of a buffer.
type Edit struct {
	Spot
	New string
}

// A Left is a link or tag that stays as it is.
type Left struct {
	Path   string
	Line   int // from 0
	Reason string
}

const unwritten = "the new name can't be written in this link"

// CanRename says what a rename at a place would rename, and where its name is written there;
// false: there is nothing.
func (d *Desk) CanRename(ctx context.Context, q Question) (kind, name string, at Spot, ok bool, err error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return "", "", Spot{}, false, err
	}
	defer o.Close()
	s, ok := o.subject()
	if !ok {
		return "", "", Spot{}, false, nil
	}
	return string(s.kind), s.name, spot(o.path, position.New(o.doc.Source()), s.span), true, nil
}

// PlanRename plans to give what is at a place another name: a document, to which a link there
// leads, a heading, or a tag with those below it. It returns [vault.ErrInvalid] for a name
// that can't be one, [vault.ErrNotFound] where there is nothing to rename, [vault.ErrExists],
// and [vault.ErrNoChange].
func (d *Desk) PlanRename(ctx context.Context, q Question, name string) (Renaming, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return Renaming{}, err
	}
	defer o.Close()
	s, ok := o.subject()
	if !ok {
		return Renaming{}, &vault.NotFoundError{Kind: "link, heading or tag at this place in", Ref: o.path}
	}
	r := &renaming{open: o, ctx: ctx}
	r.Kind, r.Old, r.New, r.Path = string(s.kind), s.name, strings.TrimSpace(name), s.path
	switch s.kind {
	case ofTag:
		err = r.tag(s)
	case ofHeading:
		err = r.heading(s)
	default:
		err = r.note(s.path, s.name)
	}
	return r.done(err)
}

// PlanRenameNote plans to give a document, called by said, another name: the one that said is,
// of its file or of its title. A name with / is a path. Errors are those of [Desk.PlanRename].
func (d *Desk) PlanRenameNote(ctx context.Context, q Question, said, name string) (Renaming, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return Renaming{}, err
	}
	defer o.Close()
	r := &renaming{open: o, ctx: ctx}
	r.Kind, r.Old, r.New, r.Path = string(ofNote), said, strings.TrimSpace(name), o.path
	return r.done(r.note(o.path, said))
}

// PlanMove plans to give a document another path; links to it, and its own, follow where that
// is asked for. Errors are those of [Desk.PlanRename].
func (d *Desk) PlanMove(ctx context.Context, q Question, to string, links bool) (Renaming, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return Renaming{}, err
	}
	defer o.Close()
	r := &renaming{open: o, ctx: ctx}
	r.Kind, r.Old, r.New, r.Path = string(ofNote), o.path, to, o.path
	return r.done(r.move(o.path, to, links))
}

type renaming struct {
	Renaming
	*open
	ctx context.Context
}

func (r *renaming) done(err error) (Renaming, error) {
	if err != nil {
		return Renaming{}, err
	}
	if len(r.Step.Changes)+len(r.Edits) == 0 && r.From == "" {
		return Renaming{}, fmt.Errorf("%w: nothing has that name to change", vault.ErrNoChange)
	}
	r.Step.Reason = fmt.Sprintf("rename %s %s to %s", r.Kind, vault.OneLine(r.Old), vault.OneLine(r.New))
	if r.Step.Type == "" {
		r.Step.Type = vault.OpUpdate
	}
	if r.Step.Entity.Path == "" {
		r.Step.Entity.Path = r.Renaming.Path
	}
	return r.Renaming, nil
}

// put adds the edits of a document to the step, or gives them back where its text is unsaved.
func (r *renaming) put(p string, doc *markdown.Document, edits []markdown.Edit, left []markdown.Link) error {
	table := position.New(doc.Source())
	for _, l := range left {
		r.Left = append(r.Left, Left{p, table.Place(l.All.Start).Line, unwritten})
	}
	edits = r.apart(p, table, edits)
	if len(edits) == 0 {
		return nil
	}
	if r.Unsaved(p) {
		for _, e := range edits {
			r.Edits = append(r.Edits, Edit{spot(p, table, markdown.Span{Start: e.Start, End: e.End}), string(e.Text)})
		}
		return nil
	}
	if why := r.protected(p, doc); why != "" {
		for _, e := range edits {
			r.Left = append(r.Left, Left{p, table.Place(e.Start).Line, why})
		}
		return nil
	}
	r.Step.Changes = append(r.Step.Changes, vault.Change{Path: p, Before: doc.Source(), After: link.Apply(doc.Source(), edits)})
	if r.Step.Entity.Path == "" {
		r.Step.Entity = r.desk.Vault.EntityOf(p, doc.Source())
		r.Step.Entity.Path = p
	}
	return r.ctx.Err()
}

// apart leaves out edits that lie in one before them: links can be written into each other.
func (r *renaming) apart(p string, table *position.Table, edits []markdown.Edit) (kept []markdown.Edit) {
	at := 0
	for _, e := range edits {
		if e.Start < at {
			r.Left = append(r.Left, Left{p, table.Place(e.Start).Line, "it is written into another link"})
			continue
		}
		kept, at = append(kept, e), e.End
	}
	return kept
}

// protected says why nothing is written into a document; empty: it may be.
func (o *open) protected(p string, doc *markdown.Document) string {
	if err := doc.Editable(); err != nil {
		return "its front matter doesn't parse"
	}
	if err := vault.CheckText(p, doc.Source()); err != nil {
		return "it isn't UTF-8 text"
	}
	if e := o.Entry(p); e != nil && e.Type == "conversation" {
		return "it is the record of a conversation"
	}
	return ""
}

func (r *renaming) tag(s subject) error {
	r.New = strings.TrimPrefix(r.New, "#")
	if !link.IsTag(r.New) {
		return vault.Hinted(fmt.Errorf("%w: %q can't be a tag: letters, digits, _, - and / between its levels, and not digits alone", vault.ErrInvalid, vault.OneLine(r.New)), "such as garden/beds; spaces can be written as dashes")
	}
	for _, p := range r.Tagged(s.name) {
		doc, err := r.lookAt(p)
		if err != nil {
			return err
		}
		if err := r.put(p, doc, link.Retag(doc, s.name, r.New), nil); err != nil {
			return err
		}
	}
	return nil
}

func (r *renaming) heading(s subject) error {
	doc, err := r.lookAt(s.path)
	if err != nil {
		return err
	}
	r.Old = doc.Sections()[s.section].Heading()
	re, own, err := link.NewRetitle(doc, s.path, s.section, r.New)
	if err != nil {
		return err
	}
	r.Step.Entity = r.desk.Vault.EntityOf(s.path, doc.Source())
	return r.relink(link.Move{From: s.path, To: s.path, Title: re.Title}, doc, own, re)
}

// relink has all links to a document mean it after an edit of its own: with re, which may be
// nil, also the places in it.
func (r *renaming) relink(m link.Move, doc *markdown.Document, own markdown.Edit, re *link.Retitle) error {
	if why := r.protected(m.From, doc); why != "" && !r.Unsaved(m.From) {
		return fmt.Errorf("%w: %s stays as it is: %s", vault.ErrInvalid, m.From, why)
	}
	after := r.Edited(m.From, own.Apply(doc.Source()))
	m.Before, m.After = r.View, after
	shown, relinks := m.Shown, m.Relink
	if re != nil {
		shown, relinks = re.Shown, func(d *markdown.Document, p string) ([]markdown.Edit, []markdown.Link) {
			edits, left := m.Relink(d, p)
			more, others := re.Reanchor(d, func(l markdown.Link) bool { return link.Resolve(r.View, l, p).Path == m.From })
			edits = append(edits, more...)
			sort.SliceStable(edits, func(i, j int) bool { return edits[i].Start < edits[j].Start })
			return edits, append(left, others...)
		}
	}
	sources := r.Linking(append(keysOf(r.Entry(m.From)), keysOf(after.Entry(m.From))...)...)
	if !slices.Contains(sources, m.From) {
		sources = append(sources, m.From)
	}
	for _, p := range sources {
		d, err := r.lookAt(p)
		if errors.Is(err, vault.ErrNotFound) {
			continue
		} else if err != nil {
			return err
		}
		edits, left := relinks(d, p)
		if p == m.From {
			edits = slices.DeleteFunc(edits, func(e markdown.Edit) bool { return own.Start <= e.Start && e.End <= own.End })
			edits = append(edits, own)
			sort.SliceStable(edits, func(i, j int) bool { return edits[i].Start < edits[j].Start })
		}
		if err := r.put(p, d, edits, left); err != nil {
			return err
		}
	}
	return r.beside(".", follows(shown, relinks))
}

// noName is what the name of a document can't have, for links or for file systems.
const noName = `[ ] | # ^ \ : * ? " < >`

// note renames a document to which a link led by what it says. Where that was the title, it is
// the title that is renamed.
func (r *renaming) note(p, said string) error {
	found := link.ResolveName(r.View, said, r.path)
	if found.Called && found.Path == p {
		return r.title(p, said)
	}
	name := strings.TrimSuffix(r.New, ".md")
	for part := range strings.SplitSeq(name, "/") {
		if !link.Linkable(part) || strings.HasPrefix(part, ".") || strings.ContainsAny(part, "\x00:*?\"<>") {
			return vault.Hinted(fmt.Errorf("%w: %q can't be the name of a document", vault.ErrInvalid, vault.OneLine(r.New)),
				"a name has none of "+noName+", no blank before or behind it, and doesn't begin with a dot")
		}
	}
	if !strings.Contains(name, "/") {
		name = path.Join(path.Dir(p), name)
	}
	return r.move(p, name+path.Ext(p), true)
}

// title renames what a document is called, by its heading or its front matter.
func (r *renaming) title(p, said string) error {
	doc, err := r.lookAt(p)
	if err != nil {
		return err
	}
	if front, err := doc.FrontMatter(); err == nil && front != nil {
		for _, key := range []string{"name", "title"} {
			if !strings.EqualFold(front.String(key), said) {
				continue
			}
			own, err := doc.SetProperty(key, markdown.Quote(r.New))
			if err != nil {
				return err
			}
			r.Step.Entity = r.desk.Vault.EntityOf(p, doc.Source())
			return r.relink(link.Move{From: p, To: p, Title: r.New}, doc, own, nil)
		}
	}
	for i, s := range doc.Sections() {
		if s.Level == 1 && strings.EqualFold(s.Heading(), said) {
			return r.heading(subject{ofHeading, said, s.Title, p, i})
		}
	}
	return fmt.Errorf("%w: %q is an alias of %s, which is renamed in its front matter", vault.ErrInvalid, vault.OneLine(said), p)
}

// move gives a document another path.
func (r *renaming) move(from, to string, links bool) error {
	to, err := r.desk.Vault.WritablePath(to)
	if err != nil {
		return err
	}
	switch typ := r.desk.Vault.TypeOf(from); {
	case !documents.IsMarkdown(to):
		return notMarkdown(to)
	case to == from:
		return fmt.Errorf("%w: it is there already", vault.ErrNoChange)
	case typ == "project" && r.Entry(from) != nil && path.Base(from) == "project.md", typ == "conversation":
		return fmt.Errorf("%w: %s has its place as a %s; rename that instead", vault.ErrInvalid, from, typ)
	case r.desk.Vault.Exists(to) || r.Entry(to) != nil:
		return fmt.Errorf("%w: %s", vault.ErrExists, to)
	}
	if there, ok := r.desk.Vault.OtherCase(to); ok && there != from {
		return fmt.Errorf("%w: %s, which other systems take for the same", vault.ErrExists, there)
	}
	doc, err := r.lookAt(from)
	if err != nil {
		return err
	}
	r.Renaming.Path, r.From = to, from
	if r.desk.Vault.Exists(from) { // else an editor has it and has never saved it
		r.Step.Type, r.Step.Entity = vault.OpMove, r.desk.Vault.EntityOf(from, doc.Source())
		r.Step.Entity.Path = to
		r.Step.Changes = []vault.Change{{Path: to, From: from}}
	}
	if !links {
		return nil
	}
	m := link.Move{Before: r.View, After: r.Moved(from, to), From: from, To: to}
	before := r.Entry(from)
	if before == nil {
		return nil
	}
	sources := r.Linking(append(keysOf(before), link.Key(to))...)
	if !slices.Contains(sources, from) {
		sources = append(sources, from)
	}
	for _, p := range sources {
		d, err := r.lookAt(p)
		if errors.Is(err, vault.ErrNotFound) {
			continue
		} else if err != nil {
			return err
		}
		edits, left := m.Relink(d, p)
		if p == from && !r.Unsaved(from) { // a buffer has its old path as long as its editor leaves it that
			p = to
		}
		if err := r.put(p, d, edits, left); err != nil {
			return err
		}
	}
	return r.beside(".", follows(m.Shown, m.Relink))
}

// a view is what names are resolved by.
var _ link.Names = (*names.View)(nil)
