package vault

import (
	"context"
	"sort"
	"sync"
)

// changeLog remembers, for each path, the newest change. It is bounded by the
// number of distinct paths and never forgets one, so a follower that lags
// behind loses nothing: it only learns of a path once instead of twice.
type changeLog struct {
	mu     sync.Mutex
	seq    Seq
	latest map[string]Seq
	order  []PathChange // ascending; entries that latest contradicts are dead
	dead   int
	wake   chan struct{} // closed and replaced at each change
}

func newChangeLog(seq Seq) *changeLog {
	return &changeLog{seq: seq, latest: map[string]Seq{}, wake: make(chan struct{})}
}

// add gives each path its own number and returns the last of them.
func (c *changeLog) add(paths ...string) Seq {
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

func (c *changeLog) compact() {
	live := c.order[:0]
	for _, pc := range c.order {
		if c.latest[pc.Path] == pc.Seq {
			live = append(live, pc)
		}
	}
	c.order, c.dead = live, 0
}

func (c *changeLog) since(seq Seq) ([]PathChange, Seq) {
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

// skip uses up a number for what followers needn't know. They wake all the same:
// somebody may wait until they have reached it.
func (c *changeLog) skip() Seq {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	close(c.wake)
	c.wake = make(chan struct{})
	return c.seq
}

// newest returns the number of the newest change, and what is closed at the next.
func (c *changeLog) newest() (Seq, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seq, c.wake
}

func (c *changeLog) wait(ctx context.Context, after Seq) error {
	for {
		seq, wake := c.newest()
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
func (v *Vault) Seq() Seq {
	seq, _ := v.changes.newest()
	return seq
}

// ChangedSince returns the Markdown paths that changed after since, each once and
// oldest first, and the number that a follower has reached when it has dealt
// with all of them.
func (v *Vault) ChangedSince(since Seq) ([]PathChange, Seq) { return v.changes.since(since) }

// WaitChange blocks until there is a change after the given one, or returns
// ctx's error.
func (v *Vault) WaitChange(ctx context.Context, after Seq) error { return v.changes.wait(ctx, after) }
