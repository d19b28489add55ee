package disk

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/vault/displaced"
	"kist/vault/fsys"
)

// A settling has displaced files watched and does for the watch what only the owner of
// the files can.
type settling struct {
	t        *Tree
	watch    *displaced.Watch
	accounts displaced.Accounts

	mu     sync.Mutex
	copies []string // conflict copies, the last one at the end; guarded by mu
}

func newSettling(t *Tree) *settling {
	s := &settling{t: t}
	s.watch = displaced.New(s, t.Options.Log)
	s.accounts = displaced.Accounts{Dir: t.Options.StateDir + "/displaced", Disk: t.Disk, Open: s.Open}
	return s
}

// later has the displaced file tmp, which held text, looked at when it has settled.
func (s *settling) later(tmp, target string, text []byte) {
	s.watch.Add(displaced.File{Path: tmp, Target: target, Base: text})
}

// Open opens a displaced file.
func (s *settling) Open(p string) (*os.File, error) {
	f, _, err := s.t.Open(p)
	if errors.Is(err, ErrNotFound) {
		return nil, fs.ErrNotExist
	}
	return f, err
}

// Remove deletes a displaced file.
func (s *settling) Remove(f displaced.File) error { return s.t.Disk().Remove(f.Path) }

// Gone forgets displaced files and removes the folders that they were the last to be in.
func (s *settling) Gone(files []displaced.File) {
	for _, f := range files {
		s.accounts.Forget(f.Path)
	}
	// Under the lock: an operation may be about to write into the empty folder.
	s.t.Lock()
	defer s.t.Unlock()
	for _, f := range files {
		s.t.RemoveEmptyDirs(path.Dir(f.Target))
	}
}

// BringIn merges what a program saved into a displaced file with what stands in its
// place, or keeps it as a conflict copy.
func (s *settling) BringIn(f displaced.File, saved []byte, open bool) (moved bool, err error) {
	now, err := s.t.ReadOrNil(f.Target)
	if err != nil && !OfTheFiles(err) {
		return false, err
	}
	if now != nil && f.Base != nil && saved != nil {
		merged, ok := s.t.merge(f.Target, f.Base, now, saved)
		if ok && (bytes.Equal(merged, now) || s.t.Options.Save(f.Target, now, merged) == nil) {
			if open {
				s.accounts.Keep(f.Path, saved)
			}
			return false, nil
		}
	}
	return true, s.t.KeepCopy(f.Path, f.Target)
}

// keptCopies is how many conflict copies are remembered.
const keptCopies = 100

// KeepCopy gives a displaced text a name of its own beside the document, and never
// one that is taken. Who still has it open writes into the copy from then on.
func (t *Tree) KeepCopy(tmp, target string) error {
	dir, err := t.Disk().OpenFolder(path.Dir(tmp))
	if err != nil {
		return err
	}
	defer dir.Close()
	stamp := t.Options.Now().Format("2006-01-02 150405")
	for n := 1; ; n++ {
		name := path.Join(path.Dir(tmp), displaced.CopyName(path.Base(target), stamp, n))
		err := t.PutBack(dir, tmp, name)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		if err != nil {
			return err
		}
		t.Options.Log.Warn("kept a conflict copy", "path", name)
		t.settling.kept(name)
		t.Options.Changed(name)
		return nil
	}
}

// kept remembers a conflict copy.
func (s *settling) kept(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.copies = append(s.copies, name)
	s.copies = s.copies[max(0, len(s.copies)-keptCopies):]
}

// Settling says what is still to come of files that were open while kist wrote.
type Settling struct {
	Held   []HeldOpen
	Copies []string // conflict copies that were kept since the vault was opened and are still there
}

// A HeldOpen is a document that a program has open for writing since before kist wrote
// it. What the program saves is merged into the document.
type HeldOpen struct {
	Path     string // of the document
	Since    time.Time
	Saves    int      // that were merged so far
	Programs []string // that have it open, such as "vim (process 4711)", where that can be found out
}

// Settling returns which documents are held open and which conflict copies were kept.
func (t *Tree) Settling() Settling {
	var out Settling
	for _, h := range t.settling.watch.Held() {
		out.Held = append(out.Held, HeldOpen{
			Path: h.Target, Since: h.Since, Saves: h.Saves, Programs: fsys.Holders(t.Root.Name(), h.Path),
		})
	}
	t.settling.mu.Lock()
	out.Copies = slices.Clone(t.settling.copies)
	t.settling.mu.Unlock()
	out.Copies = slices.DeleteFunc(out.Copies, func(p string) bool { return !t.Exists(p) })
	return out
}

// WaitSettled waits until every displaced file is dealt with, so that whoever looks into
// the folders finds nothing but documents, and at most for limit; those that a program
// holds open aren't waited for. It reports whether none is left.
func (t *Tree) WaitSettled(ctx context.Context, limit time.Duration) bool {
	return t.settling.watch.Wait(ctx, limit)
}

// RemoveEmptyDirs removes dir and its parents as far as they are empty, so that
// undoing a creation leaves the tree as it was. Only folders that kist makes by
// itself go away. The lock is held.
func (t *Tree) RemoveEmptyDirs(dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		top, _, _ := strings.Cut(dir, "/")
		if !slices.Contains(t.Options.Made, top) {
			return
		}
		if t.Disk().Rmdir(dir) != nil {
			return // not empty, or gone
		}
	}
}
