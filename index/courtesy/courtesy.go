// Package courtesy has a long piece of work wait while somebody asks for something.
package courtesy

import (
	"context"
	"sync"
	"time"
)

const (
	// The builder gives way for so long at once,
	pauseLimit = 2 * time.Second
	// and one part in pauseShare of the time as long as questions go on.
	pauseShare = 10
)

// A Courtesy makes the builder of the index wait while searches look at files: a person
// asks, and on a small machine the two would share one processor. Who asks all the time
// doesn't stop it. The zero value is ready.
type Courtesy struct {
	mu      sync.Mutex
	asking  int
	ended   chan struct{} // closed when nobody asks any more
	spent   time.Duration // of pauseLimit
	counted time.Time     // up to when spent is
}

// Ask tells that somebody does, until end is called.
func (c *Courtesy) Ask() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking++; c.asking == 1 {
		c.ended = make(chan struct{})
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.asking--; c.asking == 0 {
			close(c.ended)
		}
	}
}

// GiveWay waits until nobody asks, but not for ever.
func (c *Courtesy) GiveWay(ctx context.Context) {
	c.mu.Lock()
	asking, ended, left := c.asking, c.ended, c.left(time.Now())
	c.mu.Unlock()
	if asking == 0 || left <= 0 {
		return
	}
	began := time.Now()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left(began)
	// Several wait at the same time: what counts is until when.
	if now := time.Now(); now.After(c.counted) {
		c.spent += now.Sub(c.counted)
		c.counted = now
	}
}

// left is how long may be waited. The mutex is held.
func (c *Courtesy) left(now time.Time) time.Duration {
	if passed := now.Sub(c.counted); passed > 0 {
		c.spent = max(0, c.spent-passed/pauseShare)
		c.counted = now
	}
	return pauseLimit - c.spent
}
