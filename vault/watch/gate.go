package watch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Barrier returns when all that changed in the folder before the call has been
// passed to the function given to [Watcher.Run], and that function has returned.
//
// It makes a file and waits for its event, which comes through the same queue as
// the events before it; then it has everything reported that is held back to be
// reported as one. A file that is missing or empty is waited for as ever, since it
// may be half saved: Settle, and at worst Ceiling. Where folders are polled, a
// look is made at once, and what a look can't see (a change of the text alone, not
// of size, time or inode) stays unseen. Calls that come together share a file.
//
// The errors are [ErrNoBarrier], [ErrStopped] and those of ctx. A session that
// ends meanwhile is no error: the rescan that follows reports everything. While
// the first watches are placed Barrier waits. It must not be called from the
// function given to Run. Only Linux promises the order of events over several
// folders; elsewhere a change made just before the call may still be on its way.
func (w *Watcher) Barrier(ctx context.Context) error {
	if w.opts.Cookies == "" {
		return ErrNoBarrier
	}
	c := &call{done: make(chan error, 1)}
	if err := w.gate.enter(c); err != nil {
		return err
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		w.gate.leave(c)
		return ctx.Err()
	}
}

// A gate keeps the calls of Barrier until all before them is reported. A heartbeat
// is a call that nobody waits for. The goroutine of Run does all but enter and leave.
type gate struct {
	asked chan struct{} // receives when there is a call without a cookie

	mu    sync.Mutex // guards what follows
	shut  error      // why nobody may wait; nil: anybody may
	calls []*call
}

type call struct {
	done   chan error // nil: a heartbeat
	cookie int        // what it waits for; 0: not sent yet
	sent   time.Time
	passed time.Time // when the cookie came back; zero: not yet
}

func newGate() *gate { return &gate{asked: make(chan struct{}, 1), shut: ErrStopped} }

func (g *gate) enter(c *call) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		return g.shut
	}
	g.calls = append(g.calls, c)
	select {
	case g.asked <- struct{}{}:
	default:
	}
	return nil
}

func (g *gate) leave(c *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = slices.DeleteFunc(g.calls, func(other *call) bool { return other == c })
}

// setShut lets nobody wait from now on, for a reason, or anybody if that is nil.
func (g *gate) setShut(why error) {
	g.mu.Lock()
	g.shut = why
	g.mu.Unlock()
	if why != nil {
		answer(g.take(func(*call) bool { return true }), why)
	}
}

// answer ends calls. No lock is held by then.
func answer(calls []*call, err error) {
	for _, c := range calls {
		if c.done != nil {
			c.done <- err
		}
	}
}

// take removes the calls that fit and returns them.
func (g *gate) take(fits func(*call) bool) (taken []*call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = slices.DeleteFunc(g.calls, func(c *call) bool {
		if !fits(c) {
			return false
		}
		taken = append(taken, c)
		return true
	})
	return taken
}

// restart forgets the cookies of a session that is over.
func (g *gate) restart() {
	g.take(func(c *call) bool { return c.done == nil })
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.calls {
		c.cookie, c.passed = 0, time.Time{}
	}
}

// send gives the calls that have none one cookie, made by probe. A call that comes
// meanwhile must not get it: it may follow a change made after the cookie. An error
// ends the calls, save errJarGone, after which a new session must begin.
func (g *gate) send(probe func() (int, error)) error {
	g.mu.Lock()
	var fresh []*call
	for _, c := range g.calls {
		if c.cookie == 0 {
			fresh = append(fresh, c)
		}
	}
	g.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	cookie, err := probe()
	now := time.Now()
	if errors.Is(err, errJarGone) {
		return err // the next session answers
	}
	if err != nil {
		answer(g.take(func(c *call) bool { return slices.Contains(fresh, c) }), err)
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range fresh {
		c.cookie, c.sent = cookie, now
	}
	return nil
}

// pass notes that a cookie came back, and those before it. It reports whether it
// is news, and whether anybody waited for it.
func (g *gate) pass(cookie int, now time.Time) (came, waited bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.calls {
		if c.cookie > 0 && c.cookie <= cookie && c.passed.IsZero() {
			c.passed, came = now, true
			waited = waited || c.done != nil
		}
	}
	return came, waited
}

// finish ends the calls before which nothing is held back; oldest is when the
// first change that is held back came, zero if there is none.
func (g *gate) finish(oldest time.Time) {
	answer(g.take(func(c *call) bool {
		return !c.passed.IsZero() && (oldest.IsZero() || oldest.After(c.passed))
	}), nil)
}

// due is when the next cookie should have come back, zero if none is under way.
func (g *gate) due(patience time.Duration) (due time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.calls {
		if c.cookie > 0 && c.passed.IsZero() && (due.IsZero() || c.sent.Add(patience).Before(due)) {
			due = c.sent.Add(patience)
		}
	}
	return due
}
