package history

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/oplog"
	"kist/vault/state"
)

// Options for [New].
type Options struct {
	Tree    *disk.Tree
	Folder  *documents.Folder
	Changes *documents.Changes
	Log     *oplog.Log
	News    *oplog.News
	State   *state.DB
	Logger  *slog.Logger
	Device  string
	Now     func() time.Time
	NewID   func() string
	Quiet   time.Duration // for which a document must be left alone; 0: two seconds
	Git     Git           // nil: there is none
	// Ready says whether a write may start. The lock is held.
	Ready    func(ctx context.Context) error
	Closed   func() bool // the vault. The lock is held.
	EntityOf func(path string, text []byte) oplog.Entity
	// Offer proposes what editors saved over. The lock is held.
	Offer func([]Offer) error
}

// A History knows the documents' texts as the log explains them, and records what other
// programs make of them.
type History struct {
	opts    Options
	written *written           // by operations under way; guarded by the tree's lock
	asked   chan chan struct{} // closed when what changed is recorded
	later   map[string]bool    // documents that wait for their branch; guarded by the tree's lock

	compared       atomic.Bool            // what is known has been compared with the disk
	vanished       atomic.Pointer[string] // see Vanished
	acceptVanished atomic.Bool
}

// An Edit is a save by another program: an operation that is completed already.
type Edit struct {
	Op            oplog.Operation
	Before, After []byte
}

// New returns the history of a folder.
func New(opts Options) *History {
	if opts.Quiet == 0 {
		opts.Quiet = quiet
	}
	return &History{opts: opts, asked: make(chan chan struct{}), later: map[string]bool{}}
}

// SetQuiet sets Options.Quiet, for tests.
func (h *History) SetQuiet(d time.Duration) { h.opts.Quiet = d }

// Compared reports whether what is known has been compared with the folder since the
// vault was opened: what other programs save from then on is recorded.
func (h *History) Compared() bool { return h.compared.Load() }
