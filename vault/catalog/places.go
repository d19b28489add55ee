package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// isProject reports whether a note says that it is a project, or a rule does.
func isProject(v *vault.Vault, rules *Rules, p string, doc *markdown.Document) bool {
	if !mayLie(v, p) {
		return false
	}
	fm, err := doc.FrontMatter()
	if err != nil {
		fm = nil
	}
	switch says(fm) {
	case "project":
		return true
	case "task", "memory", "draft", "conversation", "action":
		return false // whatever a rule says
	}
	return rules.byPath(p) || len(rules.tags) > 0 && rules.byTag(doc.Tags())
}

// says is what a note calls itself in its front matter, in lower case. Others write the key
// and the type as they like, or as a link to a note on that type.
func says(fm *markdown.FrontMatter) string {
	key := FrontKey(fm, "type")
	if key == "" {
		return ""
	}
	for _, kind := range fm.Strings(key) {
		if kind = strings.ToLower(Plain(kind)); kind == "project" || len(fm.Strings(key)) == 1 {
			return kind
		}
	}
	return ""
}

// FrontKey is the key of a front matter that is called so, in whatever case; empty: none.
func FrontKey(fm *markdown.FrontMatter, name string) string {
	if fm == nil {
		return ""
	}
	if fm.Has(name) {
		return name
	}
	for _, p := range fm.Keys() {
		if strings.EqualFold(p.Key, name) {
			return p.Key
		}
	}
	return ""
}

// Plain takes the brackets off a value that is a link, as [[2026-12-01]].
func Plain(value string) string {
	value = strings.TrimSpace(value)
	inner, ok := strings.CutPrefix(value, "[[")
	if inner, ok2 := strings.CutSuffix(inner, "]]"); ok && ok2 {
		target, shown, named := strings.Cut(inner, "|")
		if named {
			return strings.TrimSpace(shown)
		}
		return strings.TrimSpace(path.Base(target))
	}
	return value
}

// mayLie: a note may be a project there. In the folders of kist's own it is something else, but
// for folders of projects/ that are none.
func mayLie(v *vault.Vault, p string) bool {
	l := v.Layout()
	top, rest, deep := strings.Cut(p, "/")
	switch top {
	case l.Projects:
		folder, _, deeper := strings.Cut(rest, "/")
		if deeper && v.Exists(path.Join(top, folder, "project.md")) || deep && !deeper && folderOf(p) != "" {
			return false
		}
		return deep && !conflictCopy().MatchString(path.Base(p))
	case l.Drafts, l.Memories, l.Conversations, l.Sessions, l.Operations, documents.ActionsDir:
		return !deep
	}
	return !conflictCopy().MatchString(path.Base(p))
}

// folderOf is the folder that a note tells of: it is called as the folder, index or README;
// empty: none.
func folderOf(p string) string {
	dir := path.Dir(p)
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if dir == "." || !strings.EqualFold(name, path.Base(dir)) && !strings.EqualFold(name, "index") && !strings.EqualFold(name, "README") {
		return ""
	}
	return dir
}

// lying names the notes that are projects where they lie. A note is called as its file, or as
// its folder where it tells of that; where two would have one name, or a folder of projects/
// has it that it doesn't tell of, by its whole path.
func lying(projects string, paths, taken []string) *documents.Places {
	short := map[string]int{}
	for _, slug := range taken {
		if !slices.ContainsFunc(paths, func(p string) bool { return folderOf(p) == projects+"/"+slug }) {
			short[slug] = 2
		}
	}
	for _, p := range paths {
		short[ShortSlug(p)]++
	}
	used := map[string]bool{}
	folders := map[string]bool{}
	list := make([]documents.Place, 0, len(paths))
	for _, p := range slices.Sorted(slices.Values(paths)) {
		slug := ShortSlug(p)
		shared := short[slug] > 1
		if shared {
			slug = vault.Slug(strings.TrimSuffix(p, path.Ext(p)))
		}
		if shared && short[slug] > 0 || used[slug] {
			sum := sha256.Sum256([]byte(p))
			slug += "-" + hex.EncodeToString(sum[:4])
		}
		used[slug] = true
		place := documents.Place{Slug: slug, Path: p, Folder: folderOf(p)}
		if folders[place.Folder] {
			place.Folder = "" // another note tells of it
		}
		folders[place.Folder] = true
		list = append(list, place)
	}
	return documents.NewPlaces(list)
}

// ShortSlug is the slug of a note, or of the folder that it tells of, by its name alone.
func ShortSlug(p string) string {
	if dir := folderOf(p); dir != "" {
		return vault.Slug(path.Base(dir))
	}
	return vault.Slug(strings.TrimSuffix(path.Base(p), path.Ext(p)))
}
