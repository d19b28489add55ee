package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"kist/vault/fsys"
	"kist/vault/merge"
)

// errGaveBack: an editor saved between our check and the exchange; its text is
// in place again and the change has to be made anew on top of it.
var errGaveBack = errors.New("an editor saved at the same moment")

// A replacement is one file's way from before to after; nil means no file.
// When an editor saves in the middle, before and after become the editor's text
// and the merge of both.
type replacement struct {
	id     string // of the operation; part of the temporary file's name
	path   string
	from   string // where the file is moved from, with before and after unused; empty: no move
	hash   Hash   // of a file that is moved
	done   bool   // it was carried out
	waited bool   // for another program to close the file; once is enough
	before []byte
	after  []byte
}

// replaceTries bounds how often an editor that saves in a tight loop can make us
// start again.
const replaceTries = 8

// replace carries out r. remerge is called, before anything is written, each time
// r changed because of an editor. On an error the file holds what the user last
// saved.
func (v *Vault) replace(r *replacement, remerge func() error) error {
	for range replaceTries {
		err := v.replaceOnce(r)
		if !errors.Is(err, errGaveBack) {
			return err
		}
		v.waitClosed(r)
		now, err := v.readOrNil(r.path)
		if err != nil {
			return err
		}
		if HashOf(now) == HashOf(r.before) {
			continue
		}
		if err := v.rebase(r, now); err != nil {
			return err
		}
		if err := remerge(); err != nil {
			return err
		}
	}
	return &ConflictError{Path: r.path, Reason: "another program keeps saving this file", Wanted: r.after}
}

// closeLimit is how long an operation waits for a program that has its file open for
// writing: it may be in the middle of a save. One that keeps it open for longer goes
// on writing into the displaced file, which is looked at when it has settled.
const closeLimit = 200 * time.Millisecond

// waitClosed waits until nobody has the file open for writing, once for each
// replacement. The lock is held.
func (v *Vault) waitClosed(r *replacement) {
	if r.waited {
		return
	}
	for end := time.Now().Add(closeLimit); v.beingWritten(r.path); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			r.waited = true
			return
		}
	}
}

// beingWritten reports whether another program has a file open for writing, where
// that can be found out.
func (v *Vault) beingWritten(p string) bool {
	f, _, err := v.open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	held, known := fsys.HeldForWriting(f)
	return held && known
}

// rebase makes r start from what the file holds now.
func (v *Vault) rebase(r *replacement, now []byte) error {
	if HashOf(now) == HashOf(r.before) {
		return nil
	}
	conflict := func(why string) error {
		return &ConflictError{Path: r.path, Reason: why, Now: now, Wanted: r.after}
	}
	switch {
	case r.before == nil:
		return fmt.Errorf("%w: %s", ErrExists, r.path)
	case now == nil:
		return conflict("the file was removed meanwhile")
	case r.after == nil:
		return conflict("the file was edited meanwhile and will not be deleted")
	}
	merged, err := merge.Lines(r.before, now, r.after)
	if err != nil {
		return conflict("the same lines were edited meanwhile")
	}
	r.before, r.after = now, merged
	return nil
}

func (v *Vault) replaceOnce(r *replacement) error {
	err := v.carryOut(r)
	if err == nil {
		v.wrote(r)
	}
	return err
}

func (v *Vault) carryOut(r *replacement) error {
	if r.from != "" {
		return v.moveFile(r)
	}
	if r.before != nil && !r.waited && v.beingWritten(r.path) {
		return errGaveBack // before anything was done
	}
	d, folder := v.disk(), path.Dir(r.path)
	if r.before == nil {
		if err := d.MakeFolders(folder); err != nil {
			v.removeEmptyDirs(folder)
			return v.writeError(r, err)
		}
	}
	dir, err := d.OpenFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return v.pathError("folder", folder, err)
	}
	if err != nil {
		return v.writeError(r, err)
	}
	defer dir.Close()
	switch {
	case r.before == nil:
		err = v.createFile(dir, r)
	case r.after == nil:
		err = v.removeFile(dir, r)
	default:
		err = v.swapFile(dir, r)
	}
	if err != nil {
		if r.before == nil {
			v.removeEmptyDirs(folder)
		}
		return err
	}
	return v.writeError(r, d.SyncFolder(dir))
}

