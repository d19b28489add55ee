package documents

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"kist/vault/disk"
	"kist/vault/fsys"
	"kist/vault/oplog"
)

// projectFile is the document of a project, in its folder.
const projectFile = "project.md"

// Layout holds the names of the folders with a meaning, from kist.yaml.
type Layout struct {
	Projects      string
	Drafts        string
	Memories      string
	Conversations string
	Sessions      string
	Operations    string
}

// DefaultLayout is the layout of a vault whose kist.yaml doesn't say otherwise.
func DefaultLayout() Layout {
	return Layout{
		Projects:      "projects",
		Drafts:        "drafts",
		Memories:      "memories",
		Conversations: "conversations",
		Sessions:      "sessions",
		Operations:    "operations",
	}
}

// Found is the layout with the names that folders at the vault's top have, where they differ from
// its own by case alone: those of projects, in which people's own may lie, and of the others those that
// are one folder with its own here, as one says. Operations/ and Memories/ are somebody's own. What is
// there by its own name, or what two of the layout's would share, stays.
func (l Layout) Found(top []string, one func(name string) bool) Layout {
	all := []*string{&l.Projects, &l.Drafts, &l.Memories, &l.Conversations, &l.Sessions, &l.Operations}
	for _, dir := range all {
		name, rest, deep := strings.Cut(*dir, "/")
		i := slices.IndexFunc(top, func(there string) bool { return strings.EqualFold(there, name) })
		shared := slices.ContainsFunc(all, func(o *string) bool {
			other, _, _ := strings.Cut(*o, "/")
			return o != dir && strings.EqualFold(other, name)
		})
		if i < 0 || shared || slices.Contains(top, name) || dir != &l.Projects && !one(name) {
			continue
		}
		if *dir = top[i]; deep {
			*dir += "/" + rest
		}
	}
	return l
}

// Names are those of the folders, by what kist.yaml calls them.
func (l Layout) Names() map[string]string {
	return map[string]string{
		"projects": l.Projects, "drafts": l.Drafts, "memories": l.Memories,
		"conversations": l.Conversations, "sessions": l.Sessions, "operations": l.Operations,
	}
}

// Unsent reports whether a path is of a file of the log with what is to stay on this machine.
func (l Layout) Unsent(p string) bool {
	return strings.HasPrefix(p, l.Operations+"/") && strings.HasSuffix(p, oplog.UnsentEnd)
}

// ProjectOf returns the slug of the project that a path belongs to; empty: none. Of notes that
// are projects where they lie it knows what [SetPlaces] was told last.
func (f *Folder) ProjectOf(p string) string {
	places := f.placed()
	if place, ok := places.of(p); ok {
		return place.Slug
	}
	if rest, ok := strings.CutPrefix(p, f.layout.Projects+"/"); ok {
		if slug, _, ok := strings.Cut(rest, "/"); ok {
			return slug
		}
	}
	if len(places.list) == 0 {
		return ""
	}
	return f.projectOfRecord(p)
}

// TypeOf returns the type that a path implies: project, task, memory, note,
// conversation or draft; empty: none.
func (f *Folder) TypeOf(p string) string {
	if _, ok := f.placed().byPath[p]; ok {
		return "project"
	}
	top, rest, ok := strings.Cut(p, "/")
	if !ok {
		return ""
	}
	if top == f.layout.Projects {
		_, rest, ok = strings.Cut(rest, "/")
		if !ok {
			return ""
		}
		if rest == projectFile {
			return "project"
		}
		top, _, ok = strings.Cut(rest, "/")
		if !ok {
			return ""
		}
	}
	switch top {
	case "tasks":
		return "task"
	case "notes":
		return "note"
	case f.layout.Memories, "memories":
		return "memory"
	case f.layout.Conversations, "conversations":
		return "conversation"
	case f.layout.Drafts:
		return "draft"
	}
	return ""
}

