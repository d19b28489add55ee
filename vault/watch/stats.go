package watch

import "sync"

// Stats count what went wrong, and what was done about it, since [Watcher.Run].
type Stats struct {
	Overflows int // times that events were lost because more came than could be kept
	Rescans   int // events that said Rescan, for whatever reason
	Restarts  int // times that watching began anew because something was wrong

	// Reason is that of the newest rescan, those made for safety left aside; empty:
	// there was none.
	Reason string
}

// Stats returns the counters.
func (w *Watcher) Stats() Stats { return w.tally.now() }

type tally struct {
	mu    sync.Mutex
	stats Stats // guarded by mu
}

func (t *tally) now() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stats
}

// event counts what is reported.
func (t *tally) event(ev Event) {
	if ev.Rescan == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Rescans++
	if ev.Rescan != reasonPeriodic {
		t.stats.Reason = ev.Rescan
	}
}

// session counts one that ended.
func (t *tally) session(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch reason {
	case "", reasonPeriodic, reasonRules:
		return
	case reasonOverflow:
		t.stats.Overflows++
	}
	t.stats.Restarts++
}
