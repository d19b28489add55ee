package disk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"kist/vault/fsys"
)

// ErrRaced: an editor saved between our check and the exchange; its text is
// in place again and the change has to be made anew on top of it.
var ErrRaced = errors.New("an editor saved at the same moment")

// A Replacement is one file's way from before to after; nil means no file.
// When an editor saves in the middle, before and after become the editor's text
// and the merge of both.
type Replacement struct {
	ID     string // of the operation; part of the temporary file's name
	Path   string
	From   string // where the file is moved from, with before and after unused; empty: no move
	Hash   Hash   // of a file that is moved
	Done   bool   // it was carried out
	waited bool   // for another program to close the file; once is enough
	Before []byte
	After  []byte
	Mode   fs.FileMode // permissions of a file that is made; 0: as the umask says
	Exact  bool        // it is for the text Before alone: no other is merged with it
}

// ReplaceTries bounds how often an editor that saves in a tight loop can make us
// start again.
const ReplaceTries = 8

// Replace carries out r. remerge is called, before anything is written, each time
// r changed because of an editor. On an error the file holds what the user last
// saved.
func (t *Tree) Replace(r *Replacement, remerge func() error) error {
	return t.retry(r, remerge, t.ReplaceOnce)
}

// retry carries out r by once, again for as long as an editor saves in between.
func (t *Tree) retry(r *Replacement, remerge func() error, once func(*Replacement) error) error {
	for range ReplaceTries {
		err := once(r)
		if !errors.Is(err, ErrRaced) {
			return err
		}
		t.WaitClosed(r)
		now, err := t.ReadOrNil(r.Path)
		if err != nil {
			return err
		}
		if HashOf(now) == HashOf(r.Before) {
			continue
		}
		if err := t.Rebase(r, now); err != nil {
			return err
		}
		if err := remerge(); err != nil {
			return err
		}
	}
	return &ConflictError{Path: r.Path, Reason: "another program keeps saving this file", Wanted: r.After}
}

// Rebase makes r start from what the file holds now.
func (t *Tree) Rebase(r *Replacement, now []byte) error {
	if HashOf(now) == HashOf(r.Before) {
		return nil
	}
	conflict := func(why string) error {
		return &ConflictError{Path: r.Path, Reason: why, Now: now, Wanted: r.After}
	}
	switch {
	case r.Exact:
		return conflict("it was edited since it was read")
	case r.Before == nil:
		return fmt.Errorf("%w: %s", ErrExists, r.Path)
	case now == nil:
		return conflict("the file was removed meanwhile")
	case r.After == nil:
		return conflict("the file was edited meanwhile and will not be deleted")
	}
	merged, ok := t.merge(r.Path, r.Before, now, r.After)
	if !ok {
		return conflict("the same lines were edited meanwhile")
	}
	r.Before, r.After = now, merged
	return nil
}

// ReplaceOnce is Replace without another try: ErrRaced says that r has to be made
// anew.
func (t *Tree) ReplaceOnce(r *Replacement) error {
	s := t.Begin()
	err := s.carryOut(r)
	if end := s.End(); err == nil {
		err = end
	}
	if err == nil {
		t.Options.Wrote(r)
	}
	return err
}

func (s *Stroke) carryOut(r *Replacement) error {
	t, folder := s.t, path.Dir(r.Path)
	if err := s.again(r); err != nil {
		return err
	}
	if r.From != "" {
		return t.moveFile(r)
	}
	if r.Before == nil {
		if err := t.Disk().MakeFolders(folder); err != nil {
			t.RemoveEmptyDirs(folder)
			return t.writeError(r, err)
		}
	}
	dir, err := s.folder(folder, r)
	if err != nil {
		return err
	}
	s.touched[r.Path] = true
	switch {
	case r.Before == nil:
		err = t.createFile(dir, r)
	case r.After == nil:
		err = s.removeFile(dir, r)
	default:
		err = s.swapFile(dir, r)
	}
	if err != nil && r.Before == nil {
		t.RemoveEmptyDirs(folder)
	}
	return err
}

// writeError names the file and the reason, and not the temporary file.
func (t *Tree) writeError(r *Replacement, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", r.Path, fsys.BareError(err))
}

