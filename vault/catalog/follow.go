package catalog

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/obsidian"
)

// maxKept is how many tasks are remembered: at some 400 bytes each, 40 MB.
const maxKept = 100_000

// barrierLimit is how long a list waits for the watcher before it looks by itself.
const barrierLimit = 50 * time.Millisecond

// sameTime is more than two changes can be apart and have the same time, on file systems
// that are watched.
const sameTime = 100 * time.Millisecond

// List returns the entries of all documents that have something to tell, by path, but for
// templates, and what Obsidian's user excluded. The
// list and its entries are shared and must not be changed.
func List(ctx context.Context, v *vault.Vault) ([]*Entry, error) {
	entries, err := vault.Kept[follower](v).entries(ctx, vault.Whole(v))
	if err != nil {
		return nil, fmt.Errorf("look through the documents: %w", err)
	}
	settings := Settings(v)
	left := func(e *Entry) bool { return settings.LeavesOut(e.Path) || v.Hides(e.Path) }
	if !slices.ContainsFunc(entries, left) {
		return entries, nil
	}
	return slices.DeleteFunc(slices.Clone(entries), left), nil
}

// Settings reads what Obsidian's settings say of the vault now.
func Settings(v *vault.Vault) obsidian.Settings {
	return obsidian.Parse(func(name string) []byte { return v.EditorSettings(obsidian.Folder + "/" + name) })
}

// Heard waits until what was saved before the call is known; false: that can't be
// waited for, or not in time. Only on Linux do events of several folders come in order.
func Heard(ctx context.Context, v *vault.Vault) (vault.Seq, bool) {
	if runtime.GOOS != "linux" || v.Watcher() != "watching" {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, barrierLimit)
	defer cancel()
	seq, err := v.Barrier(ctx)
	return seq, err == nil
}

// A follower remembers the entries.
type follower struct {
	mu    sync.Mutex
	known map[string]known
	list  []*Entry  // by path; never changed, but replaced
	kept  bool      // list holds as of seq
	seq   vault.Seq // what it has reached
	tasks int       // in all entries
	limit int       // 0: maxKept
}

// known is what is known of one document.
type known struct {
	stamp stamp
	entry *Entry // nil: it has nothing to tell
}

// A stamp tells whether a document is the one that was read; the zero stamp is none's.
type stamp struct {
	size, modified, changed int64
	inode                   uint64
}

// stampOf is zero for a file that may change once more without another time.
func stampOf(i vault.Info) stamp {
	if time.Since(i.ChangeTime) < sameTime {
		return stamp{}
	}
	return stamp{i.Size, i.ModTime.UnixNano(), i.ChangeTime.UnixNano(), i.Inode}
}

func (f *follower) entries(ctx context.Context, v *vault.Vault) ([]*Entry, error) {
	seq, heard := Heard(ctx, v)
	f.mu.Lock()
	defer f.mu.Unlock()
	changed, now := v.ChangedSince(f.seq)
	anything := slices.ContainsFunc(changed, func(c vault.PathChange) bool { return c.Path == "" })
	if !heard || !f.kept || anything {
		if err := f.compare(ctx, v, seq, heard); err != nil {
			return nil, err
		}
		return f.told(v)
	}
	fresh := true
	for _, c := range changed {
		more, err := f.look(v, c.Path)
		if err != nil {
			f.kept = false
			return nil, err
		}
		fresh = fresh && !more
	}
	if f.seq = now; !fresh {
		f.relist()
	}
	return f.told(v)
}

// compare looks at all documents. seq is a number from before the call.
func (f *follower) compare(ctx context.Context, v *vault.Vault, seq vault.Seq, heard bool) error {
	f.kept = false
	files, err := documentsOf(ctx, v, seq, heard)
	if err != nil {
		return err
	}
	if f.known == nil {
		f.known = make(map[string]known, len(files))
	}
	fresh, there := f.list != nil, make(map[string]bool, len(files))
	for _, info := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		there[info.Path] = true
		if was, ok := f.known[info.Path]; ok && was.stamp != (stamp{}) && was.stamp == stampOf(info) {
			continue
		}
		f.read(v, info)
		fresh = false
	}
	for p := range f.known {
		if !there[p] {
			f.forget(p)
			fresh = false
		}
	}
	if !fresh {
		f.relist()
	}
	f.seq, f.kept = seq, heard
	return nil
}

// documentsOf lists all documents. Another's walk may be shared where it knows of what was heard.
func documentsOf(ctx context.Context, v *vault.Vault, seq vault.Seq, heard bool) ([]vault.Info, error) {
	if heard {
		all, err := v.List(ctx, seq)
		if err != nil {
			return nil, err
		}
		return all.Files, nil
	}
	var files []vault.Info
	err := v.Walk(ctx, func(i vault.Info) error {
		files = append(files, i)
		return nil
	}, nil)
	return files, err
}

// look takes in a document that changed, and tells whether that changed the list.
func (f *follower) look(v *vault.Vault, p string) (bool, error) {
	had := f.known[p].entry != nil
	info, err := v.Stat(p)
	if v.Ignored(p) || err != nil {
		if err != nil && !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrNotRegular) &&
			!errors.Is(err, vault.ErrInvalidPath) && !errors.Is(err, vault.ErrNotDownloaded) {
			return had, err
		}
		f.forget(p)
		return had, nil
	}
	f.read(v, info)
	return had || f.known[p].entry != nil, nil
}

func (f *follower) forget(p string) {
	if e := f.known[p].entry; e != nil {
		f.tasks -= len(e.Tasks)
	}
	delete(f.known, p)
}

// read takes in what a document says now. One that can't be read has nothing to tell:
// the index shows it as a problem.
func (f *follower) read(v *vault.Vault, info vault.Info) {
	f.forget(info.Path)
	if f.known == nil {
		f.known = map[string]known{}
	}
	k := known{stamp: stampOf(info)}
	if e := entryOf(v, info.Path); e != nil {
		limit := f.limit
		if limit == 0 {
			limit = maxKept
		}
		if f.tasks+len(e.Tasks) > limit {
			e = &Entry{Path: e.Path, more: true}
		}
		k.entry = e
		f.tasks += len(e.Tasks)
	}
	f.known[info.Path] = k
}

func (f *follower) relist() {
	f.list = make([]*Entry, 0, len(f.known))
	for _, k := range f.known {
		if k.entry != nil {
			f.list = append(f.list, k.entry)
		}
	}
	slices.SortFunc(f.list, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
}

// told is the list, with what was too much to be kept read anew.
func (f *follower) told(v *vault.Vault) ([]*Entry, error) {
	if !slices.ContainsFunc(f.list, func(e *Entry) bool { return e.more }) {
		return f.list, nil
	}
	out := slices.Clone(f.list)
	for i, e := range out {
		if now := e; e.more {
			if now = entryOf(v, e.Path); now == nil {
				now = &Entry{Path: e.Path}
			}
			out[i] = now
		}
	}
	return out, nil
}
