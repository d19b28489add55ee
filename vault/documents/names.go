package documents

import (
	"cmp"
	"errors"
	"io/fs"
	"sort"
	"strings"
	"sync"

	"kist/vault/disk"
	"kist/vault/fsys"
)

// A file may have several names (hard links). One of them stands for the document, so
// that it is found, logged and counted once: the one that it was known by or, where it is
// new, the one of the uppermost folder, and of these the first by the alphabet. A walk
// finds out which files have several, and which of them stands; it stays while it is there.

// names are the names that stand for files with several.
type names struct {
	mu     sync.Mutex
	of     map[fsys.FileID]string
	others map[string]fsys.FileID // names that don't stand for their file
}

// A hardLink is one of several names of a file.
type hardLink struct {
	id   fsys.FileID
	path string
	info fs.FileInfo
}

// hardLinkOf returns a document's file as one of several names; false: it has only this
// one.
func hardLinkOf(p string, fi fs.FileInfo) (hardLink, bool) {
	if !fi.Mode().IsRegular() || fsys.Links(fi) < 2 {
		return hardLink{}, false
	}
	id, ok := fsys.IDOf(fi)
	return hardLink{id, p, fi}, ok
}

// standing returns the name that stands for the file; its own where none is known. It
// is asked for each file with several names, and for no other.
func (f *Folder) standing(l hardLink) string {
	f.names.mu.Lock()
	name, ok := f.names.of[l.id]
	f.names.mu.Unlock()
	if !ok || name == l.path {
		return l.path
	}
	fi, err := f.tree.Root.Lstat(name)
	if err != nil {
		return l.path
	}
	if id, ok := fsys.IDOf(fi); !ok || id != l.id {
		return l.path
	}
	return name
}

// Heard takes in that a document changed, and returns the name that it goes by. Where a
// file got a second name, or its standing one is gone, everything has to be compared, by
// which the others are found.
func Heard(f *Folder, p string) string {
	fi, err := f.tree.Root.Lstat(p)
	if err != nil {
		fi = nil
	}
	if f.names.left(p, fi) {
		f.changes.Add("")
	}
	if fi == nil {
		return p
	}
	l, several := hardLinkOf(p, fi)
	if !several || f.tree.Displaces(p) { // its other name is a temporary one
		return p
	}
	f.names.mu.Lock()
	_, met := f.names.of[l.id]
	f.names.mu.Unlock()
	if !met {
		f.changes.Add("")
		return p
	}
	name := f.standing(l)
	if name != p && f.names.other(l) {
		f.changes.Add(p) // what it was by this name is gone
	}
	return name
}

// isOther reports whether a name doesn't stand for its file. It costs nothing where no file
// has several.
func (f *Folder) isOther(p string) bool {
	f.names.mu.Lock()
	_, other := f.names.others[p]
	f.names.mu.Unlock()
	if !other {
		return false
	}
	_, err := f.Stat(p)
	return IsOtherName(err)
}

// left forgets what a name was if it isn't that any more, the file being fi by now or, if
// nil, gone; true: it stood for a file that may have others.
func (n *names) left(p string, fi fs.FileInfo) (stood bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.of) == 0 {
		return false
	}
	is := func(id fsys.FileID) bool { // the file that p names
		if fi == nil {
			return false
		}
		now, ok := fsys.IDOf(fi)
		return ok && id == now
	}
	if id, ok := n.others[p]; ok && !is(id) {
		delete(n.others, p)
	}
	for id, name := range n.of {
		if name == p && !is(id) {
			delete(n.of, id)
			stood = true
		}
	}
	return stood
}

// set is called with the lock held.
func (n *names) set(id fsys.FileID, p string) {
	if n.of == nil {
		n.of, n.others = map[fsys.FileID]string{}, map[string]fsys.FileID{}
	}
	n.of[id] = p
	delete(n.others, p)
}

// other notes that a name doesn't stand for its file; false: that was known.
func (n *names) other(l hardLink) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, known := n.others[l.path]; known && id == l.id {
		return false
	}
	n.others[l.path] = l.id
	return true
}

// hardLinks passes each file with several names on by the one that stands for it.
func (w *walk) hardLinks() error {
	compare := func(a, b hardLink) int {
		return cmp.Or(strings.Count(a.path, "/")-strings.Count(b.path, "/"), strings.Compare(a.path, b.path))
	}
	sort.SliceStable(w.several, func(i, j int) bool { return compare(w.several[i], w.several[j]) < 0 })
	var ids []fsys.FileID
	all := map[fsys.FileID][]hardLink{}
	for _, l := range w.several {
		if all[l.id] == nil {
			ids = append(ids, l.id)
		}
		all[l.id] = append(all[l.id], l)
	}
	for _, id := range ids {
		links := all[id]
		stands := links[w.f.whichStands(links)]
		for _, l := range links {
			if l.path == stands.path {
				continue
			}
			w.problem((&OtherName{l.path, stands.path}).Problem())
			if w.f.names.other(l) {
				w.f.changes.Add(l.path, stands.path) // a follower that walked before may have the one and lack the other
			}
		}
		if err := w.fn(disk.InfoOf(stands.path, stands.info)); err != nil {
			return err
		}
	}
	return nil
}

// whichStands chooses the name of a file that stands for it from now on.
func (f *Folder) whichStands(links []hardLink) (at int) {
	best := 0
	f.names.mu.Lock()
	now := f.names.of[links[0].id]
	f.names.mu.Unlock()
	for i, l := range links {
		rank := 0
		if inode, known := f.opts.Owner(l.path); l.path == now {
			rank = 3
		} else if known && inode == disk.InfoOf(l.path, l.info).Inode {
			rank = 2 // the document had this file before
		} else if known {
			rank = 1
		}
		if rank > best {
			at, best = i, rank
		}
	}
	f.names.mu.Lock()
	defer f.names.mu.Unlock()
	f.names.set(links[0].id, links[at].path)
	return at
}

// An OtherName is the error about a name of a document that has another one in the vault,
// by which it goes. It wraps ErrNotRegular.
type OtherName struct{ Path, Stands string }

func (e *OtherName) Error() string {
	return e.Path + " is another name of " + e.Stands + " (a hard link)"
}

func (e *OtherName) Unwrap() error { return disk.ErrNotRegular }

// Problem is what there is to say of such a name.
func (e *OtherName) Problem() disk.Problem {
	return disk.Problem{
		Path: e.Path, Message: "is another name of " + e.Stands + " (a hard link)",
		Hint: "kist reads it as " + e.Stands + " alone and doesn't change it, since that would part the two; make one of them a copy",
	}
}

// IsOtherName reports whether an error is an [OtherName].
func IsOtherName(err error) bool {
	var other *OtherName
	return errors.As(err, &other)
}
