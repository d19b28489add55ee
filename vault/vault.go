package vault

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/fsys"
	"kist/vault/history"
	"kist/vault/oplog"
	"kist/vault/records"
	"kist/vault/state"
	"kist/vault/usage"
)

// Options for [Open]; the zero value is usable.
type Options struct {
	Layout Layout           // zero: DefaultLayout
	Log    *slog.Logger     // nil: discarded
	Now    func() time.Time // nil: time.Now
	Device string           // empty: derived from the machine and the path
	Git    Git              // nil: no git has to do with the folder

	// Unsent reports whether what changes in a file is to stay on this machine: it is logged in a
	// file of the log that nothing sends, [Layout.Unsent]. nil: nothing is.
	Unsent func(path string) bool

	// Projects returns the rules for which notes are projects where they lie, as they are now.
	Projects func() []string

	// Fault, for tests of crashes and failing disks, is called before each call to
	// the file system that a write makes, with the call's name. What it returns is
	// taken for the call's own error. It may also end the process.
	Fault func(call string) error
}

// A Vault is an open folder. Its methods may be called concurrently. The caller
// sees to it that one process at a time has a vault open (the daemon holds a lock).
type Vault struct {
	*documents.Folder // what is there to read
	*core
	hides func(p string) bool // nil: nothing
}

// core is what all views of a vault share.
type core struct {
	*usage.Counter // of tokens
	noticing
	keeping

	tree   *disk.Tree
	dir    string
	log    *slog.Logger
	now    func() time.Time
	device string

	changes *documents.Changes
	numbers *documents.Numbers
	state   *state.DB
	ops     *oplog.Log
	history *history.History
	records *records.Records
	news    *oplog.News
	ids     idSource

	from   func() []string     // Options.Projects
	unsent func(p string) bool // Options.Unsent

	closed   bool // guarded by the tree's lock
	readOnly atomic.Pointer[string]
	git      Git
}

// Without returns the vault as it is for who must not see the documents and folders that
// hides reports, by their path: neither they nor operations on them are listed, read or
// found. What isn't there any more, hides has to judge by its path alone. It is for reading
// and planning; changes are made in the vault itself.
func (v *Vault) Without(hides func(p string) bool) *Vault {
	return &Vault{Folder: v.Folder.Without(hides), core: v.core, hides: hides}
}

// Open opens the folder dir, which must exist, and finishes or takes back what a
// crash left half done. The caller must call [Vault.Close].
func Open(ctx context.Context, dir string, opts Options) (*Vault, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", dir, err)
	}
	root, err := fsys.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	v := newVault(abs, opts)
	layout, err := LayoutIn(root, cmp.Or(opts.Layout, DefaultLayout()))
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	v.tree = disk.New(root, disk.Options{
		Log: v.log, Now: v.now, Fault: opts.Fault, Lost: v.lostWrite, Elsewhere: fsys.Elsewhere, StateDir: StateDir,
		Made:    []string{layout.Projects, layout.Memories, layout.Drafts, ImportsDir},
		Meaning: byMeaning,
		Wrote:   func(r *disk.Replacement) { v.history.Wrote(r) }, Changed: func(p string) { v.changes.Add(p) }, Save: v.saveLate,
	})
	v.Folder = documents.New(documents.Options{
		Tree: v.tree, Layout: layout, Changes: v.changes,
		Watched: v.watched, Known: func() (int, error) { return v.state.Len() }, Owner: v.owner, Swept: sweeper{v}.files,
	})
	v.records = records.New(records.Options{
		Tree: v.tree, Logger: v.log, NewID: v.NewID, Stat: v.Stat, Ready: v.ready, Placed: func(p string) bool { return placed(v, p) },
		Changed: func(p string) { v.changed([]FileChange{{Path: p}}) },
	})
	v.Counter = usage.New(v.tree, StateDir, v.log)
	if err := makeStateDir(v.tree); err != nil {
		root.Close()
		return nil, err
	}
	v.numbers = documents.NewNumbers(v.tree, StateDir+"/seq", v.log)
	last, err := openRecords(ctx, v)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	// Recovery's own changes are forgotten: followers compare everything at their start
	// anyway.
	v.changes.Restart(last, v.numbers.Keep)
	v.tree.Start()
	return v, nil
}

