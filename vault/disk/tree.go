package disk

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"kist/vault/fsys"
	"kist/vault/merge"
)

// Options for [New]. All functions may be called while the lock is held, unless they
// say otherwise.
type Options struct {
	Log       *slog.Logger
	Now       func() time.Time
	Fault     func(call string) error // see [fsys.Disk]; may be called concurrently
	Lost      func(err error)         // the disk didn't take a write
	Elsewhere func(fs.FileInfo) bool  // what a cloud service keeps
	Portable  bool                    // read as on systems that have no shorter way
	StateDir  string                  // for disposable files
	Made      []string                // top folders that are made, and removed when they are empty
	Wrote     func(r *Replacement)    // a replacement was carried out
	Changed   func(p string)          // a file appeared by itself
	// Meaning merges two texts of a document by what they mean, where lines collide; false: they
	// contradict each other. nil: lines alone decide.
	Meaning func(p string, base, ours, theirs []byte) ([]byte, bool)
	// CloseLimit is how long an operation waits for a program that has its file open for
	// writing: it may be in the middle of a save. One that keeps it open for longer goes
	// on writing into the displaced file, which is watched for as long as that.
	// 0: 200 ms.
	CloseLimit time.Duration
	// Save makes what a program saved an operation. It is called without the lock.
	Save func(p string, now, merged []byte) error
}

// A Tree is the vault's folder: its files are read and replaced by paths of kist's own
// making, which are clean, may be those of hidden files, and none goes through a link.
type Tree struct {
	writeLock
	Options  Options
	Root     *fsys.Root
	plain    *os.File     // root again, for fsys.ReadPlain; nil: it can't be used
	temps    atomic.Int64 // counts names of temporary files
	settling *settling    // displaced files
}

// New returns the tree of an open folder, which it closes in the end.
func New(root *fsys.Root, opts Options) *Tree {
	t := &Tree{Root: root, Options: opts}
	t.Options.CloseLimit = cmp.Or(opts.CloseLimit, closeLimit)
	t.plain, _ = root.Open(".") // without it, reading takes the long way
	t.settling = newSettling(t)
	return t
}

// merge merges two texts of a file by lines, and where those collide by what they mean.
func (t *Tree) merge(p string, base, ours, theirs []byte) ([]byte, bool) {
	merged, err := merge.Lines(base, ours, theirs)
	if err != nil && t.Options.Meaning != nil {
		return t.Options.Meaning(p, base, ours, theirs)
	}
	return merged, err == nil
}

// Lstat describes a file, with ErrNotDownloaded for a file that only a placeholder stands for.
func (t *Tree) Lstat(p string) (fs.FileInfo, error) {
	fi, err := t.Root.Lstat(p)
	switch {
	case err == nil && t.Options.Elsewhere(fi):
		return nil, NotDownloaded(p)
	case errors.Is(err, fs.ErrNotExist):
		if _, stubErr := t.Root.Lstat(fsys.StubOf(p)); stubErr == nil {
			return nil, NotDownloaded(p)
		}
	}
	return fi, err
}

// Exists reports whether anything has that name, be it a placeholder.
func (t *Tree) Exists(p string) bool {
	_, err := t.Lstat(p)
	return err == nil || errors.Is(err, ErrNotDownloaded)
}

// Read returns a file's bytes. It returns ErrNotFound, ErrNotRegular, ErrNotDownloaded,
// ErrTooLarge, or what the file system says.
func (t *Tree) Read(c string) ([]byte, error) {
	text, _, err := t.ReadHead(c, -1)
	return text, err
}

// ReadPlain is ReadHead by one call of the system, where that can be done and no link is
// on the way; false: by ReadHead alone.
func (t *Tree) ReadPlain(c string, limit int64) ([]byte, Info, bool) {
	if t.plain == nil || t.Options.Portable {
		return nil, Info{}, false
	}
	text, st, ok := fsys.ReadPlain(t.plain, c, limit)
	return text, InfoWith(c, st), ok
}

// ReadHead reads at most limit bytes, all where limit is negative. Errors are as in
// [Tree.Read].
func (t *Tree) ReadHead(c string, limit int64) ([]byte, Info, error) {
	if text, info, ok := t.ReadPlain(c, limit); ok {
		return text, info, nil
	}
	f, info, err := t.Open(c)
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	text, err := readUpTo(f, info, limit)
	if err != nil {
		return nil, info, fmt.Errorf("read %s: %w", c, err)
	}
	return text, info, nil
}

