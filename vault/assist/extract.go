package assist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"kist/vault"
	"kist/vault/link"
	"kist/vault/markdown"
)

// PlanExtract plans to make a document of the section at a place, with what is below it, and
// to leave a link to it; links to places in it follow. The document lies beside and is called as the section is. It returns
// [vault.ErrInvalid] where there is no section or its document isn't saved.
func (d *Desk) PlanExtract(ctx context.Context, q Question) (vault.Step, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return vault.Step{}, err
	}
	defer o.Close()
	if o.Unsaved(o.path) {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: %s isn't saved; save it first", vault.ErrInvalid, o.path), "save the document in the editor, then ask again")
	}
	sections, at := o.doc.Sections(), -1
	for i, s := range sections {
		if s.Level > 0 && s.Start <= o.at {
			at = i
		}
	}
	if at < 0 {
		return vault.Step{}, fmt.Errorf("%w: there is no section at this place", vault.ErrInvalid)
	}
	if err := o.doc.Editable(); err != nil {
		return vault.Step{}, err
	}
	if why := o.protected(o.path, o.doc); why != "" {
		return vault.Step{}, fmt.Errorf("%w: %s stays as it is: %s", vault.ErrInvalid, o.path, why)
	}
	s, src := sections[at], o.doc.Source()
	stem := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>|", r) {
			return '-'
		}
		return r
	}, link.InLink(s.Heading())), " .-")
	if stem == "" {
		return vault.Step{}, fmt.Errorf("%w: the section has no heading to call a document by", vault.ErrInvalid)
	}
	to := o.free(path.Join(path.Dir(o.path), stem))
	nl := "\n"
	part := markdown.Span{Start: s.Start, End: sections[branch(sections, at)-1].End}
	if bytes.Contains(src[part.Start:part.End], []byte("\r\n")) {
		nl = "\r\n"
	}
	name := strings.TrimSuffix(path.Base(to), ".md")
	if len(o.Files(link.Key(to))) > 0 {
		name = strings.TrimSuffix(to, ".md")
	}
	left := "[[" + name + "]]" + nl
	if part.End < len(src) {
		left += nl
	}
	x := extraction{open: o, to: to, part: part, left: left, above: raises(o.doc, sections[at:branch(sections, at)], s.Level-1)}
	step := vault.Step{Type: vault.OpUpdate, Entity: o.desk.Vault.EntityOf(o.path, src), Reason: "make a document of the section " + vault.OneLine(s.Heading())}
	step.Changes, err = x.changes(ctx)
	return step, err
}

// An extraction is a part of a document on its way into one of its own.
type extraction struct {
	*open
	to    string
	part  markdown.Span
	left  string          // what stands in its place
	above []markdown.Edit // of its headings
}

// changes are those of the two documents, and of all that link to places in the part.
func (x *extraction) changes(ctx context.Context) ([]vault.Change, error) {
	src := x.doc.Source()
	rest, text := x.cut(src, nil)
	places := x.placesOf(x.doc)
	split := link.Split{
		Before: x.View, After: x.Edited(x.to, text).Edited(x.path, rest), From: x.path, To: x.to, Part: x.part,
		Place: func(anchor string) (int, bool) {
			span, ok := places.anchored(anchor)
			return span.Start, ok
		},
		Headings: link.NewHeadings(markdown.Parse(text).Sections()),
	}
	edits, _ := split.Relink(x.doc, x.path)
	rest, text = x.cut(src, edits)
	changes := []vault.Change{{Path: x.to, After: text}, {Path: x.path, Before: src, After: rest}}
	for _, p := range x.Linking(keysOf(x.Entry(x.path))...) {
		if p == x.path || x.Unsaved(p) {
			continue // what a buffer holds is its editor's
		}
		doc, err := x.lookAt(p)
		if errors.Is(err, vault.ErrNotFound) || err == nil && x.protected(p, doc) != "" {
			continue
		} else if err != nil {
			return nil, err
		}
		if edits, _ := split.Relink(doc, p); len(edits) > 0 {
			changes = append(changes, vault.Change{Path: p, Before: doc.Source(), After: link.Apply(doc.Source(), edits)})
		}
	}
	return changes, ctx.Err()
}

// cut makes the two texts of one, in which links are edited.
func (x *extraction) cut(src []byte, links []markdown.Edit) (rest, text []byte) {
	var before, within, after []markdown.Edit
	for _, e := range links {
		switch {
		case e.Start < x.part.Start:
			before = append(before, e)
		case e.Start < x.part.End:
			within = append(within, shifted(e, x.part.Start))
		default:
			after = append(after, shifted(e, x.part.End))
		}
	}
	for _, e := range x.above {
		within = append(within, shifted(e, x.part.Start))
	}
	sort.SliceStable(within, func(i, j int) bool { return within[i].Start < within[j].Start })
	rest = append(link.Apply(src[:x.part.Start], before), x.left...)
	rest = append(rest, link.Apply(src[x.part.End:], after)...)
	return rest, link.Apply(src[x.part.Start:x.part.End], within)
}

func shifted(e markdown.Edit, by int) markdown.Edit {
	e.Start, e.End = e.Start-by, e.End-by
	return e
}

// free is a document's path that starts so and isn't taken, in whichever case.
func (o *open) free(stem string) string {
	to := stem + ".md"
	for n := 2; o.desk.Vault.Exists(to) || slices.ContainsFunc(o.Files(link.Key(to)), func(p string) bool { return strings.EqualFold(p, to) }); n++ {
		to = fmt.Sprintf("%s %d.md", stem, n)
	}
	return to
}

// raises are the edits with which the headings of sections are so many levels higher; those
// that are underlined stay.
func raises(doc *markdown.Document, sections []markdown.Section, levels int) (edits []markdown.Edit) {
	src, mark := doc.Source(), bytes.Repeat([]byte("#"), levels+1)
	for _, s := range sections {
		part := src[s.Start:s.End]
		if levels > 0 && bytes.HasPrefix(bytes.TrimLeft(part, " "), mark) {
			at := s.Start + bytes.IndexByte(part, '#')
			edits = append(edits, markdown.Edit{Start: at, End: at + levels})
		}
	}
	return edits
}
