package watch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// An Event says which files may have changed.
type Event struct {
	// Paths of files that were created, changed or removed: relative to the
	// root, with forward slashes, sorted, distinct.
	Paths []string

	// Rescan, when not empty, is the reason why any file may have changed;
	// Paths is empty then.
	Rescan string
}

// Options tune a [Watcher]; the zero value is usable.
type Options struct {
	// Ignore reports whether a path (relative, with forward slashes) is of no
	// interest; nothing below an ignored folder is seen. nil: all is of interest.
	// It is called from the goroutine that runs [Watcher.Run].
	Ignore func(path string, dir bool) bool

	Log *slog.Logger // nil: discarded

	// Settle is how long a path has to be quiet before a second event for it is
	// reported, and how long a missing or empty file is given to come back.
	// Zero: 20 ms, which outlasts the steps of every editor's save measured.
	Settle time.Duration

	// Ceiling is how long a path that is never quiet can be held back. Zero: 250 ms.
	Ceiling time.Duration

	// Poll is the interval of looking where watching isn't possible. Zero: 2 s.
	// It grows where one look takes longer than a tenth of it.
	Poll time.Duration

	// Rescan is the mean interval of the rescans made for safety. Zero: 10
	// minutes; negative: none.
	Rescan time.Duration

	// Polling, when not empty, is the reason why folders should be polled and
	// not watched. On Linux network file systems, which send no events for what
	// other machines change, are recognised without it.
	Polling string

	// Cookies is a folder, relative to the root with forward slashes, in which
	// empty files are made for [Watcher.Barrier] and the heartbeat; it is made if it
	// is missing, the folder above it is not. Nothing in it is ever reported. Empty:
	// there is neither.
	Cookies string

	// Heartbeat is the longest time between two files in Cookies that are made to
	// see whether events still come. When one doesn't come, watching begins anew
	// and a Rescan is reported; if that is of no use, folders are polled until the
	// next rescan. Zero: one minute; negative: none.
	Heartbeat time.Duration

	// Rules reports whether Ignore's answers depend on the file at path; a change
	// of it makes watching begin anew with a Rescan. It is asked for ignored files
	// too, though not for those in ignored folders. nil: on no file.
	Rules func(path string) bool

	// Listed, if there is one, is told what a folder holds once it is watched, before
	// Ignore is asked about that.
	Listed func(dir string, entries []fs.DirEntry)

	// Renew is called when Ignore should forget what it knows of the files that it
	// depends on. nil: it needn't.
	Renew func()
}

// A Watcher follows the files below one folder. All methods may be called from
// any goroutine.
type Watcher struct {
	root string
	opts Options
	open func() (source, error)

	retry    time.Duration // between looks for a root that vanished
	check    time.Duration // between looks whether the root is still the same, while somebody asks
	patience time.Duration // what a cookie may take to come back
	queue    int           // limit of events that wait
	silent   func(root string) (why string)

	gate    *gate
	tally   tally
	unheard int // sessions in a row in which no cookie came back; Run's alone

	started atomic.Bool
	state   atomic.Pointer[string]
	placed  sync.Once
	ready   chan struct{}
}

// New returns a Watcher of the folder root; it starts nothing.
func New(root string, opts Options) *Watcher {
	setDefault := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	setDefault(&opts.Settle, 20*time.Millisecond)
	setDefault(&opts.Ceiling, 250*time.Millisecond)
	setDefault(&opts.Poll, 2*time.Second)
	setDefault(&opts.Rescan, 10*time.Minute)
	setDefault(&opts.Heartbeat, time.Minute)
	opts.Ignore = withoutCookies(opts)
	if opts.Rules == nil {
		opts.Rules = func(string) bool { return false }
	}
	if opts.Listed == nil {
		opts.Listed = func(string, []fs.DirEntry) {}
	}
	if opts.Renew == nil {
		opts.Renew = func() {}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if abs, err := filepath.Abs(root); err == nil {
		root = abs // events must not change their meaning with the working directory
	}
	w := &Watcher{
		root: root, opts: opts, open: openFsnotify,
		retry: time.Second, check: 5 * time.Second, patience: 5 * time.Second,
		queue: queueLimit, silent: silent,
		gate: newGate(), ready: make(chan struct{}),
	}
	w.setState("stopped: not running")
	return w
}

// withoutCookies is what the caller ignores and the folder of cookies.
func withoutCookies(opts Options) func(path string, dir bool) bool {
	return func(path string, dir bool) bool {
		return path == opts.Cookies || (opts.Ignore != nil && opts.Ignore(path, dir))
	}
}

// Ready is closed when the first watches are in place: a file changed after
// that is reported.
func (w *Watcher) Ready() <-chan struct{} { return w.ready }

// State is "watching", "polling: " or "stopped: " followed by the reason.
func (w *Watcher) State() string { return *w.state.Load() }

func (w *Watcher) setState(s string) {
	if old := w.state.Swap(&s); old != nil && *old != s {
		w.opts.Log.Debug("watcher", "state", s, "was", *old)
	}
}

// Run calls emit for what changes until ctx ends, and then returns nil; the only
// error is that of running a Watcher twice. A root that vanishes is waited for.
// Run reports nothing about files that were there when it began.
func (w *Watcher) Run(ctx context.Context, emit func(Event)) error {
	if !w.started.CompareAndSwap(false, true) {
		return errors.New("a watcher can run only once")
	}
	defer w.setState("stopped: not running")
	w.gate.setShut(nil)
	defer w.gate.setShut(ErrStopped)
	report := func(ev Event) {
		w.tally.event(ev)
		emit(ev)
	}
	var reason string
	for hasty := 0; ctx.Err() == nil; {
		began := time.Now()
		reason = w.session(ctx, report, reason)
		w.tally.session(reason)
		if time.Since(began) >= time.Second {
			hasty = 0
			continue
		}
		// Whatever ends session after session must not keep a core busy.
		sleep(ctx, min(10*time.Millisecond<<min(hasty, 10), time.Second))
		hasty++
	}
	return nil
}