// openRecords opens the state database and ends what a crash left in the log, and returns
// the highest sequence number there.
func openRecords(ctx context.Context, v *Vault) (last Seq, err error) {
	if err := fsys.CheckFolders(v.tree.Root, v.Layout().Operations, v.Layout().Sessions); err != nil {
		return 0, err
	}
	if err = openState(v); err != nil {
		return 0, err
	}
	v.ops = oplog.New(oplog.Options{
		Tree: v.tree, DB: v.state, Folder: v.Layout().Operations, Device: v.device, Log: v.log, Now: v.now,
		Watched: func() bool { return v.Watcher() == "watching" }, ProjectOf: v.ProjectOf, Unsent: v.unsent,
	})
	v.history = history.New(history.Options{
		Tree: v.tree, Folder: v.Folder, Changes: v.changes, Log: v.ops, News: v.news, State: v.state, Logger: v.log, Device: v.device, Git: v.git,
		Now: v.now, NewID: v.NewID, Ready: v.ready, Closed: func() bool { return v.closed }, EntityOf: v.EntityOf, Offer: v.offer,
	})
	if last, err = (recovery{v}).run(ctx); err != nil {
		return 0, errors.Join(err, v.state.Close())
	}
	return last, nil
}

// openState opens the state database. Where there is no room for one it is a temporary
// one, and the vault is read-only.
func openState(v *Vault) (err error) {
	name := filepath.Join(v.dir, StateDir, "state.db")
	if err = v.tree.Disk().Ask("open state", name); err == nil {
		v.state, err = state.Open(name, state.Options{Log: v.log})
	}
	if err == nil || !fsys.IsFull(err) {
		return err
	}
	full := err
	if v.state, err = state.OpenTemporary(state.Options{Log: v.log}); err != nil {
		return errors.Join(full, err)
	}
	v.setReadOnly("there is no room for " + StateDir + "/state.db: " + errText(full) + "; make room, then start kist again")
	return nil
}

// newVault returns a vault without its folder.
func newVault(dir string, opts Options) *Vault {
	v := &Vault{core: &core{
		dir: dir, log: opts.Log, now: opts.Now, device: cmp.Or(opts.Device, deviceName(dir)),
		changes: documents.NewChanges(0), news: oplog.NewNews(), git: opts.Git, from: opts.Projects, unsent: opts.Unsent,
	}}
	v.whole = v
	if v.log == nil {
		v.log = slog.New(slog.DiscardHandler)
	}
	if v.now == nil {
		v.now = time.Now
	}
	v.ids.entropy = ulid.Monotonic(rand.Reader, 0)
	return v
}

// makeStateDir makes the folder for local state, and keeps git away from it even
// where the vault's own .gitignore is somebody else's.
func makeStateDir(tree *disk.Tree) error {
	d := tree.Disk()
	if err := d.Mkdir(StateDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s can't be created: %s", ErrReadOnly, StateDir, errText(err))
	}
	f, err := d.Create(StateDir+"/.gitignore", 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		if err = errors.Join(f.Write([]byte("*\n")), f.Close()); err != nil {
			_ = d.Remove(StateDir + "/.gitignore") // or git would see what comes later
		}
	}
	if err != nil && !fsys.IsFull(err) { // on a full disk openState says so
		return fmt.Errorf("%w: %s can't be written: %s", ErrReadOnly, StateDir, errText(err))
	}
	return nil
}

// Close waits for writes to settle and releases the folder.
func (v *Vault) Close() error {
	v.tree.Lock()
	if v.closed {
		v.tree.Unlock()
		return nil
	}
	v.tree.Unlock()
	v.records.Settle()
	v.tree.Settle()
	v.tree.Lock()
	defer v.tree.Unlock()
	if v.ops.Owes() && v.ReadOnly() == "" {
		if err := v.ops.Append(v.now()); err != nil {
			v.log.Error("an operation's end is not in the log; the next start adds it", "err", err)
		}
	}
	v.closed = true
	v.changes.End()
	v.news.Close()
	return errors.Join(v.state.Close(), v.tree.Close())
}

// Dir returns the vault's folder as an absolute path.
func (v *Vault) Dir() string { return v.dir }

