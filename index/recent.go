package index

import (
	"container/list"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"sync"
	"time"
)

const (
	// recentBytes bounds the text of the files that are kept for the next query: who
	// types a query, or changes a word of it, gets the same documents again.
	recentBytes = 8 << 20
	// recentFile bounds one of them; books would drive out everything else.
	recentFile = 512 << 10
	// recentCost is what a file takes beside its text.
	recentCost = 1 << 10
)

// recent keeps files as they were read and parsed last, the ones used longest ago
// going first. They are never changed once they are in it.
type recent struct {
	mu    sync.Mutex
	order list.List // of *recentItem, the newest first
	items map[string]*list.Element
	bytes int
}

type recentItem struct {
	file *page.File
	stat manifest.Entry // of the file when it was read
}

func (i *recentItem) cost() int { return len(i.file.Raw) + recentCost }

// get returns what is kept of a path; nil: nothing.
func (r *recent) get(path string) *recentItem {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.items[path]
	if e == nil {
		return nil
	}
	r.order.MoveToFront(e)
	return e.Value.(*recentItem)
}

// put keeps a file.
func (r *recent) put(f *page.File) {
	if len(f.Raw) > recentFile {
		return
	}
	item := &recentItem{file: f}
	item.stat.Stat(f.Info, f.Read)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.items == nil {
		r.items = map[string]*list.Element{}
	}
	r.drop(r.items[f.Path])
	r.items[f.Path] = r.order.PushFront(item)
	for r.bytes += item.cost(); r.bytes > recentBytes; {
		r.drop(r.order.Back())
	}
}

func (r *recent) drop(e *list.Element) {
	if e == nil {
		return
	}
	item := e.Value.(*recentItem)
	r.order.Remove(e)
	delete(r.items, item.file.Path)
	r.bytes -= item.cost()
}

// holds reports whether what is kept is certainly the file that the manifest knows, so
// that nobody needs to look where it is known that the index is up to date.
func (i *recentItem) holds(e manifest.Entry) bool {
	a, b := i.stat, e
	return (a.Flags|b.Flags)&(manifest.Racy|manifest.Unsure) == 0 && a.Size == b.Size && a.Mtime == b.Mtime && a.Ctime == b.Ctime && a.Inode == b.Inode
}

// read reads a file for its excerpt, or finds it among those read of late. Where its sections
// are the index tells, if it has the very text that was indexed; else it is parsed. entry is
// one of the file's, or any. What language it is in is known unless it has changed since;
// telling it anew takes as long as parsing. What read returns must not be changed.
func (s *search) read(file int32, entry uint32) (*page.File, error) {
	x, path := s.index, s.view.Paths[file]
	x.mu.RLock()
	e := s.manifest.Files[path]
	x.mu.RUnlock()
	if kept := x.recent.get(path); kept != nil {
		if s.upToDate && kept.holds(e) {
			return kept.file, nil
		}
		if info, err := x.files.Source.Stat(path); err == nil && kept.stat.Same(info) {
			return kept.file, nil
		}
	}
	began := time.Now()
	raw, info, err := x.files.Source.ReadHead(path, page.MaxFile)
	if err != nil {
		return nil, err
	}
	var f *page.File
	if err := store.GuardDamage(func() error {
		outlines, err := s.snapshot.Outlines(s.view, file, entry)
		f = x.files.Reader().Outlined(path, raw, info, began, outlines)
		return err
	}); f == nil || err != nil {
		f = x.files.Reader().Of(path, raw, info, began)
	}
	if f.Lang == "" {
		if f.Lang = e.Lang; f.Lang == "" || !e.Same(f.Info) {
			f.Lang = x.files.Langs.Detect(f.Text[f.Body:])
		}
	}
	x.recent.put(f)
	return f, nil
}
