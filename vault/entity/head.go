package entity

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/documents"
)

// Heads lists the projects as their own documents tell them, without counts of their
// tasks, and remembers them: a turn that read all, or looked at the times of all, would
// be as slow as there are projects. Its zero value is ready; it may be used concurrently,
// for one vault.
//
// While the vault is watched, a list costs a wait for what was saved before the call,
// and a look at what changed since the last one. Otherwise the time of each document is
// looked at.
type Heads struct {
	mu     sync.Mutex
	known  map[string]head // by slug
	list   []Project       // never changed, but replaced
	kept   bool            // list holds as of seq
	seq    vault.Seq
	folder vault.Info // of projects/, with the set of its folders
	places *documents.Places
	loose  []string // slugs whose documents are not watched
}

type head struct {
	Project
	info vault.Info // zero: it has to be read each time
}

// sameTime is more than two changes can be apart and have the same time, on file systems
// that are watched.
const sameTime = 100 * time.Millisecond

// List returns all projects by name, as of the call. The slice is shared: it must not
// be written to.
func (h *Heads) List(ctx context.Context, v *vault.Vault) ([]Project, error) {
	known, err := catalog.Now(ctx, v)
	if err != nil {
		return nil, err
	}
	return h.listOf(ctx, v, known)
}

// listOf is List with what the catalog knows.
func (h *Heads) listOf(ctx context.Context, v *vault.Vault, known catalog.Known) ([]Project, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	changed, now := v.ChangedSince(h.seq)
	if !known.Heard || !h.kept || !h.sameFolders(v) || h.places != documents.PlacesOf(v.Folder) || slices.ContainsFunc(changed, func(c vault.PathChange) bool { return c.Path == "" }) {
		return h.all(ctx, v, known)
	}
	look := slices.Clone(h.loose)
	for _, c := range changed {
		if slug := v.ProjectOf(c.Path); slug != "" && c.Path == v.ProjectPath(slug) {
			look = append(look, slug)
		}
	}
	changes, failed := false, error(nil)
	for _, slug := range look {
		more, err := h.look(v, slug, v.Stat)
		changes = changes || more
		if err != nil {
			h.kept = false
			failed = err
			break
		}
	}
	if changes {
		h.sort() // also before an error, so that list is what is known
	}
	if failed != nil {
		return nil, failed
	}
	h.seq = now
	return h.list, ctx.Err()
}

// all looks at every project.
func (h *Heads) all(ctx context.Context, v *vault.Vault, known catalog.Known) ([]Project, error) {
	h.kept, h.seq, h.loose = false, known.Seq, nil
	h.folder, _ = v.StatFolder(v.Layout().Projects)
	h.places = documents.PlacesOf(v.Folder)
	slugs, err := v.ProjectSlugs()
	if err != nil {
		return nil, err
	}
	statIn, done := v.StatIn(v.Layout().Projects)
	defer done()
	stat := func(p string) (vault.Info, error) {
		if _, ok := v.PlacedAt(p); ok {
			return v.Stat(p)
		}
		return statIn(p)
	}
	before := h.known
	h.known = make(map[string]head, len(slugs))
	changes := false
	for _, slug := range slugs {
		if err := ctx.Err(); err != nil {
			h.known = before
			return nil, err
		}
		if was, ok := before[slug]; ok {
			h.known[slug] = was
		}
		more, err := h.look(v, slug, stat)
		if err != nil {
			h.known = before
			return nil, err
		}
		changes = changes || more
		now, ok := h.known[slug]
		if ok && now.info == (vault.Info{}) || v.Ignored(v.ProjectPath(slug)) {
			h.loose = append(h.loose, slug)
		}
	}
	if changes || len(before) != len(h.known) || h.list == nil {
		h.sort()
	}
	h.kept = known.Told
	return h.list, nil
}

// look takes in one project's document, and tells whether that changed anything.
func (h *Heads) look(v *vault.Vault, slug string, stat func(p string) (vault.Info, error)) (changes bool, err error) {
	was, ok := h.known[slug]
	info, err := stat(v.ProjectPath(slug))
	if ok && err == nil && was.info == info {
		return false, nil
	}
	if err != nil {
		info = vault.Info{}
	}
	if documents.IsOtherName(err) {
		err = vault.ErrNotFound // the project has another folder
	}
	if !errors.Is(err, vault.ErrNotFound) {
		var p Project
		p, err = projectHead(v, slug)
		if errors.Is(err, vault.ErrNotDownloaded) {
			p, info, err = Project{Slug: slug, Path: v.ProjectPath(slug), Name: slug, Status: "active"}, vault.Info{}, nil
		}
		if err == nil {
			h.known[slug] = head{p, info}
			return true, nil
		}
	}
	if errors.Is(err, vault.ErrNotFound) {
		delete(h.known, slug)
		return ok, nil
	}
	return false, err
}

func (h *Heads) sort() {
	h.list = make([]Project, 0, len(h.known))
	for _, k := range h.known {
		h.list = append(h.list, k.Project)
	}
	sort.Slice(h.list, func(i, j int) bool {
		a, b := strings.ToLower(h.list[i].Name), strings.ToLower(h.list[j].Name)
		if a != b {
			return a < b
		}
		return h.list[i].Slug < h.list[j].Slug
	})
}

// sameFolders reports whether projects/ has the folders that it had: those that are
// ignored come and go unheard. A time that is nearly now may stand for two changes.
func (h *Heads) sameFolders(v *vault.Vault) bool {
	info, ok := v.StatFolder(v.Layout().Projects)
	return ok && info == h.folder && time.Since(info.ChangeTime) > sameTime
}