// Moved returns ErrMoved where another folder has the vault's path: what is asked of the
// vault there must not be done in the one that was moved away. A folder that is gone may
// come back.
func Moved(v *Vault) error {
	there, err := os.Stat(v.dir)
	if err != nil {
		return nil
	}
	if own, err := v.tree.Root.Lstat("."); err == nil && !os.SameFile(there, own) {
		return fmt.Errorf("%w: %s", ErrMoved, v.dir)
	}
	return nil
}

// Device returns this machine's name in the operation log.
func (v *Vault) Device() string { return v.device }

// Now is the time by the vault's clock.
func (v *Vault) Now() time.Time { return v.now() }

// ProjectsFrom returns the rules for which notes are projects where they lie.
func ProjectsFrom(v *Vault) []string {
	if v.from == nil {
		return nil
	}
	return v.from()
}

// Log is where the vault logs to.
func (v *Vault) Log() *slog.Logger { return v.log }

// ReadOnly says why the vault can't be written; empty: it can.
func (v *Vault) ReadOnly() string {
	if why := v.readOnly.Load(); why != nil {
		return *why
	}
	return ""
}

func (v *Vault) setReadOnly(why string) {
	v.log.Error("vault is read-only until it is opened again", "why", why)
	v.readOnly.Store(&why)
}

// lostWrite is called after a failed fsync. The kernel may have dropped the pages
// while a second fsync reports success, so there is no retry: the vault becomes
// read-only until it is opened again.
func (v *Vault) lostWrite(err error) {
	v.setReadOnly("the disk did not take a write: " + errText(err) + "; check the disk, then start kist again")
}

// idSource makes ULIDs that sort in the order they were made, even within one
// millisecond.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
	last    uint64
}

// NewID returns a ULID for now that sorts after all earlier ones of this process.
func (v *Vault) NewID() string {
	v.ids.mu.Lock()
	defer v.ids.mu.Unlock()
	// A clock that was set back must not make ids that sort before older ones.
	if now := v.now(); now.After(time.UnixMilli(0)) {
		v.ids.last = max(v.ids.last, ulid.Timestamp(now))
	}
	return ulid.MustNew(v.ids.last, v.ids.entropy).String()
}

func errText(err error) string { return fsys.BareError(err).Error() }

// AppendRecord adds text at the end of a file of kist's own bookkeeping; one that isn't
// there begins with head. See [records.Records.AppendRecord].
func (v *Vault) AppendRecord(ctx context.Context, p string, head, text []byte) error {
	return v.records.AppendRecord(ctx, p, head, text)
}

// WriteRecord replaces a file of kist's own bookkeeping by what edit makes of it, with
// the same care for concurrent editors as an operation but without one. Where it is one of
// the log's, and more than added to, the whole log is read again.
func (v *Vault) WriteRecord(ctx context.Context, p string, edit func(now []byte) ([]byte, error)) error {
	anew := false
	err := v.records.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
		after, err := edit(now)
		anew = v.ops.Has(p) && !bytes.HasPrefix(after, now)
		return after, err
	})
	if err != nil || !anew {
		return err
	}
	return v.ops.Rewritten()
}

// Settling returns which documents are held open and which conflict copies were kept.
func (v *Vault) Settling() Settling { return v.tree.Settling() }

// WaitSettled waits until every displaced file is dealt with, so that whoever looks into
// the folders finds nothing but documents, and at most for limit; those that a program
// holds open aren't waited for. It reports whether none is left.
func (v *Vault) WaitSettled(ctx context.Context, limit time.Duration) bool {
	return v.tree.WaitSettled(ctx, limit)
}

// gitWait is how long a git that is at work is waited for.
const gitWait = 10 * time.Second

// placed is [records.Options].Placed.
func placed(v *Vault, p string) bool {
	if v.git == nil {
		return false
	}
	for end := time.Now().Add(gitWait); v.git.Moving() && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if v.git.Busy() != "" {
		return true
	}
	text, err := v.tree.ReadOrNil(p)
	return err == nil && v.git.Placed(context.Background(), p, text).Why != ""
}

// owner is [documents.Options].Owner.
func (v *Vault) owner(p string) (inode uint64, known bool) {
	doc, known, err := v.state.Document(p)
	if known && err == nil {
		return doc.Stamp.Inode, true
	}
	links, _, err := v.ops.Chain(p) // what is known may be behind the log, after a crash
	return 0, err == nil && len(links) > 0 && links[0].After != ""
}
