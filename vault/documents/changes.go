package documents

import (
	"context"
	"slices"
	"sort"
	"sync"

	"kist/vault/canvas"
	"kist/vault/oplog"
)

// Seq numbers changes.
type Seq = oplog.Seq

// A PathChange says that the file at Path was created, changed or removed. An
// empty Path says that anything may have changed and the follower should
// compare everything it knows with the disk.
type PathChange struct {
	Path string
	Seq  Seq
}

// Changes remembers, for each path, the newest change. It is bounded by the
// number of distinct paths and never forgets one, so a follower that lags
// behind loses nothing: it only learns of a path once instead of twice.
type Changes struct {
	mu     sync.Mutex
	seq    Seq
	latest map[string]Seq
	order  []PathChange // ascending; entries that latest contradicts are dead
	dead   int
	wake   chan struct{} // closed and replaced at each change

	began    Seq       // the first number since Restart
	reserved Seq       // what keep was told last
	keep     func(Seq) // nil: numbers needn't outlive the process
}

// NewChanges returns changes that are numbered from seq on.
func NewChanges(seq Seq) *Changes {
	return &Changes{seq: seq, latest: map[string]Seq{}, wake: make(chan struct{})}
}

// Restart forgets all changes and numbers from behind seq on; the first number is used up.
// Keep, which may be nil, makes durable up to where numbers may be given, before they are; it
// must not call c.
func (c *Changes) Restart(seq Seq, keep func(upTo Seq)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.order, c.dead = map[string]Seq{}, nil, 0
	c.keep = keep
	c.seq = seq
	c.began = c.next()
}

// next gives a number. The lock is held.
func (c *Changes) next() Seq {
	c.seq++
	if c.keep != nil && c.seq > c.reserved {
		c.reserved = c.seq + reserveAhead
		c.keep(c.reserved)
	}
	return c.seq
}

// End keeps the number that was reached, so that the next Restart goes on behind it.
func (c *Changes) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keep != nil {
		c.keep(c.seq)
		c.reserved = c.seq
	}
}

// Add gives each path its own number and returns the last of them.
func (c *Changes) Add(paths ...string) Seq {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(paths) == 0 {
		return c.seq
	}
	for _, p := range paths {
		if _, ok := c.latest[p]; ok {
			c.dead++
		}
		c.latest[p] = c.next()
		c.order = append(c.order, PathChange{Path: p, Seq: c.seq})
	}
	if c.dead > len(c.latest)+1000 {
		c.compact()
	}
	close(c.wake)
	c.wake = make(chan struct{})
	return c.seq
}

func (c *Changes) compact() {
	live := c.order[:0]
	for _, pc := range c.order {
		if c.latest[pc.Path] == pc.Seq {
			live = append(live, pc)
		}
	}
	c.order, c.dead = live, 0
}

// Since returns what changed after seq, oldest first, and the newest number.
func (c *Changes) Since(seq Seq) ([]PathChange, Seq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := sort.Search(len(c.order), func(i int) bool { return c.order[i].Seq > seq })
	var out []PathChange
	for _, pc := range c.order[i:] {
		if c.latest[pc.Path] == pc.Seq {
			out = append(out, pc)
		}
	}
	return out, c.seq
}

// Skip uses up a number for what followers needn't know. They wake all the same:
// somebody may wait until they have reached it.
func (c *Changes) Skip() Seq {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next()
	close(c.wake)
	c.wake = make(chan struct{})
	return c.seq
}

// Newest returns the number of the newest change, and what is closed at the next.
func (c *Changes) Newest() (Seq, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seq, c.wake
}

// Wait waits for a change after the given one, or returns ctx's error.
func (c *Changes) Wait(ctx context.Context, after Seq) error {
	for {
		seq, wake := c.Newest()
		if seq > after {
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Seq returns the number of the newest change.
func (f *Folder) Seq() Seq {
	seq, _ := f.changes.Newest()
	return seq
}

// Began returns the first number that was given since the vault was opened: of what changed
// before it only the operation log tells.
func (f *Folder) Began() Seq {
	f.changes.mu.Lock()
	defer f.changes.mu.Unlock()
	return f.changes.began
}

// ChangedSince returns the Markdown paths that changed after since, each once and
// oldest first, and the number that a follower has reached when it has dealt
// with all of them.
func (f *Folder) ChangedSince(since Seq) ([]PathChange, Seq) {
	changes, seq := f.SearchedSince(since)
	return slices.DeleteFunc(changes, func(c PathChange) bool { return canvas.Is(c.Path) }), seq
}

// SearchedSince is ChangedSince with the canvases.
func (f *Folder) SearchedSince(since Seq) ([]PathChange, Seq) {
	changes, seq := f.changes.Since(since)
	if f.hides != nil {
		changes = slices.DeleteFunc(changes, func(c PathChange) bool { return f.hidden(c.Path) != nil })
	}
	return changes, seq
}

// WaitChange blocks until there is a change after the given one, or returns
// ctx's error.
func (f *Folder) WaitChange(ctx context.Context, after Seq) error { return f.changes.Wait(ctx, after) }