// swapFile exchanges the target with a complete temporary file and then looks at
// what it displaced: whatever an editor saved up to the exchange is in our hands
// and nothing can be lost. (A check followed by a rename has a gap in between.)
func (s *Stroke) swapFile(dir *os.File, r *Replacement) error {
	t := s.t
	tw, err := s.twin(r)
	if err != nil {
		return err
	}
	displaced, err := t.swap(dir, tw.tmp, r)
	if err != nil {
		_ = t.Disk().Remove(tw.tmp) // or the next start does
		return t.writeError(r, err)
	}
	old, err := t.readDisplaced(displaced)
	if err == nil && bytes.Equal(old.text, r.Before) && (r.waited || !old.held) && fsys.DressedAlike(old.info, tw.like) {
		s.later(displaced, r)
		return nil
	}
	return t.swapBack(dir, displaced, r, err)
}

// swap puts the file tmp in the target's place and returns the name that the
// displaced file has now.
//
// Where the file system has no exchange, the old file gets a second name first, so
// that the rename destroys nothing that was there at that moment. An editor that
// renames its own file into place between those two calls is the one case that
// this can't see.
func (t *Tree) swap(dir *os.File, tmp string, r *Replacement) (string, error) {
	d := t.Disk()
	err := d.Exchange(dir, tmp, r.Path)
	if !errors.Is(err, fsys.ErrNoExchange) {
		return tmp, err
	}
	old := t.tempName(r.ID, r.Path, "swap")
	if err := d.Link(r.Path, old); err != nil {
		return "", err
	}
	if err := d.Rename(tmp, r.Path); err != nil {
		_ = d.Remove(old) // or the next start does
		return "", err
	}
	return old, nil
}

// An old file is one that was moved out of the way.
type old struct {
	text []byte
	info fs.FileInfo
	held bool // a program has it open for writing
}

// readDisplaced reads a file that was moved out of the way, if it is one: somebody
// may have put a link there.
func (t *Tree) readDisplaced(p string) (o old, err error) {
	if err := t.Disk().Ask("read displaced", p); err != nil {
		return o, err
	}
	f, info, err := t.Open(p)
	if err != nil {
		return o, err
	}
	defer f.Close()
	if o.text, err = readUpTo(f, info, -1); err != nil {
		return o, fmt.Errorf("read %s: %w", p, err)
	}
	held, known := fsys.HeldForWriting(f)
	o.held = held && known
	o.info, err = f.Stat()
	return o, err
}

// swapBack undoes an exchange that displaced something unexpected, or something
// that can't be read because of cause. It always returns an error.
func (t *Tree) swapBack(dir *os.File, displaced string, r *Replacement, cause error) error {
	mine, err := t.swap(dir, displaced, r)
	if err != nil {
		// Our text keeps the name. The other one mustn't stay in a hidden file.
		conflict := &ConflictError{Path: r.Path, Reason: "another program saved at the same moment; its text is in a conflict copy", Wanted: r.After}
		return errors.Join(conflict, t.KeepCopy(displaced, r.Path))
	}
	if cause != nil && !errors.Is(cause, ErrNotRegular) {
		// Reading fails for now. What came back is looked at again when it settles.
		t.Later(mine, r.Path, r.After)
		return t.writeError(r, cause)
	}
	now, err := t.readDisplaced(mine)
	if err != nil || bytes.Equal(now.text, r.After) {
		t.Later(mine, r.Path, r.After)
		return ErrRaced
	}
	// A second save hit our text between the two exchanges. It is the newer one:
	// it keeps the name, and the first one becomes a conflict copy.
	first, err := t.swap(dir, mine, r)
	if err != nil {
		first = mine // the other way round, then
	}
	return errors.Join(ErrRaced, t.KeepCopy(first, r.Path))
}

func (t *Tree) createFile(dir *os.File, r *Replacement) error {
	tmp, err := t.writeTemp(r, cmp.Or(r.Mode, 0o666), nil)
	if err != nil {
		return err
	}
	d := t.Disk()
	err = d.RenameNew(dir, dir, tmp, r.Path)
	if errors.Is(err, fsys.ErrNoExchange) {
		if err = d.Link(tmp, r.Path); err == nil {
			if d.Remove(tmp) != nil {
				// The file is there; its second name goes when it has settled.
				t.Later(tmp, r.Path, r.After)
			}
			return nil
		}
	}
	if err == nil {
		return nil
	}
	_ = d.Remove(tmp) // or the next start does
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, r.Path)
	}
	return t.writeError(r, err)
}