// writeError names the file and the reason, and not the temporary file.
func (v *Vault) writeError(r *replacement, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", r.path, fsys.BareError(err))
}

// swapFile exchanges the target with a complete temporary file and then looks at
// what it displaced: whatever an editor saved up to the exchange is in our hands
// and nothing can be lost. (A check followed by a rename has a gap in between.)
func (v *Vault) swapFile(dir *os.File, r *replacement) error {
	tmp, err := v.writeTwin(r)
	if err != nil {
		return err
	}
	displaced, err := v.swap(dir, tmp, r)
	if err != nil {
		_ = v.disk().Remove(tmp) // or the next start does
		return v.writeError(r, err)
	}
	text, err := v.readDisplaced(displaced)
	if err == nil && bytes.Equal(text, r.before) && (r.waited || !v.beingWritten(displaced)) {
		v.settleLater(displaced, r.path, r.before)
		return nil
	}
	return v.giveBack(dir, displaced, r, err)
}

// writeTwin writes r.after to a temporary file that is like the target otherwise.
func (v *Vault) writeTwin(r *replacement) (string, error) {
	fi, err := v.writable(r.path)
	if err == nil {
		err = protected(r.path, fi)
	}
	if err != nil {
		return "", err
	}
	old, _, err := v.open(r.path)
	if err != nil {
		return "", err
	}
	defer old.Close()
	if fi, err = old.Stat(); err != nil {
		return "", v.writeError(r, err)
	}
	return v.writeTemp(r, 0o600, fsys.DressAs(old, fi))
}

// swap puts the file tmp in the target's place and returns the name that the
// displaced file has now.
//
// Where the file system has no exchange, the old file gets a second name first, so
// that the rename destroys nothing that was there at that moment. An editor that
// renames its own file into place between those two calls is the one case that
// this can't see.
func (v *Vault) swap(dir *os.File, tmp string, r *replacement) (string, error) {
	d := v.disk()
	err := d.Exchange(dir, tmp, r.path)
	if !errors.Is(err, fsys.ErrNoExchange) {
		return tmp, err
	}
	old := v.tempName(r.id, r.path, "swap")
	if err := d.Link(r.path, old); err != nil {
		return "", err
	}
	if err := d.Rename(tmp, r.path); err != nil {
		_ = d.Remove(old) // or the next start does
		return "", err
	}
	return old, nil
}

// readDisplaced reads a file that was moved out of the way, if it is one: somebody
// may have put a link there.
func (v *Vault) readDisplaced(p string) ([]byte, error) {
	if err := v.disk().Ask("read displaced", p); err != nil {
		return nil, err
	}
	if fi, err := v.root.Lstat(p); err == nil && !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s", ErrNotRegular, p)
	}
	return v.Read(p)
}

// giveBack undoes an exchange that displaced something unexpected, or something
// that can't be read because of cause. It always returns an error.
func (v *Vault) giveBack(dir *os.File, displaced string, r *replacement, cause error) error {
	mine, err := v.swap(dir, displaced, r)
	if err != nil {
		// Our text keeps the name. The other one mustn't stay in a hidden file.
		conflict := &ConflictError{Path: r.path, Reason: "another program saved at the same moment; its text is in a conflict copy", Wanted: r.after}
		return errors.Join(conflict, v.keepCopy(displaced, r.path))
	}
	if cause != nil && !errors.Is(cause, ErrNotRegular) {
		// Reading fails for now. What came back is looked at again when it settles.
		v.settleLater(mine, r.path, r.after)
		return v.writeError(r, cause)
	}
	text, err := v.readDisplaced(mine)
	if err != nil || bytes.Equal(text, r.after) {
		v.settleLater(mine, r.path, r.after)
		return errGaveBack
	}
	// A second save hit our text between the two exchanges. It is the newer one:
	// it keeps the name, and the first one becomes a conflict copy.
	first, err := v.swap(dir, mine, r)
	if err != nil {
		first = mine // the other way round, then
	}
	return errors.Join(errGaveBack, v.keepCopy(first, r.path))
}

