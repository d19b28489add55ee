package entity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kist/vault"
	"kist/vault/markdown"
	"kist/vault/spelling"
)

// A Link connects a project with something else. It stands in the list "links" of the
// project's front matter as {type: file, ref: notes/a.md, relevance: 0.8, added_by:
// user}; a plain text in that list is a ref. Wiki links in the document count too.
type Link struct {
	Type      string  // file, email, task, person, document or calendar_event
	Ref       string  // a path, an id, an address or a name
	Relevance float64 // 0 to 1
	AddedBy   string  // user, automatic or, for a wiki link in the document, text
}

// linkTypes are the types that a link may have.
func linkTypes() []string {
	return []string{"file", "email", "task", "person", "document", "calendar_event"}
}

// addedByText marks a link that is written in the document.
const addedByText = "text"

// Links returns a project's links: those listed in its front matter, and then those
// in its document that aren't among them.
func Links(ctx context.Context, v *vault.Vault, project string) ([]Link, error) {
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return nil, err
	}
	doc, err := v.Document(p.Path)
	if err != nil {
		return nil, err
	}
	out := listedLinks(doc)
	for _, ref := range doc.Links() {
		if !slices.ContainsFunc(out, func(l Link) bool { return sameRef(l.Ref, ref) }) {
			out = append(out, Link{Type: "document", Ref: ref, Relevance: 1, AddedBy: addedByText})
		}
	}
	return out, nil
}

// listedLinks reads the front matter's list; what is no link is passed over.
func listedLinks(doc *markdown.Document) []Link {
	var out []Link
	for _, l := range linkElements(doc) {
		if l.Ref != "" {
			out = append(out, l)
		}
	}
	return out
}

// linkElements is listedLinks with an entry for every element of the list.
func linkElements(doc *markdown.Document) []Link {
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return nil
	}
	var out []Link
	for _, e := range fm.Elements("links") {
		l := Link{Type: cmp.Or(e["type"], "file"), Ref: e["ref"], Relevance: 1, AddedBy: cmp.Or(e["added_by"], "user")}
		if text := e[""]; text != "" {
			l.Ref = text
			if wiki := wikiTarget(text); wiki != text {
				l.Type, l.Ref = "document", wiki
			}
		}
		if r, err := strconv.ParseFloat(e["relevance"], 64); err == nil && r >= 0 && r <= 1 {
			l.Relevance = r
		}
		out = append(out, l)
	}
	return out
}

// wikiTarget returns what [[a|b]] leads to, and anything else as it is.
func wikiTarget(s string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(s), "[[")
	if inner, ok2 := strings.CutSuffix(inner, "]]"); ok && ok2 {
		target, _, _ := strings.Cut(inner, "|")
		return strings.TrimSpace(target)
	}
	return s
}

func sameRef(a, b string) bool { return strings.TrimSuffix(a, ".md") == strings.TrimSuffix(b, ".md") }

// PlanAddLinks plans to add links to a project. One whose ref is listed already is
// not added again. It returns ErrInvalid for a link without a ref, of another type, or
// with a relevance outside of 0 to 1.
func PlanAddLinks(ctx context.Context, v *vault.Vault, project string, links []Link) (vault.Step, error) {
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return vault.Step{}, err
	}
	if len(links) == 0 {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: no link to add", vault.ErrInvalid), "name what the project is to be linked to")
	}
	if len(links) > maxLinksAtOnce {
		return vault.Step{}, fmt.Errorf("%w: more than %d links at once", vault.ErrInvalid, maxLinksAtOnce)
	}
	var edits []splice
	for _, l := range links {
		l.Ref, l.AddedBy = vault.OneLine(l.Ref), cmp.Or(l.AddedBy, "user")
		switch {
		case l.Ref == "":
			return vault.Step{}, fmt.Errorf("%w: a link needs what it leads to", vault.ErrInvalid)
		case !slices.Contains(linkTypes(), l.Type):
			return vault.Step{}, fmt.Errorf("%w: %q is not one of %s", vault.ErrInvalid, vault.OneLine(l.Type), strings.Join(linkTypes(), ", "))
		case !(l.Relevance >= 0 && l.Relevance <= 1):
			return vault.Step{}, fmt.Errorf("%w: a relevance of %g is not from 0 to 1", vault.ErrInvalid, l.Relevance)
		case l.AddedBy != "user" && l.AddedBy != "automatic":
			return vault.Step{}, fmt.Errorf("%w: links are added by user or automatic, not %q", vault.ErrInvalid, vault.OneLine(l.AddedBy))
		}
		edits = append(edits, addLink(l))
	}
	return planSplices(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, edits...)
}

// addLink adds a link to the list, unless its ref is there.
func addLink(l Link) splice {
	return func(doc *markdown.Document) (markdown.Edit, error) {
		if slices.ContainsFunc(listedLinks(doc), func(have Link) bool { return have.Ref == l.Ref }) {
			return markdown.Edit{}, nil
		}
		text := fmt.Sprintf("{type: %s, ref: %s", inBraces(l.Type), inBraces(l.Ref))
		if l.Relevance < 1 {
			text += ", relevance: " + strconv.FormatFloat(l.Relevance, 'g', 3, 64)
		}
		return doc.AddMapToProperty("links", text+", added_by: "+inBraces(l.AddedBy)+"}")
	}
}

// inBraces quotes a text as it can stand in a list or map on one line.
func inBraces(s string) string {
	list := markdown.QuoteList([]string{s})
	return list[1 : len(list)-1]
}

// PlanRemoveLink plans to remove the listed links to ref. It returns ErrNotFound where
// there is none; a link in the document's text is the user's to remove.
func PlanRemoveLink(ctx context.Context, v *vault.Vault, project, ref string) (vault.Step, error) {
	p, err := FindProject(ctx, v, project)
	if err != nil {
		return vault.Step{}, err
	}
	return PlanSplice(v, vault.Entity{Type: "project", ID: p.ID, Path: p.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		links := linkElements(doc)
		ed, err := doc.RemoveElements("links", func(i int) bool {
			return i < len(links) && ref != "" && (links[i].Ref == ref || links[i].Ref == wikiTarget(ref))
		})
		if errors.Is(err, markdown.ErrNoProperty) {
			var refs []string
			for _, l := range links {
				refs = append(refs, l.Ref)
			}
			return ed, &vault.NotFoundError{Kind: "link", Ref: ref, Near: spelling.Near(ref, refs)}
		}
		return ed, err
	})
}
