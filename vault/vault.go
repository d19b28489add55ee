package vault

import (
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

	"kist/vault/fsys"
	"kist/vault/ignore"
	"kist/vault/state"
	"kist/vault/watch"
)

// Options for [Open]; the zero value is usable.
type Options struct {
	Layout Layout           // zero: DefaultLayout
	Log    *slog.Logger     // nil: discarded
	Now    func() time.Time // nil: time.Now
	Device string           // empty: derived from the machine and the path

	// Fault, for tests of crashes and failing disks, is called before each call to
	// the file system that a write makes, with the call's name. What it returns is
	// taken for the call's own error. It may also end the process.
	Fault func(call string) error
}

// A Vault is an open folder. Its methods may be called concurrently. The caller
// sees to it that one process at a time has a vault open (the daemon holds a lock).
type Vault struct {
	dir    string
	root   *os.Root
	folder *os.File // root again, for fsys.ReadPlain; nil: it can't be used
	layout Layout
	log    *slog.Logger
	now    func() time.Time
	device string

	changes *changeLog
	rules   *ignore.Rules
	state   *state.DB
	ops     *opLog
	news    *news
	tokens  tokenCounter
	ids     idSource

	listings listings

	mu      sync.Mutex // held by whoever writes
	written *written   // of operations under way; guarded by mu
	closed  bool

	quiet          time.Duration          // historyQuiet
	record         chan chan struct{}     // asks the history; closed when it is done
	compared       atomic.Bool            // what is known has been compared with the disk since Open
	vanished       atomic.Pointer[string] // see Vanished
	acceptVanished atomic.Bool

	addedMu sync.Mutex
	added   map[string][]addedText // see remember; guarded by addedMu
	awaited map[string]bool        // see awaitQuiet; guarded by addedMu

	readOnly atomic.Pointer[string]
	watcher  atomic.Pointer[watch.Watcher]
	temps    atomic.Int64 // counts names of temporary files
	inFlight sync.Map     // temporary files that this process still needs
	settling sync.WaitGroup
	closing  chan struct{}

	faultAt   func(call string) error // Options.Fault
	elsewhere func(fs.FileInfo) bool  // what a cloud service keeps
}

// Open opens the folder dir, which must exist, and finishes or takes back what a
// crash left half done. The caller must call [Vault.Close].
func Open(ctx context.Context, dir string, opts Options) (*Vault, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	v := &Vault{dir: abs, root: root, layout: opts.Layout, log: opts.Log, now: opts.Now, device: opts.Device, faultAt: opts.Fault, closing: make(chan struct{})}
	v.setDefaults()
	if err := v.makeStateDir(); err != nil {
		root.Close()
		return nil, err
	}
	if v.state, err = state.Open(filepath.Join(abs, StateDir, "state.db"), state.Options{Log: v.log}); err != nil {
		root.Close()
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	v.ops, v.news = newOpLog(v, v.state), newNews()
	last, err := v.recover(ctx)
	if err != nil {
		v.state.Close()
		root.Close()
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	// Recovery's own changes are numbered anew: followers compare everything at
	// their start anyway.
	v.changes = newChangeLog(last)
	v.folder, _ = root.Open(".") // without it, reading takes the long way
	return v, nil
}

func (v *Vault) setDefaults() {
	if v.layout == (Layout{}) {
		v.layout = DefaultLayout()
	}
	if v.log == nil {
		v.log = slog.New(slog.DiscardHandler)
	}
	if v.now == nil {
		v.now = time.Now
	}
	if v.device == "" {
		v.device = deviceName(v.dir)
	}
	v.rules = ignore.New(func(p string) ([]byte, error) {
		text, _, err := v.ReadHead(p, ignore.MaxFile+1)
		return text, err
	})
	v.quiet, v.elsewhere = historyQuiet, fsys.Elsewhere
	v.record = make(chan chan struct{})
	v.changes = newChangeLog(0)
	v.ids.entropy = ulid.Monotonic(rand.Reader, 0)
}

// makeStateDir makes the folder for local state, and keeps git away from it even
// where the vault's own .gitignore is somebody else's.
func (v *Vault) makeStateDir() error {
	d := v.disk()
	if err := d.Mkdir(StateDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s can't be created: %s", ErrReadOnly, StateDir, errText(err))
	}
	f, err := d.Create(StateDir+"/.gitignore", 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s can't be written: %s", ErrReadOnly, StateDir, errText(err))
	}
	return errors.Join(f.Write([]byte("*\n")), f.Close())
}

// Close waits for writes to settle and releases the folder.
func (v *Vault) Close() error {
	v.mu.Lock()
	if v.closed {
		v.mu.Unlock()
		return nil
	}
	close(v.closing)
	v.mu.Unlock()
	v.settling.Wait()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.ops.owed) > 0 && v.ReadOnly() == "" {
		if err := v.ops.append(v.now()); err != nil {
			v.log.Error("an operation's end is not in the log; the next start adds it", "err", err)
		}
	}
	v.closed = true
	v.news.close()
	if v.folder != nil {
		_ = v.folder.Close()
	}
	return errors.Join(v.state.Close(), v.root.Close())
}

// Dir returns the vault's folder as an absolute path.
func (v *Vault) Dir() string { return v.dir }

// Device returns this machine's name in the operation log.
func (v *Vault) Device() string { return v.device }

// Layout returns the names of the folders with a meaning.
func (v *Vault) Layout() Layout { return v.layout }

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

func (v *Vault) fault(call string) error {
	if v.faultAt == nil {
		return nil
	}
	return v.faultAt(call)
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
