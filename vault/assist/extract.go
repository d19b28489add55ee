package assist

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/link"
	"kist/vault/markdown"
)

// PlanExtract plans to make a document of the section at a place, with what is below it, and
// to leave a link to it. The document lies beside and is called as the section is. It returns
// [vault.ErrInvalid] where there is no section or its document isn't saved.
func (d *Desk) PlanExtract(ctx context.Context, q Question) (vault.Step, error) {
	o, err := d.open(ctx, q)
	if err != nil {
		return vault.Step{}, err
	}
	defer o.Close()
	if o.Unsaved(o.path) {
		return vault.Step{}, fmt.Errorf("%w: %s isn't saved; save it first", vault.ErrInvalid, o.path)
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
	end := sections[branch(sections, at)-1].End
	text := raised(o.doc, sections[at:branch(sections, at)], s.Level-1)
	nl := "\n"
	if bytes.Contains(src[s.Start:end], []byte("\r\n")) {
		nl = "\r\n"
	}
	name := strings.TrimSuffix(path.Base(to), ".md")
	if len(o.Files(link.Key(to))) > 0 {
		name = strings.TrimSuffix(to, ".md")
	}
	left := markdown.Edit{Start: s.Start, End: end, Text: []byte("[[" + name + "]]" + nl)}
	if end < len(src) {
		left.Text = append(left.Text, nl...)
	}
	return vault.Step{
		Type: vault.OpUpdate, Entity: o.desk.Vault.EntityOf(o.path, src), Reason: "make a document of the section " + vault.OneLine(s.Heading()),
		Changes: []vault.Change{{Path: to, After: text}, {Path: o.path, Before: src, After: left.Apply(src)}},
	}, nil
}

// free is a document's path that starts so and isn't taken, in whichever case.
func (o *open) free(stem string) string {
	to := stem + ".md"
	for n := 2; o.desk.Vault.Exists(to) || slices.ContainsFunc(o.Files(link.Key(to)), func(p string) bool { return strings.EqualFold(p, to) }); n++ {
		to = fmt.Sprintf("%s %d.md", stem, n)
	}
	return to
}

// raised is the text of sections with their headings so many levels higher; those that are
// underlined stay.
func raised(doc *markdown.Document, sections []markdown.Section, levels int) (text []byte) {
	src := doc.Source()
	for _, s := range sections {
		part := src[s.Start:s.End]
		if mark := bytes.Repeat([]byte("#"), levels); levels > 0 && bytes.HasPrefix(bytes.TrimLeft(part, " "), append(mark, '#')) {
			i := bytes.IndexByte(part, '#')
			part = append(bytes.Clone(part[:i]), part[i+levels:]...)
		}
		text = append(text, part...)
	}
	return text
}
