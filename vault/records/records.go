/*
Package records writes what kist keeps for its own bookkeeping in files that anybody may
have open, such as conversations and sessions. They are written durably, with the care of
an operation for editors that save at the same moment, but are no operations.

What was added is looked after for a while: an editor that saves an older text over it
takes it away without knowing, and it is added once more ([Records.Heard]).
*/
package records

import (
	"context"
	"log/slog"
	"sync"

	"kist/vault/disk"
)

// Options for [New].
type Options struct {
	Tree   *disk.Tree
	Logger *slog.Logger
	NewID  func() string
	// Stat describes a file.
	Stat func(p string) (disk.Info, error)
	// Placed waits for a git that is at work, and reports whether a file is what git made of it.
	Placed func(p string) bool
	// Ready says whether a write may start. The lock is held.
	Ready func(ctx context.Context) error
	// Changed is told what was written. The lock is held.
	Changed func(p string)
}

// Records writes records. Its methods may be called concurrently.
type Records struct {
	opts    Options
	closing chan struct{}
	settle  sync.Once
	adding  sync.WaitGroup // see reappend

	mu      sync.Mutex
	added   map[string][]appendix // see remember; guarded by mu
	awaited map[string]bool       // see awaitQuiet; guarded by mu
}

// New returns the records of a folder.
func New(opts Options) *Records {
	return &Records{opts: opts, closing: make(chan struct{}), added: map[string][]appendix{}, awaited: map[string]bool{}}
}

// Heard takes in that another program has saved a file.
func (rec *Records) Heard(p string) {
	if rec.looksAfter(p) {
		rec.adding.Go(func() { rec.reappend(p) })
	}
}

// Settle ends looking after what was added, without the lock.
func (rec *Records) Settle() {
	rec.settle.Do(func() { close(rec.closing) })
	rec.adding.Wait()
}