// removeFile moves the file aside, looks at what it moved, and only then lets go.
func (s *Stroke) removeFile(dir *os.File, r *Replacement) error {
	t := s.t
	if !r.waited && t.BeingWritten(r.Path) {
		return ErrRaced // before anything was done
	}
	fi, err := t.Writable(r.Path)
	if err == nil {
		err = Protected(r.Path, fi)
	}
	if err != nil {
		return err
	}
	tmp := t.tempName(r.ID, r.Path, "swap")
	d := t.Disk()
	err = d.RenameNew(dir, dir, r.Path, tmp)
	if errors.Is(err, fsys.ErrNoExchange) {
		err = d.Rename(r.Path, tmp) // nothing else has a temporary file's name
	}
	if err != nil {
		return t.writeError(r, err)
	}
	gone, err := t.readDisplaced(tmp)
	if err == nil && bytes.Equal(gone.text, r.Before) {
		s.later(tmp, r)
		return nil
	}
	if t.PutBack(dir, tmp, r.Path) != nil {
		// The name is taken again: that is a still newer save.
		return errors.Join(ErrRaced, t.KeepCopy(tmp, r.Path))
	}
	if err != nil && !errors.Is(err, ErrNotRegular) {
		return t.writeError(r, err)
	}
	return ErrRaced
}

// PutBack gives a file that was moved aside its name again, unless that is taken.
func (t *Tree) PutBack(dir *os.File, tmp, target string) error {
	d := t.Disk()
	err := d.RenameNew(dir, dir, tmp, target)
	if !errors.Is(err, fsys.ErrNoExchange) {
		return err
	}
	if err := d.Link(tmp, target); err != nil {
		return err
	}
	_ = d.Remove(tmp) // or a sweep does: both names are the same file
	return nil
}

// Writable refuses what can't be replaced without harm: links, devices, and files
// with a second name (which would silently part from each other).
func (t *Tree) Writable(p string) (fs.FileInfo, error) {
	fi, err := t.Lstat(p)
	if err != nil {
		return nil, t.PathError("file", p, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s (kist reads through links but does not write through them)", ErrNotRegular, p)
	}
	return fi, oneName(p, fi)
}

func oneName(p string, fi fs.FileInfo) error {
	if fsys.Links(fi) > 1 {
		return fmt.Errorf("%w: %s has more than one name (hard links)", ErrNotRegular, p)
	}
	return nil
}

// tempName names a temporary file beside a target. A "part" may be incomplete; a
// "swap" holds a complete text: ours before the exchange, the displaced one after it.
// The name is free: a process that was killed may have left files of the same
// operation, one of them with the only copy of what an editor saved. It says which
// target it belongs to, since an operation may have several in a folder.
func (t *Tree) tempName(id, target, phase string) string {
	for {
		n := t.temps.Add(1)
		name := fmt.Sprintf("%s%s-%d-%s.%s%s", tempPrefix, id, n, TempTag(target), phase, tempSuffix)
		name = path.Join(path.Dir(target), name)
		if _, err := t.Root.Lstat(name); err != nil {
			return name
		}
	}
}

// TempTag stands for a target's name in that of a temporary file.
func TempTag(target string) string { return string(HashOf([]byte(path.Base(target)))[:8]) }

// writeTemp writes r.after, durably, beside the target and returns its name.
func (t *Tree) writeTemp(r *Replacement, mode fs.FileMode, dress func(*fsys.File) error) (string, error) {
	d := t.Disk()
	part, swap := t.tempName(r.ID, r.Path, "part"), t.tempName(r.ID, r.Path, "swap")
	err := d.CreateSynced(part, r.After, mode, dress)
	if err == nil {
		err = d.Rename(part, swap)
	}
	if err != nil {
		_ = d.Remove(part) // or the next start does
		return "", t.writeError(r, err)
	}
	return swap, nil
}

// Inverse is the way back.
func (r *Replacement) Inverse() *Replacement {
	if r.From != "" {
		return &Replacement{ID: r.ID, Path: r.From, From: r.Path, Hash: r.Hash}
	}
	return &Replacement{ID: r.ID, Path: r.Path, Before: r.After, After: r.Before, Mode: r.Mode}
}
