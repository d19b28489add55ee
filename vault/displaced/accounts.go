package displaced

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"

	"kist/vault/fsys"
)

// Accounts keeps, in a folder of disposable files, what of open displaced files has
// been merged: after a restart only what came since is merged. Without it, lines that
// were changed in the document meanwhile make a conflict copy.
type Accounts struct {
	Dir  string // from the vault's root; it is made when it is needed
	Disk func() fsys.Disk
	Open func(p string) (*os.File, error)

	mu   sync.Mutex
	kept map[string]bool // displaced files
}

// name leaves out the dot at the beginning of a displaced file's name.
func (a *Accounts) name(p string) string { return path.Join(a.Dir, path.Base(p)[1:]) }

// Keep says that a text of the displaced file at p is merged. Where that can't be
// written, it is as if nobody had said so.
func (a *Accounts) Keep(p string, text []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	d, name := a.Disk(), a.name(p)
	if err := d.Mkdir(a.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return
	}
	_ = d.Remove(name + ".new") // of a crash
	if d.CreateSynced(name+".new", text, 0o600, nil) == nil && d.Rename(name+".new", name) == nil {
		a.note(p)
	}
}

func (a *Accounts) note(p string) {
	if a.kept == nil {
		a.kept = map[string]bool{}
	}
	a.kept[p] = true
}

// Of returns the text that was kept of the displaced file at p.
func (a *Accounts) Of(p string) (text []byte, ok bool) {
	f, err := a.Open(a.name(p))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if text, err = io.ReadAll(f); err != nil {
		return nil, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.note(p)
	return text, true
}

// Forget removes what was kept of the displaced file at p.
func (a *Accounts) Forget(p string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept[p] {
		delete(a.kept, p)
		_ = a.Disk().Remove(a.name(p))
	}
}
