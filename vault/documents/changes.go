package documents

import (
	"context"
	"slices"
	"sort"
	"sync"

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
}

// NewChanges returns changes that are numbered from seq on.
func NewChanges(seq Seq) *Changes {
	return &Changes{seq: seq, latest: map[string]Seq{}, wake: make(chan struct{})}
}

// Restart forgets all changes and numbers from seq on.
func (c *Changes) Restart(seq Seq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq, c.latest, c.order, c.dead = seq, map[string]Seq{}, nil, 0
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
		c.seq++
		c.latest[p] = c.seq
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
	c.seq++
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

// ChangedSince returns the Markdown paths that changed after since, each once and
// oldest first, and the number that a follower has reached when it has dealt
// with all of them.
func (f *Folder) ChangedSince(since Seq) ([]PathChange, Seq) {
	changes, seq := f.changes.Since(since)
	if f.hides != nil {
		changes = slices.DeleteFunc(slices.Clone(changes), func(c PathChange) bool { return f.hidden(c.Path) != nil })
	}
	return changes, seq
}

// WaitChange blocks until there is a change after the given one, or returns
// ctx's error.
func (f *Folder) WaitChange(ctx context.Context, after Seq) error { return f.changes.Wait(ctx, after) }