// ProjectPath returns the path of a project's document.
func (f *Folder) ProjectPath(slug string) string {
	if p, ok := f.placed().bySlug[slug]; ok {
		return p.Path
	}
	return path.Join(f.layout.Projects, slug, projectFile)
}

// Names lists the folders, or the documents, in dir; none if there is no dir, or a
// link to one, behind which nothing is watched.
func (f *Folder) Names(dir string, folders bool) ([]string, error) {
	entries, err := f.tree.Root.ReadDir(dir)
	if err != nil {
		if err := f.tree.PathError("folder", dir, err); !errors.Is(err, disk.ErrNotFound) && !errors.Is(err, disk.ErrNotRegular) {
			return nil, err
		}
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() != folders || f.hidden(path.Join(dir, e.Name())) != nil {
			continue
		}
		if folders || disk.IsMarkdown(e.Name()) && e.Type().IsRegular() && !f.isOther(path.Join(dir, e.Name())) {
			out = append(out, e.Name())
		}
	}
	sort.Strings(out)
	return out, nil
}

// FreePath returns dir/slug.md, or the first of slug-2, slug-3, ... that is free.
func (f *Folder) FreePath(dir, slug string) (string, error) {
	return f.FreeName(dir, slug, ".md", nil)
}

// FreeName is FreePath for any extension. What is taken, in lower case, is not free
// either; the name returned is taken then.
func (f *Folder) FreeName(dir, stem, ext string, taken map[string]bool) (string, error) {
	for n := 1; n < 10000; n++ {
		name := stem + ext
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		p, err := f.WritablePath(path.Join(dir, name))
		if err != nil {
			return "", err
		}
		if taken[strings.ToLower(p)] {
			continue
		}
		if _, err = f.tree.Lstat(p); err == nil || errors.Is(err, disk.ErrNotDownloaded) {
			continue
		}
		if err := f.tree.PathError("file", p, err); !errors.Is(err, disk.ErrNotFound) {
			return "", err
		}
		if taken != nil {
			taken[strings.ToLower(p)] = true
		}
		return p, nil
	}
	return "", fmt.Errorf("%w: every name for %s", disk.ErrExists, stem)
}

// Unmovable says why an entry of a folder can't be moved; "": it can.
func Unmovable(p string, e fs.DirEntry) string {
	switch {
	case strings.HasPrefix(e.Name(), "."):
		return "hidden"
	case e.Type()&fs.ModeSymlink != 0:
		return "a link"
	case e.IsDir():
		return ""
	case !e.Type().IsRegular():
		return "not a regular file"
	}
	if _, err := disk.Clean(p); err != nil {
		return "a name kist can't write"
	}
	if fi, err := e.Info(); err == nil && fsys.Links(fi) > 1 {
		return "it has more than one name"
	}
	return ""
}

// IsDisposable tells what systems leave in every folder and make anew, and kist's own
// temporary files, which go by themselves. They stay where they are.
func IsDisposable(name string) bool {
	return name == ".DS_Store" || name == ".localized" || name == ".directory" || strings.HasPrefix(name, "._") || disk.IsTemp(name)
}

// HasProject reports whether a project's folder is there, or a note is the project.
func (f *Folder) HasProject(slug string) bool {
	if _, ok := f.Place(slug); ok {
		return true
	}
	fi, err := f.tree.Root.Lstat(path.Join(f.layout.Projects, slug))
	return IsSlug(slug) && err == nil && fi.IsDir() && f.hidden(path.Join(f.layout.Projects, slug)) == nil
}

// IsSlug: a project's name from a file that anybody may have edited is the name of a
// folder, and no path.
func IsSlug(s string) bool {
	return s != "" && !strings.ContainsAny(s, `/\`) && !strings.HasPrefix(s, ".")
}

// ConversationDir returns the folder of a project's conversations; of those of none for
// an empty slug.
func (f *Folder) ConversationDir(project string) string {
	if project == "" {
		return f.layout.Conversations
	}
	return f.RecordDir(project, "conversations", f.layout.Conversations)
}
