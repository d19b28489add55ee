package watch

import (
	"cmp"
	"slices"
	"time"
)

// Keys of a coalescer that are no files.
const (
	everything = ""     // any file may have changed
	rules      = "\x00" // files that say what is ignored changed
)

// A coalescer decides when a path that changed is reported: at once for the
// first change, after it became quiet for those that follow. It has no clock and
// no goroutine: the caller passes the time and asks again at next.
type coalescer struct {
	settle, ceiling time.Duration
	paths           map[string]*entry
	soonest         time.Time // no entry has something to do before; zero: no entries
}

// An entry exists from the first change of a path until settle after its last report.
type entry struct {
	reported time.Time // zero: not yet
	since    time.Time // of the first change that isn't reported; zero: all are
	due      time.Time // when to report, or, if all is reported, to forget the path
	busy     bool      // changed again soon after its last report: wait until quiet
	doubtful bool      // it was when it changed last
}

func newCoalescer(settle, ceiling time.Duration) *coalescer {
	return &coalescer{settle: settle, ceiling: ceiling, paths: map[string]*entry{}}
}

// touch notes a change. A doubtful one (the file is missing or empty) is given
// time to become something else.
func (c *coalescer) touch(path string, now time.Time, doubtful bool) {
	e := c.paths[path]
	if e == nil {
		e = &entry{}
		c.paths[path] = e
	}
	if e.since.IsZero() {
		e.since = now
	}
	e.due, e.doubtful = now, doubtful
	if !e.reported.IsZero() && now.Sub(e.reported) < c.settle {
		e.busy = true
	}
	if doubtful || e.busy {
		e.due = earlier(now.Add(c.settle), e.since.Add(c.ceiling))
	}
	c.expect(e.due)
}

// hasten makes all that isn't in doubt due now.
func (c *coalescer) hasten(now time.Time) {
	for path, e := range c.paths {
		if !e.since.IsZero() && (!e.doubtful || path == everything) {
			e.due = now
			c.expect(now)
		}
	}
}

// oldest is when the first of the changes came that are held back, zero: none is.
func (c *coalescer) oldest() (t time.Time) {
	for _, e := range c.paths {
		if !e.since.IsZero() && (t.IsZero() || e.since.Before(t)) {
			t = e.since
		}
	}
	return t
}

// pop returns the paths to report now, sorted, and the reason for a rescan if one
// is wanted: reasonMoved or reasonRules.
func (c *coalescer) pop(now time.Time) (paths []string, rescan string) {
	if c.soonest.IsZero() || now.Before(c.soonest) {
		return nil, ""
	}
	c.soonest = time.Time{}
	for path, e := range c.paths {
		switch {
		case now.Before(e.due):
		case e.since.IsZero():
			delete(c.paths, path)
			continue
		default:
			switch path {
			case everything:
				rescan = cmp.Or(rescan, reasonMoved)
			case rules:
				rescan = reasonRules
			default:
				paths = append(paths, path)
			}
			*e = entry{reported: now, due: now.Add(c.settle)}
		}
		c.expect(e.due)
	}
	slices.Sort(paths)
	return paths, rescan
}

// next is when pop should be called again, if ever.
func (c *coalescer) next() (time.Time, bool) { return c.soonest, !c.soonest.IsZero() }

func (c *coalescer) expect(t time.Time) {
	if c.soonest.IsZero() || t.Before(c.soonest) {
		c.soonest = t
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
