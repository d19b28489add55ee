package displaced

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sort"
	"sync"
	"time"
)

// A File is a text that was taken out of its place.
type File struct {
	Path   string // its own, hidden name, from the vault's root
	Target string // the document that it was
	Base   []byte // what of it is accounted for; nil: nothing is known of that
}

// A Vault does what only the owner of the documents can. Its methods are called by one
// goroutine at a time, and without a lock held.
type Vault interface {
	// Open opens a displaced file for reading. The error of one that is gone is
	// fs.ErrNotExist.
	Open(p string) (*os.File, error)
	// BringIn merges what was saved into f since it held f.Base into its target. More
	// may come if f is open. Where it can't, or for a nil text, it gives f a visible name: moved. After
	// an error it is called again later.
	BringIn(f File, saved []byte, open bool) (moved bool, err error)
	// Remove deletes a file whose text is accounted for.
	Remove(f File) error
	// Gone is called with files that aren't there any more.
	Gone(files []File)
}

// The times of a watch.
const (
	// quiet is how long a displaced file is left alone at first, and how long it must
	// stand still until what was saved is brought in: it may be in the middle of a save.
	quiet = 100 * time.Millisecond
	// ceiling is how long a file that never stands still is waited for.
	ceiling = 10 * time.Second
	// longest is the longest interval between two looks.
	longest = 2 * time.Second
)

// Blind is how long a file is watched after the last write where the system can't tell
// who has it open.
const Blind = time.Minute

// Largest is the size, in bytes, of the largest file that is read. A larger one becomes
// a conflict copy as it is.
const Largest = 16 << 20

// A Held is a document whose displaced file some program may still write into.
type Held struct {
	File  // without Base
	Since time.Time
	Saves int // that were brought in
}

// A Watch looks at displaced files. Its methods may be called concurrently.
type Watch struct {
	vault Vault
	log   *slog.Logger

	mu      sync.Mutex
	entries map[string]*entry
	started bool
	running bool          // the goroutine
	wake    chan struct{} // something was added
	closing chan struct{}
	work    sync.WaitGroup
}

// New returns a watch that looks at nothing before [Watch.Start].
func New(v Vault, log *slog.Logger) *Watch {
	return &Watch{vault: v, log: log, entries: map[string]*entry{}, wake: make(chan struct{}, 1), closing: make(chan struct{})}
}

// Start lets the watch begin with what it has and what will be added.
func (w *Watch) Start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started = true
	w.run()
}

// Add begins to watch a file, unless it is watched already.
func (w *Watch) Add(f File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.entries[f.Path] != nil {
		return
	}
	now := time.Now()
	w.entries[f.Path] = &entry{File: f, since: now, moved: now, due: now.Add(quiet), wait: quiet}
	w.run()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Has reports whether a file is being watched.
func (w *Watch) Has(p string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entries[p] != nil
}

// HasTarget reports whether a file that was a document's is being watched.
func (w *Watch) HasTarget(p string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.entries {
		if e.Target == p {
			return true
		}
	}
	return false
}

// Held returns the files that are known to be open for writing, ordered by target.
func (w *Watch) Held() []Held {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Held
	for _, e := range w.entries {
		if e.held {
			out = append(out, Held{File: File{Path: e.Path, Target: e.Target}, Since: e.since, Saves: e.saves})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Target+"\x00"+out[i].Path < out[j].Target+"\x00"+out[j].Path })
	return out
}

// Wait waits until no file is watched but those that some program may still write into
// and that have nothing new, and at most for limit. It reports whether none is left.
func (w *Watch) Wait(ctx context.Context, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; {
		busy, all := w.count()
		if busy == 0 || time.Now().After(end) || ctx.Err() != nil {
			return all == 0
		}
		select {
		case <-time.After(quiet / 10):
		case <-ctx.Done():
		}
	}
}

// count returns how many files wait for something other than a program's next save, and
// how many there are.
func (w *Watch) count() (busy, all int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.entries {
		if !e.rests {
			busy++
		}
	}
	return busy, len(w.entries)
}

// Close looks at every file a last time, at once, and ends the watch. What some program
// still has open stays where it is.
func (w *Watch) Close() {
	w.mu.Lock()
	w.started = false
	close(w.closing)
	w.mu.Unlock()
	w.work.Wait()
	// What is brought in displaces a text in its turn.
	looked := map[*entry]bool{}
	for {
		fresh := slices.DeleteFunc(w.all(), func(e *entry) bool { return looked[e] })
		if len(fresh) == 0 {
			break
		}
		for _, e := range fresh {
			looked[e] = true
		}
		w.pass(fresh, true)
	}
	for _, h := range w.Held() {
		w.log.Warn("another program has a displaced file open; the next start looks at it", "path", h.Path, "document", h.Target)
	}
}

// run starts the goroutine if there is work for it. The lock is held.
func (w *Watch) run() {
	if !w.started || w.running || len(w.entries) == 0 {
		return
	}
	w.running = true
	w.work.Go(w.follow)
}

// follow looks at files whenever one is due, until none is left.
func (w *Watch) follow() {
	for {
		wait, left := w.next()
		if !left {
			return
		}
		select {
		case <-w.closing:
			return
		case <-w.wake:
			continue
		case <-time.After(wait):
		}
		now := time.Now()
		w.pass(slices.DeleteFunc(w.all(), func(e *entry) bool { return e.due.After(now) }), false)
	}
}

// next returns how long nothing is due; left false: there is nothing, and the
// goroutine is taken for ended.
func (w *Watch) next() (wait time.Duration, left bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.entries) == 0 {
		w.running = false
		return 0, false
	}
	wait = longest
	for _, e := range w.entries {
		wait = min(wait, time.Until(e.due))
	}
	return wait, true
}

func (w *Watch) all() []*entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]*entry, 0, len(w.entries))
	for _, e := range w.entries {
		out = append(out, e)
	}
	return out
}

// pass looks at files; at the end it does so for the last time.
func (w *Watch) pass(entries []*entry, end bool) {
	var gone []File
	var over []*entry
	for _, e := range entries {
		next, err := w.look(*e, end)
		if next.fault = ""; err != nil && !errors.Is(err, fs.ErrNotExist) {
			if next.fault = err.Error(); next.fault != e.fault {
				w.log.Error("displaced file kept", "path", e.Path, "document", e.Target, "err", err)
			}
		}
		w.mu.Lock()
		if *e = next; e.over {
			e.held, e.rests = false, false
			gone, over = append(gone, e.File), append(over, e)
		}
		w.mu.Unlock()
	}
	if len(gone) == 0 {
		return
	}
	w.vault.Gone(gone)
	// Not before: who waits for the files waits for their folders too.
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range over {
		delete(w.entries, e.Path)
	}
}
