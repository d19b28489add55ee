package documents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"kist/vault/canvas"
	"kist/vault/disk"
	"kist/vault/fsys"
)

// Walk calls fn for every Markdown file, those of the upper folders first, and problem for what
// is there but can't be used: unreadable folders, links, devices, what a cloud
// service keeps elsewhere. It passes over what is [Folder.Ignored]. It returns an
// error when the root can't be read, when fn returns one, and when ctx ends. A nil
// problem ignores problems.
func (f *Folder) Walk(ctx context.Context, fn func(disk.Info) error, problem func(disk.Problem)) error {
	return f.sweep(ctx, fn, problem, func(string) {}, false)
}

// sweep is Walk, which calls kept as well for what may be a conflict copy of something that is no document, and
// fn, if it is asked to, for canvases.
func (f *Folder) sweep(ctx context.Context, fn func(disk.Info) error, problem func(disk.Problem), kept func(p string), canvases bool) error {
	w := walk{f: f, ctx: ctx, fn: fn, problem: problem, kept: kept, canvases: canvases}
	if problem == nil {
		w.problem = func(disk.Problem) {}
	}
	if f.hides != nil {
		f.veil(&w)
	}
	defer func() { f.opts.Swept(w.leftovers) }()
	return w.all()
}

// veil keeps what is hidden out of a walk.
func (f *Folder) veil(w *walk) {
	found, problem, kept := w.fn, w.problem, w.kept
	w.fn = func(i disk.Info) error {
		if f.hidden(i.Path) != nil {
			return nil
		}
		return found(i)
	}
	w.problem = func(p disk.Problem) {
		if f.hidden(p.Path) == nil {
			problem(p)
		}
	}
	w.kept = func(p string) {
		if f.hidden(p) == nil {
			kept(p)
		}
	}
}

// A walk is one call of [Folder.Walk].
type walk struct {
	f         *Folder
	ctx       context.Context // of that call
	fn        func(disk.Info) error
	problem   func(disk.Problem)
	kept      func(p string)
	canvases  bool
	below     []string // folders of the next level
	leftovers []string // temporary files
	several   []hardLink
}

// all walks level by level: what lies high up is found first, however deep others go.
func (w *walk) all() error {
	for level := []string{"."}; len(level) > 0; {
		w.below = nil
		for _, dir := range level {
			if err := w.folder(dir); err != nil {
				return err
			}
		}
		level = w.below
	}
	return w.hardLinks()
}

func (w *walk) folder(dir string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := w.list(dir)
	switch {
	case errors.Is(err, disk.ErrNotDownloaded):
		w.problem(cloudProblem(dir))
		return nil
	case err != nil && dir == ".":
		return fmt.Errorf("read vault %s: %w", w.f.tree.Root.Name(), err)
	case err != nil:
		w.problem(disk.Problem{Path: dir, Message: "folder can't be read: " + fsys.BareError(err).Error(), Hint: "check its permissions"})
		return nil
	}
	for _, e := range entries {
		if err := w.entry(path.Join(dir, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

// list returns what is in a folder: disk.ErrNotDownloaded where that would download it.
func (w *walk) list(dir string) ([]fs.DirEntry, error) {
	f, err := w.f.tree.Root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi, err := f.Stat(); dir != "." && err == nil && w.f.tree.Options.Elsewhere(fi) {
		return nil, disk.ErrNotDownloaded
	}
	return f.ReadDir(-1)
}

func (w *walk) entry(p string, e fs.DirEntry) error {
	f, name := w.f, e.Name()
	if disk.IsTemp(name) {
		w.leftovers = append(w.leftovers, p)
	}
	if file, ok := fsys.Stubbed(p); ok && f.unreadStub(file) {
		w.problem(cloudProblem(file))
	}
	switch {
	case strings.HasPrefix(name, "."):
		return nil
	case !e.IsDir() && !disk.IsMarkdown(name):
		// conflict, Konflikt, conflit, conflicto
		if strings.Contains(name, "onfli") && e.Type().IsRegular() && utf8.ValidString(name) && !f.rules.Match(p, false) {
			w.kept(p)
		}
		if !w.canvases || !canvas.Is(name) {
			return nil
		}
	}
	switch {
	case f.rules.Match(p, e.IsDir()):
		return nil
	case !utf8.ValidString(name):
		w.problem(disk.Problem{Path: p, Message: "its name isn't UTF-8", Hint: "rename it: no path that can be logged or shown names it, so kist neither reads nor changes it"})
		return nil
	case e.IsDir():
		w.below = append(w.below, p)
		return nil
	}
	return w.document(p, e)
}

func (w *walk) document(p string, e fs.DirEntry) error {
	switch t := e.Type(); {
	case t&fs.ModeSymlink != 0:
		if to, err := w.f.tree.Root.Resolve(p, true); err != nil || !w.f.tree.Exists(to) {
			w.problem(disk.Problem{Path: p, Message: "link is absolute, leads out of the vault or to nothing", Hint: "put the file itself into the vault; kist follows no link out of it"})
		}
		// A link to a file inside the vault: that file is found by itself.
		return nil
	case !t.IsRegular():
		w.problem(disk.Problem{Path: p, Message: "not a regular file", Hint: "pipes, sockets and devices are not read"})
		return nil
	}
	fi, err := e.Info()
	if err != nil {
		return nil // gone since the folder was read
	}
	if w.f.tree.Options.Elsewhere(fi) {
		w.problem(cloudProblem(p))
		return nil
	}
	if l, several := hardLinkOf(p, fi); several {
		w.several = append(w.several, l)
		return nil
	}
	return w.fn(disk.InfoOf(p, fi))
}

func cloudProblem(p string) disk.Problem {
	return disk.Problem{
		Path: p, Message: "not downloaded: a cloud service keeps it elsewhere",
		Hint: "have it kept on this machine if kist is to read it; reading it would download it",
	}
}

// unreadStub reports whether a document that a stub stands for is one that is missed.
func (f *Folder) unreadStub(p string) bool {
	if !disk.IsMarkdown(p) || f.Ignored(p) {
		return false
	}
	_, err := f.tree.Root.Lstat(p)
	return errors.Is(err, fs.ErrNotExist)
}
