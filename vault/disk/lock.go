package disk

import (
	"context"
	"sync"
	"time"

	"kist/vault/fsys"
)

const closeLimit = 200 * time.Millisecond

// closeRetry is how often it looks.
const closeRetry = 2 * time.Millisecond

// A writeLock is held by whoever writes.
type writeLock struct {
	sync.Mutex
	awaited map[string]bool // files that the holder waited for before, see LockFor
}

func (l *writeLock) Unlock() {
	l.awaited = nil
	l.Mutex.Unlock()
}

// LockFor waits, for Options.CloseLimit at most, until nobody has the files at paths open for
// writing, and then takes the lock: nothing else is held up by that.
func (t *Tree) LockFor(ctx context.Context, paths ...string) {
	late := map[string]bool{}
	end := time.Now().Add(t.Options.CloseLimit)
	for _, p := range paths {
		if !t.awaitClosed(p, func() bool { return ctx.Err() != nil || time.Now().After(end) }) {
			late[p] = true
		}
	}
	t.writeLock.Lock()
	t.awaited = late
}

// WaitClosed waits until nobody has the file open for writing, once for each
// replacement, for one that was opened since LockFor looked. The lock is held; that
// others wait for it is no reason to go on with half a save: a program that adds to the
// file next would add to that half.
func (t *Tree) WaitClosed(r *Replacement) {
	if r.waited || t.awaited[r.Path] {
		r.waited = true
		return
	}
	end := time.Now().Add(t.Options.CloseLimit)
	r.waited = !t.awaitClosed(r.Path, func() bool { return time.Now().After(end) })
}

// awaitClosed waits until nobody has a file open for writing; false: until enough.
func (t *Tree) awaitClosed(p string, enough func() bool) bool {
	for first := true; t.BeingWritten(p); first = false {
		if first && t.Disk().Ask("wait until closed", p) != nil || enough() {
			return false
		}
		time.Sleep(closeRetry)
	}
	return true
}

// BeingWritten reports whether another program has a file open for writing, where
// that can be found out.
func (t *Tree) BeingWritten(p string) bool {
	f, _, err := t.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	held, known := fsys.HeldForWriting(f)
	return held && known
}
