package entity

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// This file has what is different of projects that are notes where they lie. Their front
// matter is somebody else's: it is read as people write it, and never put right.

// placedHead is what a note says of the project that it is.
func placedHead(place documents.Place, doc *markdown.Document) Project {
	name := strings.TrimSuffix(path.Base(place.Path), path.Ext(place.Path))
	if place.Folder != "" {
		name = path.Base(place.Folder)
	}
	out := Project{Slug: place.Slug, Path: place.Path, Name: vault.OneLine(cmp.Or(doc.Title(), name)), Status: "active", Description: doc.FirstParagraph()}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return out
	}
	value := func(keys ...string) string {
		for _, key := range keys {
			if list := fm.Strings(catalog.FrontKey(fm, key)); len(list) > 0 {
				return catalog.Plain(list[0])
			}
		}
		return ""
	}
	out.ID, out.FormerIDs, out.Aliases = value("id"), fm.Strings(catalog.FormerIDs), fm.Strings(catalog.FrontKey(fm, "aliases"))
	out.Name = vault.OneLine(cmp.Or(value("name", "title"), out.Name))
	out.Status = cmp.Or(statusOf(value("status")), out.Status)
	out.Priority = strings.ToLower(value("priority"))
	out.Start = value("start", "start date", "start_date")
	out.Due = value(endKeys()...)
	out.Created = vault.ParseTime(value("created"))
	out.CreatedBy = value("created_by")
	for _, list := range fm.Strings(catalog.FrontKey(fm, "tags")) {
		for tag := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
			if tag = strings.TrimPrefix(tag, "#"); !slices.Contains(out.Tags, tag) {
				out.Tags = append(out.Tags, tag)
			}
		}
	}
	return out
}

// statusOf is kist's word for how people write that a project stands; theirs, where it has none.
func statusOf(written string) string {
	plain := strings.Trim(strings.ToLower(written), "#🟢🟡🔴🔵✅ \uFE0F")
	plain = strings.NewReplacer("_", " ", "-", " ").Replace(plain)
	if i := strings.LastIndexByte(plain, '/'); i >= 0 { // status/active
		plain = plain[i+1:]
	}
	switch plain {
	case "":
		return ""
	case "active", "in progress", "ongoing", "open", "started", "doing", "current", "running":
		return "active"
	case "completed", "complete", "done", "finished", "closed":
		return "completed"
	case "archived", "archive", "cancelled", "canceled", "dropped", "abandoned":
		return "archived"
	}
	return vault.OneLine(written)
}

// frontProperty is a property under the key that a note has for it, written in whatever case.
func frontProperty(v *vault.Vault, p Project, keys []string, value string) property {
	if _, ok := v.PlacedAt(p.Path); ok {
		if doc, err := v.Document(p.Path); err == nil {
			if fm, err := doc.FrontMatter(); err == nil {
				for _, key := range keys {
					if have := catalog.FrontKey(fm, key); have != "" && fm.Has(have) {
						return property{have, value}
					}
				}
			}
		}
	}
	return property{keys[0], value}
}

// inFolder returns ErrInvalid for a project that is a note where it lies: what was asked for
// means a folder of projects/.
func inFolder(v *vault.Vault, p Project, what, instead string) error {
	if _, ok := v.PlacedAt(p.Path); !ok {
		return nil
	}
	return vault.Hinted(fmt.Errorf("%w: %s is the note %s, a project where it lies; %s", vault.ErrInvalid, p.Slug, p.Path, what), instead)
}

// noteDir is the folder that new notes of a project are put into. It returns ErrInvalid for a
// project that is a note alone.
func noteDir(v *vault.Vault, p Project) (string, error) {
	place, ok := v.PlacedAt(p.Path)
	switch {
	case !ok:
		return path.Join(v.Layout().Projects, p.Slug, notesDir), nil
	case place.Folder == "":
		return "", inFolder(v, p, "it has no folder for notes",
			"append to the note itself, or put it into a folder that is called as the note is")
	}
	return place.Folder, nil
}