func (v *Vault) createFile(dir *os.File, r *replacement) error {
	tmp, err := v.writeTemp(r, 0o666, nil)
	if err != nil {
		return err
	}
	d := v.disk()
	err = d.RenameNew(dir, dir, tmp, r.path)
	if errors.Is(err, fsys.ErrNoExchange) {
		if err = d.Link(tmp, r.path); err == nil {
			if d.Remove(tmp) != nil {
				// The file is there; its second name goes when it has settled.
				v.settleLater(tmp, r.path, r.after)
			}
			return nil
		}
	}
	if err == nil {
		return nil
	}
	_ = d.Remove(tmp) // or the next start does
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, r.path)
	}
	return v.writeError(r, err)
}

// removeFile moves the file aside, looks at what it moved, and only then lets go.
func (v *Vault) removeFile(dir *os.File, r *replacement) error {
	fi, err := v.writable(r.path)
	if err == nil {
		err = protected(r.path, fi)
	}
	if err != nil {
		return err
	}
	d, tmp := v.disk(), v.tempName(r.id, r.path, "swap")
	err = d.RenameNew(dir, dir, r.path, tmp)
	if errors.Is(err, fsys.ErrNoExchange) {
		err = d.Rename(r.path, tmp) // nothing else has a temporary file's name
	}
	if err != nil {
		return v.writeError(r, err)
	}
	text, err := v.readDisplaced(tmp)
	if err == nil && bytes.Equal(text, r.before) {
		v.settleLater(tmp, r.path, r.before)
		return nil
	}
	if v.putBack(dir, tmp, r.path) != nil {
		// The name is taken again: that is a still newer save.
		return errors.Join(errGaveBack, v.keepCopy(tmp, r.path))
	}
	if err != nil && !errors.Is(err, ErrNotRegular) {
		return v.writeError(r, err)
	}
	return errGaveBack
}

// putBack gives a file that was moved aside its name again, unless that is taken.
func (v *Vault) putBack(dir *os.File, tmp, target string) error {
	d := v.disk()
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

// writable refuses what can't be replaced without harm: links, devices, and files
// with a second name (which would silently part from each other).
func (v *Vault) writable(p string) (fs.FileInfo, error) {
	fi, err := v.lstat(p)
	if err != nil {
		return nil, v.pathError("file", p, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s (kist reads through links but does not write through them)", ErrNotRegular, p)
	}
	if fsys.Links(fi) > 1 {
		return nil, fmt.Errorf("%w: %s has more than one name (hard links)", ErrNotRegular, p)
	}
	return fi, nil
}

// tempName names a temporary file beside a target. A "part" may be incomplete; a
// "swap" holds a complete text: ours before the exchange, the displaced one after it.
// The name is free: a process that was killed may have left files of the same
// operation, one of them with the only copy of what an editor saved. It says which
// target it belongs to, since an operation may have several in a folder.
func (v *Vault) tempName(id, target, phase string) string {
	for {
		n := v.temps.Add(1)
		name := fmt.Sprintf("%s%s-%d-%s.%s%s", tempPrefix, id, n, tempTag(target), phase, tempSuffix)
		name = path.Join(path.Dir(target), name)
		if _, err := v.root.Lstat(name); err != nil {
			return name
		}
	}
}

// tempTag stands for a target's name in that of a temporary file.
func tempTag(target string) string { return string(HashOf([]byte(path.Base(target)))[:8]) }

// writeTemp writes r.after, durably, beside the target and returns its name.
func (v *Vault) writeTemp(r *replacement, mode fs.FileMode, dress func(*fsys.File) error) (string, error) {
	d := v.disk()
	part, swap := v.tempName(r.id, r.path, "part"), v.tempName(r.id, r.path, "swap")
	err := d.CreateSynced(part, r.after, mode, dress)
	if err == nil {
		err = d.Rename(part, swap)
	}
	if err != nil {
		_ = d.Remove(part) // or the next start does
		return "", v.writeError(r, err)
	}
	return swap, nil
}

// readOrNil is Read with nil for a missing file.
func (v *Vault) readOrNil(p string) ([]byte, error) {
	text, err := v.Read(p)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return text, err
}
