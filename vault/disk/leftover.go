package disk

import (
	"io"
	"path"
	"time"

	"kist/vault/displaced"
	"kist/vault/fsys"
)

// A Leftover is a displaced file of a process that is gone.
type Leftover struct {
	Path string
	Text []byte
	Hash Hash
	Open bool // somebody may still write into it
}

// Leftover reads a displaced file.
func (t *Tree) Leftover(p string) (Leftover, error) {
	f, info, err := t.Open(p)
	if err != nil {
		return Leftover{}, err
	}
	defer f.Close()
	held, known := fsys.HeldForWriting(f)
	text, err := io.ReadAll(io.LimitReader(f, displaced.Largest+1)) // the watch looks at a larger one
	open := held || !known && time.Since(info.ModTime) < displaced.Blind
	return Leftover{Path: p, Text: text, Hash: HashOf(text), Open: open}, err
}

// Restore gives a displaced file its name again, unless that is taken.
func (t *Tree) Restore(tmp, target string) error {
	dir, err := t.Disk().OpenFolder(path.Dir(target))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := t.PutBack(dir, tmp, target); err != nil {
		return err
	}
	t.Options.Changed(target)
	return nil
}

// DropTwins removes the second name that a swap by link, of the operation id, gave to
// the target before it was cut short: a file with two names is not written to.
func (t *Tree) DropTwins(id, target string) {
	fi, err := t.Root.Lstat(target)
	if err != nil || fsys.Links(fi) < 2 {
		return
	}
	dir := path.Dir(target)
	entries, err := t.Root.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		twin := path.Join(dir, e.Name())
		if of, _, _, ok := ParseTemp(e.Name()); !ok || of != id {
			continue
		}
		if same, err := t.SameFile(twin, target); err == nil && same {
			_ = t.Disk().Remove(twin) // the edit will say that there are two names
		}
	}
}