// readUpTo reads limit bytes of an open file; where limit is negative all of it, and
// ErrTooLarge if that is too much to be held in memory, before anything is read.
func readUpTo(f io.Reader, info Info, limit int64) ([]byte, error) {
	n, whole := limit, limit < 0
	if whole {
		n = fsys.MaxWhole + 1 // it may grow while it is read
	}
	if whole && info.Size > fsys.MaxWhole {
		return nil, tooLarge(info)
	}
	// Room for one byte more than expected: one read then finds the end.
	text := make([]byte, 0, min(n, info.Size)+1)
	for r := io.LimitReader(f, n); ; {
		m, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+m]
		switch {
		case err == io.EOF && whole && int64(len(text)) == n:
			return nil, tooLarge(info)
		case err == io.EOF:
			return text, nil
		case err != nil:
			return nil, err
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

func tooLarge(info Info) error {
	return fmt.Errorf("%w: %s has %d MiB; kist reads up to %d MiB", ErrTooLarge, info.Path, info.Size>>20, int64(fsys.MaxWhole)>>20)
}

// Open opens a regular file that no link leads to. The Lstat comes first because
// opening a pipe would block and opening a device may do anything.
func (t *Tree) Open(c string) (*os.File, Info, error) {
	fi, err := t.Lstat(c)
	if err != nil {
		return nil, Info{}, t.PathError("file", c, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, Info{}, fmt.Errorf("%w: %s", ErrNotRegular, c)
	}
	f, err := t.Root.Open(c)
	if err != nil {
		return nil, Info{}, t.PathError("file", c, err)
	}
	if fi, err = f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, Info{}, errors.Join(fmt.Errorf("%w: %s", ErrNotRegular, c), err)
	}
	return f, InfoOf(c, fi), nil
}

// PathError turns the file system's error into one of ours.
func (t *Tree) PathError(kind, p string, err error) error {
	switch {
	case errors.Is(err, ErrNotDownloaded):
		return err
	case errors.Is(err, fs.ErrNotExist), fsys.IsNotDir(err):
		return &NotFoundError{Kind: kind, Ref: p}
	case errors.Is(err, fsys.ErrLink):
		return fmt.Errorf("%w: a link stands on the way to %s", ErrNotRegular, p)
	}
	return fmt.Errorf("open %s: %w", p, err)
}

// ReadOrNil is Read with nil for a missing file.
func (t *Tree) ReadOrNil(p string) ([]byte, error) {
	text, err := t.Read(p)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return text, err
}

// HashFile hashes a file of any size without keeping it in memory.
func (t *Tree) HashFile(p string) (Hash, error) {
	f, _, err := t.Open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", p, fsys.BareError(err))
	}
	return Hash(hex.EncodeToString(h.Sum(nil))), nil
}

// SameFile reports whether two names are those of one file.
func (t *Tree) SameFile(a, b string) (bool, error) {
	x, err := t.Root.Lstat(a)
	if err != nil {
		return false, err
	}
	y, err := t.Root.Lstat(b)
	if err != nil {
		return false, err
	}
	return os.SameFile(x, y), nil
}

// InfoOf is what the file system says of the file at p.
func InfoOf(p string, fi fs.FileInfo) Info { return InfoWith(p, fsys.StatOf(fi)) }

// InfoWith is InfoOf of a [fsys.Stat].
func InfoWith(p string, st fsys.Stat) Info {
	return Info{Path: p, Size: st.Size, ModTime: st.ModTime, ChangeTime: st.ChangeTime, Inode: st.Inode, Links: st.Links}
}

// ReadTail reads at most limit bytes of a file's end; whole says that it is all.
func (t *Tree) ReadTail(p string, limit int64) (text []byte, whole bool, err error) {
	f, info, err := t.Open(p)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	from := max(0, info.Size-limit)
	text = make([]byte, info.Size-from)
	n, err := f.ReadAt(text, from)
	if errors.Is(err, io.EOF) {
		err = nil // an editor emptied it, or wrote less, just now
	}
	if err != nil && n == 0 && info.Size > 0 {
		return nil, false, fmt.Errorf("%s: %w", p, fsys.BareError(err))
	}
	return text[:n], from == 0, nil
}

// Start begins to look after displaced files.
func (t *Tree) Start() { t.settling.watch.Start() }

// Settle looks at displaced files a last time, without the lock.
func (t *Tree) Settle() { t.settling.watch.Close() }

// Close releases the folder.
func (t *Tree) Close() error {
	if t.plain != nil {
		_ = t.plain.Close()
	}
	return t.Root.Close()
}

// Later has the displaced file tmp, which held text, looked at when it has settled.
func (t *Tree) Later(tmp, target string, text []byte) { t.settling.later(tmp, target, text) }

// Watches reports whether a displaced file is looked after.
func (t *Tree) Watches(p string) bool { return t.settling.watch.Has(p) }

// Displaces reports whether a displaced file of the document p is looked after.
func (t *Tree) Displaces(p string) bool { return t.settling.watch.HasTarget(p) }

// Accounted returns what of a displaced file has been brought in already, be it before
// a restart.
func (t *Tree) Accounted(p string) (text []byte, ok bool) { return t.settling.accounts.Of(p) }

// Disk gives the calls that change the file system. There is no other way in which
// kist does so in a vault; a test holds it to that.
func (t *Tree) Disk() fsys.Disk {
	return fsys.Disk{Root: t.Root, Fault: t.Options.Fault, Lost: t.Options.Lost}
}

// Append adds text at the end of a file of kist's own, creating it, and makes
// it durable. A line that a crash cut off is closed first. On an error the file is
// cut back to what it was: half a record, or a whole one that the caller was told
// is not there, must not come to light later.
func (t *Tree) Append(p string, text []byte) error {
	if _, err := t.Lstat(p); errors.Is(err, ErrNotDownloaded) {
		return err // else there would be two files of that name
	}
	if err := t.Disk().AppendSynced(p, text); err != nil {
		return fmt.Errorf("%s: %w", p, fsys.BareError(err))
	}
	return nil
}

// Protected returns ErrProtected for a file whose mode lets nobody write to it. The
// mode counts and not what the system would permit: it lets root do anything, and an
// exchange replaces a file without writing to it.
func Protected(p string, fi fs.FileInfo) error {
	if mode := fi.Mode().Perm(); mode&0o222 == 0 {
		return fmt.Errorf("%w: nobody may write to %s (mode %04o)", ErrProtected, p, mode)
	}
	return nil
}
