package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/vault/disk"
)

// The brake: more than brakeFiles documents, and more than one in brakeShare of
// all, that are gone within brakeTime are not taken for deleted. An unmounted disk
// or a branch without them is likelier than a person who deletes that many notes.
const (
	brakeFiles = 50
	brakeShare = 5
	brakeTime  = time.Minute
)

// A brake counts documents that vanish. It is used by one goroutine.
type brake struct {
	since   time.Time
	count   int
	ignored int // documents that are known, but ignored by now
}

// stops reports whether n more documents that are gone are too many to be taken for
// deleted, and says so until they are back or [History.AcceptVanished] is called.
func (b *brake) stops(h *History, n int) bool {
	if now := time.Now(); now.Sub(b.since) > brakeTime {
		b.since, b.count = now, 0
	}
	all, err := h.opts.State.Len()
	if err != nil {
		h.trouble(err)
		return true
	}
	all = max(0, all-b.ignored)
	if total := b.count + n; total <= brakeFiles || total <= (all+b.count)/brakeShare || h.acceptVanished.Load() {
		h.vanished.Store(nil)
		return false
	}
	notice := fmt.Sprintf("%d of %d documents are gone at once, which was not recorded as deleting them", n, all)
	h.opts.Logger.Warn(notice)
	h.vanished.Store(&notice)
	return true
}

// let counts documents that were recorded as deleted.
func (b *brake) let(h *History, n int) {
	b.count += n
	if n > 0 {
		h.acceptVanished.Store(false)
	}
}

// Vanished says that many documents are gone at once and that this was not taken
// for deleting them; empty: no. It ends when they are back, or by [History.AcceptVanished].
func (h *History) Vanished() string {
	if notice := h.vanished.Load(); notice != nil {
		return *notice
	}
	return ""
}

// AcceptVanished says that the documents which vanished are meant to be gone: they
// are recorded as deleted.
func (h *History) AcceptVanished() {
	if h.vanished.Load() == nil {
		return
	}
	h.acceptVanished.Store(true)
	h.opts.Changes.Add("")
}

// below reports whether a path is at or in a place that could not be read.
func below(p string, problems []disk.Problem) bool {
	return slices.ContainsFunc(problems, func(problem disk.Problem) bool {
		return p == problem.Path || strings.HasPrefix(p, problem.Path+"/")
	})
}
