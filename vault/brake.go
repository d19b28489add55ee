package vault

import (
	"fmt"
	"slices"
	"strings"
	"time"
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
// deleted, and says so until they are back or [Vault.AcceptVanished] is called.
func (b *brake) stops(v *Vault, n int) bool {
	if now := time.Now(); now.Sub(b.since) > brakeTime {
		b.since, b.count = now, 0
	}
	all, err := v.state.Len()
	if err != nil {
		v.stateTrouble(err)
		return true
	}
	all = max(0, all-b.ignored)
	if total := b.count + n; total <= brakeFiles || total <= (all+b.count)/brakeShare || v.acceptVanished.Load() {
		v.vanished.Store(nil)
		return false
	}
	notice := fmt.Sprintf("%d of %d documents are gone at once, which was not recorded as deleting them", n, all)
	v.log.Warn(notice)
	v.vanished.Store(&notice)
	return true
}

// let counts documents that were recorded as deleted.
func (b *brake) let(v *Vault, n int) {
	b.count += n
	if n > 0 {
		v.acceptVanished.Store(false)
	}
}

// Vanished says that many documents are gone at once and that this was not taken
// for deleting them; empty: no. It ends when they are back, or by [Vault.AcceptVanished].
func (v *Vault) Vanished() string {
	if notice := v.vanished.Load(); notice != nil {
		return *notice
	}
	return ""
}

// AcceptVanished says that the documents which vanished are meant to be gone: they
// are recorded as deleted.
func (v *Vault) AcceptVanished() {
	if v.vanished.Load() == nil {
		return
	}
	v.acceptVanished.Store(true)
	v.changes.add("")
}

// below reports whether a path is at or in a place that could not be read.
func below(p string, problems []Problem) bool {
	return slices.ContainsFunc(problems, func(problem Problem) bool {
		return p == problem.Path || strings.HasPrefix(p, problem.Path+"/")
	})
}
