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
}

// newWatching watches root and all folders below it. The error is a *limitError
// where that isn't possible on this machine.
func newWatching(ctx context.Context, root string, opts Options, open func() (source, error)) (*watching, error) {
	s, err := open()
	if err != nil {
		return nil, &limitError{err}
	}
	f := &watching{
		opts: opts, source: s, queue: newQueue(s),
		tree: newTree(root, s.watches, opts),
	}
	if _, err := f.tree.add(ctx, "", nil); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *watching) close() {
	if err := f.source.watches.Close(); err != nil {
		f.opts.Log.Warn("watches could not be lifted", "err", err)
	}
	f.queue.done.Wait()
}

func (f *watching) wake() <-chan struct{} { return f.queue.filled }

func (f *watching) collect(ctx context.Context, changes *coalescer) string {
	events, err := f.queue.take()
	if err != nil {
		f.opts.Log.Warn("events of the watched folder are missing", "err", err, "kept", len(events))
		if errors.Is(err, fsnotify.ErrEventOverflow) {
			return reasonOverflow
		}
		return reasonFailed
	}
	for _, ev := range events {
		if reason := f.convert(ctx, ev, changes); reason != "" {
			return reason
		}
	}
	return ""
}

// convert notes the paths that an event means. Events are handled one after the
// other, in their order, or a folder removed and made again would be missed.
func (f *watching) convert(ctx context.Context, ev fsnotify.Event, changes *coalescer) string {
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
	}

	now := time.Now()
	known := f.tree.lookup(path) != nil
	if gone && known {
		f.tree.forget(path)
		if !removedEmpty || ev.Has(fsnotify.Rename) {
			changes.touch(everything, now, true)
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
