package watch

import (
	"slices"
	"time"
)

// everything is the coalescer's key for a wanted rescan; no file has this path.
const everything = ""

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
	e.due = now
	if !e.reported.IsZero() && now.Sub(e.reported) < c.settle {
		e.busy = true
	}
	if doubtful || e.busy {
		e.due = earlier(now.Add(c.settle), e.since.Add(c.ceiling))
	}
	c.expect(e.due)
}

// pop returns the paths to report now, sorted, and whether a rescan is wanted.
func (c *coalescer) pop(now time.Time) (paths []string, rescan bool) {
	if c.soonest.IsZero() || now.Before(c.soonest) {
		return nil, false
	}
	c.soonest = time.Time{}
	for path, e := range c.paths {
		switch {
		case now.Before(e.due):
		case e.since.IsZero():
			delete(c.paths, path)
			continue
		default:
			if path == everything {
				rescan = true
			} else {
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
