package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// removedEmpty says that the removal of a folder is preceded by events for all
// that was in it. Elsewhere a removed folder may be one that was moved out.
const removedEmpty = runtime.GOOS == "linux"

// watching is the feed of a watched tree.
type watching struct {
	opts   Options
	queue  *queue
	source source
	tree   *tree

	jar    *jar  // nil: there are no cookies
	noJar  error // why
	passed int   // the newest cookie whose event was seen
}

// newWatching watches root and all folders below it. The error is a *limitError
// where that isn't possible on this machine.
func newWatching(ctx context.Context, root string, opts Options, open func() (source, error), limit int) (*watching, error) {
	s, err := open()
	if err != nil {
		return nil, &limitError{err}
	}
	f := &watching{
		opts: opts, source: s, queue: newQueue(s, limit),
		tree: newTree(root, s.watches, opts),
	}
	if _, err := f.tree.add(ctx, "", nil); err != nil {
		f.close()
		return nil, err
	}
	if f.noJar = f.openJar(root); f.noJar != nil && opts.Cookies != "" {
		opts.Log.Warn("the watcher can't test itself", "dir", opts.Cookies, "err", f.noJar)
	}
	return f, nil
}

// openJar watches the folder of cookies, which the tree doesn't hold.
func (f *watching) openJar(root string) error {
	if f.opts.Cookies == "" {
		return ErrNoBarrier
	}
	j, err := openJar(root, f.opts.Cookies)
	if err != nil {
		return noBarrier(err)
	}
	if err := f.source.watches.Add(f.tree.abs(j.dir)); err != nil {
		return noBarrier(errors.Join(err, j.close()))
	}
	f.jar = j
	return nil
}

func (f *watching) probe() (int, error) {
	if f.jar == nil {
		f.noJar = f.openJar(f.tree.root) // the folder may be there by now
	}
	if f.jar == nil {
		return 0, f.noJar
	}
	return f.jar.bake()
}

func (f *watching) close() {
	if f.jar != nil {
		if err := f.jar.close(); err != nil {
			f.opts.Log.Warn("folder of cookies could not be closed", "err", err)
		}
	}
	if err := f.source.watches.Close(); err != nil {
		f.opts.Log.Warn("watches could not be lifted", "err", err)
	}
	f.queue.done.Wait()
}

func (f *watching) wake() <-chan struct{} { return f.queue.filled }

func (f *watching) collect(ctx context.Context, changes *coalescer) (time.Time, int, string) {
	at := time.Now()
	events, err := f.queue.take()
	if err != nil {
		f.opts.Log.Warn("events of the watched folder are missing", "err", err, "kept", len(events))
		if errors.Is(err, fsnotify.ErrEventOverflow) {
			return at, 0, reasonOverflow
		}
		return at, 0, reasonFailed
	}
	for _, ev := range events {
		if reason := f.convert(ctx, ev, at, changes); reason != "" {
			return at, 0, reason
		}
	}
	if f.jar != nil {
		f.jar.eat(f.passed)
	}
	return at, f.passed, ""
}

// convert notes the paths that an event means, which was taken at now. Events are handled one after the
// other, in their order, or a folder removed and made again would be missed.
func (f *watching) convert(ctx context.Context, ev fsnotify.Event, now time.Time, changes *coalescer) string {
	if ev.Name == "" {
		return ""
	}
	gone := ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)
	name, below := strings.CutPrefix(filepath.Clean(ev.Name), f.tree.root)
	path := strings.TrimPrefix(filepath.ToSlash(name), "/")
	switch {
	case !below:
		return ""
	case path == "" && gone:
		return reasonReplaced
	case path == "":
		return ""
	case f.jar != nil && (path == f.jar.dir || strings.HasPrefix(path, f.jar.dir+"/")):
		return f.cookie(path, gone)
	}

	if f.opts.Rules(path) {
		changes.touch(rules, now, true)
	}
	known := f.tree.lookup(path) != nil
	if gone && known {
		f.tree.forget(path)
		if !removedEmpty || ev.Has(fsnotify.Rename) {
			changes.touch(everything, now, true)
			f.opts.Renew() // what Ignore knows of that folder may hold for none now
		}
	}
	info, err := os.Lstat(f.tree.abs(path))
	isFolder := err == nil && info.IsDir()
	// A folder that took a file's name, or gave it its own, also changes a file.
	if (known && err == nil && !isFolder) || (!known && (gone || !isFolder)) {
		f.touch(path, info, now, changes)
	}
	settled := known && !gone && !ev.Has(fsnotify.Create)
	if !isFolder || settled || f.opts.Ignore(path, true) {
		return ""
	}
	moved, err := f.tree.add(ctx, path, func(path string, info fs.FileInfo) {
		if f.opts.Rules(path) {
			changes.touch(rules, now, true)
		}
		f.touch(path, info, now, changes)
	})
	if moved {
		changes.touch(everything, now, true)
	}
	if err != nil {
		f.opts.Log.Warn("a new folder could not be watched", "path", path, "err", err)
		return reasonFailed
	}
	return ""
}

// cookie notes what happened to the folder of cookies or to a file in it.
func (f *watching) cookie(path string, gone bool) (reason string) {
	if n, ok := f.jar.number(path); ok {
		f.passed = max(f.passed, n)
	} else if gone && path == f.jar.dir {
		return reasonFailed // a new session makes the folder again
	}
	return ""
}

// touch notes a change of the file at path; info is nil if there is none.
func (f *watching) touch(path string, info fs.FileInfo, now time.Time, changes *coalescer) {
	if !f.opts.Ignore(path, false) {
		changes.touch(path, now, doubtful(info))
	}
}

// doubtful reports whether a file looks like one that is being saved: editors
// truncate before they write, or remove before they create.
func doubtful(info fs.FileInfo) bool {
	return info == nil || (info.Mode().IsRegular() && info.Size() == 0)
}
