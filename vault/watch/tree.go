package watch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A tree knows the folders that have a watch.
//
// It knows them by identity too, because an inotify watch belongs to a folder
// and not to its path: a folder that was moved keeps its watch, which goes on
// naming the old path. So before a folder is watched under a new path, the watch
// under its old one, and those of all folders below, must be lifted.
type tree struct {
	root    string // absolute, in the system's form
	watches placer
	ignore  func(path string, dir bool) bool
	rules   func(path string) bool
	listed  func(dir string, entries []fs.DirEntry)
	log     *slog.Logger
	top     *folder
	byID    map[fileID]string
}

type folder struct {
	id  fileID
	sub map[string]*folder // by name
}

// A visit is called for each file that a walk finds, and for ignored ones that
// hold rules.
type visit func(path string, info fs.FileInfo)

func newTree(root string, watches placer, opts Options) *tree {
	return &tree{
		root: root, watches: watches, ignore: opts.Ignore, rules: opts.Rules, listed: opts.Listed, log: opts.Log,
		top: &folder{}, byID: map[fileID]string{},
	}
}

func (t *tree) abs(path string) string {
	return filepath.Join(t.root, filepath.FromSlash(path))
}

// lookup returns the watched folder at path, nil if there is none.
func (t *tree) lookup(path string) *folder {
	f := t.top
	for name := range strings.SplitSeq(path, "/") {
		if f = f.sub[name]; f == nil {
			return nil
		}
	}
	return f
}

// add watches the folder at path and those below it, and visits the files in
// them; path "" is the root. It tells moved when the folder, or one below, was
// watched under another path until now. Where file is nil no file is looked at. A
// folder that already has its watch is
// left alone. The error is a *limitError or ctx's, or for the root any other.
func (t *tree) add(ctx context.Context, path string, file visit) (moved bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	dir := t.abs(path)
	info, err := os.Stat(dir)
	if path != "" {
		info, err = os.Lstat(dir)
	}
	if err != nil || !info.IsDir() {
		return false, t.passOver(path, err)
	}
	id := identify(info)
	if old, ok := t.byID[id]; ok && old == path {
		return false, nil
	} else if ok {
		t.forget(old)
		moved = true
	}
	if path != "" {
		t.forget(path) // what was here before is another folder
	}
	if err := t.watches.Add(dir); err != nil {
		return moved, t.passOver(path, err)
	}
	t.insert(path, id)
	// Only now: what is created from here on is seen by the watch.
	m, err := t.walk(ctx, path, file)
	return moved || m, err
}

// walk visits the files of one folder and adds the folders in it.
func (t *tree) walk(ctx context.Context, path string, file visit) (moved bool, err error) {
	entries, err := os.ReadDir(t.abs(path))
	if err != nil {
		if err := t.passOver(path, err); err != nil {
			return false, err
		}
	} else {
		t.listed(path, entries)
	}
	for _, entry := range entries {
		if file == nil && !entry.IsDir() {
			continue // to look at each takes most of the time that it takes to begin
		}
		name := entry.Name()
		if path != "" {
			name = path + "/" + name
		}
		if t.ignore(name, entry.IsDir()) && (entry.IsDir() || !t.rules(name)) {
			continue
		}
		if entry.IsDir() {
			m, err := t.add(ctx, name, file)
			moved = moved || m
			if err != nil {
				return moved, err
			}
		} else if info, err := entry.Info(); err == nil {
			file(name, info)
		}
	}
	return moved, nil
}

// passOver returns nil for a folder that can be left out: it is gone again, or
// nobody may read it.
func (t *tree) passOver(path string, err error) error {
	switch {
	case path == "" && errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil
	case path != "" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP)):
		t.log.Warn("folder is not watched", "path", path, "err", err)
		return nil
	}
	// Whatever it is, a part of the vault would go unseen: better to poll it all.
	return &limitError{err}
}

func (t *tree) insert(path string, id fileID) {
	f := t.top
	if path != "" {
		for name := range strings.SplitSeq(path, "/") {
			if f.sub == nil {
				f.sub = map[string]*folder{}
			}
			if f.sub[name] == nil {
				f.sub[name] = &folder{}
			}
			f = f.sub[name]
		}
	}
	f.id = id
	if id != (fileID{}) {
		t.byID[id] = path
	}
}

// forget lifts the watches of the folder at path and of all below it.
func (t *tree) forget(path string) {
	f := t.lookup(path)
	if f == nil {
		return
	}
	parent, name := t.top, path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		parent, name = t.lookup(path[:i]), path[i+1:]
	}
	delete(parent.sub, name)
	t.lift(path, f)
}

func (t *tree) lift(path string, f *folder) {
	// An error means that the folder is gone, and its watch with it.
	_ = t.watches.Remove(t.abs(path))
	if t.byID[f.id] == path {
		delete(t.byID, f.id)
	}
	for name, sub := range f.sub {
		t.lift(path+"/"+name, sub)
	}
}
