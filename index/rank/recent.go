package rank

import (
	"container/list"
	"kist/index/manifest"
	"kist/index/page"

	"sync"
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
