package vault

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
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
	seq    Seq
	folder Info     // of projects/, with the set of its folders
	loose  []string // slugs whose documents are not watched
}

type head struct {
	Project
	info Info // zero: it has to be read each time
}

// sameTime is more than two changes can be apart and have the same time, on file systems
// that are watched.
const sameTime = 100 * time.Millisecond

// barrierLimit is how long a list waits for the watcher before it looks by itself.
const barrierLimit = 50 * time.Millisecond

// List returns all projects by name, as of the call. The slice is shared: it must not
// be written to.
func (h *Heads) List(ctx context.Context, v *Vault) ([]Project, error) {
	seq, heard := v.heardOf(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	changed, now := v.ChangedSince(h.seq)
	if !heard || !h.kept || !h.sameFolders(v) || slices.ContainsFunc(changed, func(c PathChange) bool { return c.Path == "" }) {
		return h.all(ctx, v, seq, heard)
	}
	look := slices.Clone(h.loose)
	for _, c := range changed {
		if slug := v.ProjectOf(c.Path); slug != "" && c.Path == v.projectPath(slug) {
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

// heardOf waits until what was saved before the call is known; false: that can't be
// waited for, or not in time. Only on Linux do events of several folders come in order.
func (v *Vault) heardOf(ctx context.Context) (Seq, bool) {
	if runtime.GOOS != "linux" || v.Watcher() != "watching" {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, barrierLimit)
	defer cancel()
	seq, err := v.Barrier(ctx)
	return seq, err == nil
}

// all looks at every project. seq is a number from before the call.
func (h *Heads) all(ctx context.Context, v *Vault, seq Seq, heard bool) ([]Project, error) {
	h.kept, h.seq, h.loose = false, seq, nil
	h.folder, _ = v.projectsFolder()
	slugs, err := v.slugs()
	if err != nil {
		return nil, err
	}
	stat, done := v.statProjects()
	defer done()
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
		if ok && now.info == (Info{}) || v.Ignored(v.projectPath(slug)) {
			h.loose = append(h.loose, slug)
		}
	}
	if changes || len(before) != len(h.known) || h.list == nil {
		h.sort()
	}
	h.kept = heard
	return h.list, nil
}

// look takes in one project's document, and tells whether that changed anything.
func (h *Heads) look(v *Vault, slug string, stat func(p string) (Info, error)) (changes bool, err error) {
	was, ok := h.known[slug]
	info, err := stat(v.projectPath(slug))
	if ok && err == nil && was.info == info {
		return false, nil
	}
	if err != nil {
		info = Info{}
	}
	if !errors.Is(err, ErrNotFound) {
		var p Project
		p, err = v.projectHead(slug)
		if errors.Is(err, ErrNotDownloaded) {
			p, info, err = Project{Slug: slug, Path: v.projectPath(slug), Name: slug, Status: "active"}, Info{}, nil
		}
		if err == nil {
			h.known[slug] = head{p, info}
			return true, nil
		}
	}
	if errors.Is(err, ErrNotFound) {
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
func (h *Heads) sameFolders(v *Vault) bool {
	info, ok := v.projectsFolder()
	return ok && info == h.folder && time.Since(info.ChangeTime) > sameTime
}

// projectsFolder describes the folder of the projects; false: it is none, or a link,
// behind which nothing is watched.
func (v *Vault) projectsFolder() (Info, bool) {
	fi, err := v.root.Lstat(v.layout.Projects)
	if err != nil || !fi.IsDir() {
		return Info{}, false
	}
	return infoOf(v.layout.Projects, fi), true
}

// statProjects returns [Vault.Stat] for the documents of projects, which saves the way
// from the vault's root to their folder each time.
func (v *Vault) statProjects() (stat func(p string) (Info, error), done func()) {
	folder, err := v.root.OpenRoot(v.layout.Projects)
	if err != nil {
		return v.Stat, func() {}
	}
	return func(p string) (Info, error) {
		fi, err := folder.Lstat(strings.TrimPrefix(p, v.layout.Projects+"/"))
		if err != nil || !fi.Mode().IsRegular() || v.elsewhere(fi) {
			return v.Stat(p)
		}
		return infoOf(p, fi), nil
	}, func() { folder.Close() }
}
