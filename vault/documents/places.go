package documents

import (
	"path"
	"slices"
	"sort"
	"strings"
)

// A Place is a note that is a project where it lies.
type Place struct {
	Slug   string
	Path   string // of the note
	Folder string // what lies in it is the project's; empty: the note alone is
}

// Places are the notes of a vault that are projects where they lie. It isn't changed.
type Places struct {
	list     []Place // by slug
	bySlug   map[string]Place
	byPath   map[string]Place
	byFolder map[string]Place
}

// NewPlaces returns the places, whose slugs and paths have to differ.
func NewPlaces(list []Place) *Places {
	p := &Places{bySlug: map[string]Place{}, byPath: map[string]Place{}, byFolder: map[string]Place{}}
	p.list = slices.Clone(list)
	sort.Slice(p.list, func(i, j int) bool { return p.list[i].Slug < p.list[j].Slug })
	for _, each := range list {
		p.bySlug[each.Slug], p.byPath[each.Path] = each, each
		if each.Folder != "" {
			p.byFolder[each.Folder] = each
		}
	}
	return p
}

// Equal reports whether both are the same places.
func (p *Places) Equal(q *Places) bool { return slices.Equal(p.list, q.list) }

// Paths are those of the notes, by slug.
func (p *Places) Paths() (paths []string) {
	for _, each := range p.list {
		paths = append(paths, each.Path)
	}
	return paths
}

// At returns the place of a note; the zero place, where it is none.
func (p *Places) At(note string) Place { return p.byPath[note] }

// None reports whether there are none.
func (p *Places) None() bool { return len(p.list) == 0 }

// of returns the place that a path belongs to: its own, or else that of the nearest folder.
func (p *Places) of(name string) (Place, bool) {
	if own, ok := p.byPath[name]; ok || len(p.byFolder) == 0 {
		return own, ok
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if own, ok := p.byFolder[dir]; ok {
			return own, true
		}
	}
	return Place{}, false
}

// SetPlaces says which notes are projects where they lie, and returns what is known of that
// from now on: another pointer for other places only.
func SetPlaces(f *Folder, now *Places) *Places {
	if was := f.placed(); was.Equal(now) {
		return was
	}
	f.places.Store(now)
	return now
}

// PlacesOf returns what is known of places: the pointer changes with them.
func PlacesOf(f *Folder) *Places { return f.placed() }

// placed are the places that were told last.
func (f *folder) placed() *Places {
	if p := f.places.Load(); p != nil {
		return p
	}
	return f.nowhere
}

// Place returns where a project lies that is a note of its own.
func (f *Folder) Place(slug string) (Place, bool) {
	p, ok := f.placed().bySlug[slug]
	return p, ok && f.hidden(p.Path) == nil
}

// PlacedAt returns the project that a note is where it lies.
func (f *Folder) PlacedAt(p string) (Place, bool) {
	place, ok := f.placed().byPath[p]
	return place, ok && f.hidden(p) == nil
}

// ProjectSlugs lists the folders of projects/, and the notes that are projects where they
// lie. Of a folder nobody knows as yet whether it is one.
func (f *Folder) ProjectSlugs() ([]string, error) {
	slugs, err := f.Names(f.layout.Projects, true)
	if err != nil {
		return nil, err
	}
	for _, p := range f.placed().list {
		if f.hidden(p.Path) == nil {
			slugs = append(slugs, p.Slug)
		}
	}
	return slugs, nil
}

// RecordDir returns where kist keeps what is its own of a project: in the project's folder,
// or, of a note that is one where it lies, below the vault's own folder of that kind.
func (f *Folder) RecordDir(project, inProject, inVault string) string {
	if _, ok := f.placed().bySlug[project]; ok {
		return path.Join(inVault, project)
	}
	return path.Join(f.layout.Projects, project, inProject)
}

// projectOfRecord is the project of what lies in a RecordDir.
func (f *Folder) projectOfRecord(p string) string {
	top, rest, ok := strings.Cut(p, "/")
	if !ok || top != f.layout.Conversations && top != f.layout.Memories && top != ActionsDir {
		return ""
	}
	slug, _, ok := strings.Cut(rest, "/")
	if _, placed := f.placed().bySlug[slug]; !ok || !placed {
		return ""
	}
	return slug
}

// ActionsDir is the folder of what was drafted for systems outside.
const ActionsDir = "actions"
