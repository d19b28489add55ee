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

	"kist/vault/watch"
)

// Options for [Open]; the zero value is usable.
type Options struct {
	Layout Layout           // zero: DefaultLayout
	Log    *slog.Logger     // nil: discarded
	Now    func() time.Time // nil: time.Now
	Device string           // empty: derived from the machine and the path
}

// A Vault is an open folder. Its methods may be called concurrently. The caller
// sees to it that one process at a time has a vault open (the daemon holds a lock).
type Vault struct {
	dir    string
	root   *os.Root
	layout Layout
	log    *slog.Logger
	now    func() time.Time
	device string
	umask  fs.FileMode

	changes *changeLog
	ops     *opLog
	news    *news
	ids     idSource

	mu     sync.Mutex // held by whoever writes
	closed bool

	readOnly atomic.Pointer[string]
	watcher  atomic.Pointer[watch.Watcher]
	temps    atomic.Int64 // counts names of temporary files
	inFlight sync.Map     // temporary files that this process still needs
	settling sync.WaitGroup
	closing  chan struct{}

	// faultAt, set by tests alone, is asked at each step of a write whether to fail.
	faultAt func(point string) error
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
	v := &Vault{dir: abs, root: root, layout: opts.Layout, log: opts.Log, now: opts.Now, device: opts.Device, closing: make(chan struct{})}
	v.setDefaults()
	v.ops, v.news = newOpLog(v), newNews()
	if err := v.makeStateDir(); err != nil {
		root.Close()
		return nil, err
	}
	last, err := v.recover(ctx)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("open vault %s: %w", abs, err)
	}
	// Recovery's own changes are numbered anew: followers compare everything at
	// their start anyway.
	v.changes = newChangeLog(last)
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
	v.umask = 0o022
	v.changes = newChangeLog(0)
	v.ids.entropy = ulid.Monotonic(rand.Reader, 0)
}

// makeStateDir makes the folder for local state, and keeps git away from it even
// where the vault's own .gitignore is somebody else's.
func (v *Vault) makeStateDir() error {
	if err := v.root.Mkdir(StateDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s can't be created: %s", ErrReadOnly, StateDir, errText(err))
	}
	f, err := v.root.OpenFile(StateDir+"/.gitignore", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s can't be written: %s", ErrReadOnly, StateDir, errText(err))
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
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
	v.closed = true
	v.news.close()
	return v.root.Close()
}

// Run watches the folder until ctx ends, so that followers learn of what other
// programs save. It returns an error when the folder can't be watched at all.
func (v *Vault) Run(ctx context.Context) error {
	w := watch.New(v.dir, watch.Options{Log: v.log, Ignore: func(p string, dir bool) bool {
		return hidden(p) || !dir && !isMarkdown(p)
	}})
	v.watcher.Store(w)
	v.settling.Go(func() {
		// Years of operations take a second to read: not while somebody waits.
		if err := v.ops.refresh(); err != nil {
			v.log.Error("read operation log", "err", err)
		}
	})
	return w.Run(ctx, func(e watch.Event) {
		if e.Rescan != "" {
			v.log.Info("comparing everything", "why", e.Rescan)
			v.changes.add("")
			return
		}
		v.changes.add(e.Paths...)
	})
}

// Watching is closed once changes by other programs are seen; nil before [Vault.Run].
func (v *Vault) Watching() <-chan struct{} {
	if w := v.watcher.Load(); w != nil {
		return w.Ready()
	}
	return nil
}

// Watcher tells how changes by other programs are noticed: starting, watching,
// polling or stopped, and why.
func (v *Vault) Watcher() string {
	w := v.watcher.Load()
	if w == nil {
		return "starting"
	}
	select {
	case <-w.Ready():
		return w.State()
	default:
		return "starting"
	}
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

func (v *Vault) fault(point string) error {
	if v.faultAt == nil {
		return nil
	}
	return v.faultAt(point)
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
	v.ids.last = max(v.ids.last, ulid.Timestamp(v.now()))
	return ulid.MustNew(v.ids.last, v.ids.entropy).String()
}
