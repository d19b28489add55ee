package watch

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// deaf makes a source that begins to deliver nothing when it is told to.
func deaf(ears *fakeSource, stop <-chan struct{}) func() (source, error) {
	return func() (source, error) {
		real, err := openFsnotify()
		if err != nil {
			return source{}, err
		}
		go func() {
			for {
				select {
				case <-stop:
					return
				case ev, ok := <-real.events:
					if !ok {
						return
					}
					ears.events <- ev
				}
			}
		}()
		return source{ears.events, ears.errors, both{real.watches, ears}}, nil
	}
}

// both places watches for a source whose events come through another.
type both struct {
	placer
	ears *fakeSource
}

func (b both) Close() error {
	err := b.placer.Close()
	return errors.Join(err, b.ears.Close())
}

// Events that cease to come without any error are noticed, and what was missed is
// found.
func TestHeartbeatNoticesSilence(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	opts.Heartbeat = 100 * time.Millisecond
	stop := make(chan struct{})
	ears := newFake(nil)
	first := true
	m := follow(t, root, opts, func(w *Watcher) {
		w.patience = 200 * time.Millisecond
		w.open = func() (source, error) {
			if !first {
				return openFsnotify()
			}
			first = false
			return deaf(ears, stop)()
		}
	})
	write(t, filepath.Join(root, "heard.md"), "text")
	m.settled()
	close(stop)
	time.Sleep(30 * time.Millisecond) // an event may be on its way
	write(t, filepath.Join(root, "one.md"), "text")
	write(t, filepath.Join(root, "two.md"), "text")
	m.until("the silence is noticed", func(v view) bool { return slices.Contains(v.rescans, reasonSilent) })
	m.settled()
	write(t, filepath.Join(root, "later.md"), "text")
	m.barrier()
	if got := m.now1("later.md"); got != "text" {
		t.Error("the new session doesn't hear either")
	}
	if got := m.watcher.Stats(); got.Restarts != 1 || got.Reason != reasonSilent || m.watcher.State() != "watching" {
		t.Errorf("stats %+v, state %q", got, m.watcher.State())
	}
}

// This shows that TestHeartbeatNoticesSilence can fail.
func TestWithoutHeartbeatSilenceLasts(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	opts.Heartbeat = -1
	m := follow(t, root, opts, newFake(nil).first, func(w *Watcher) { w.patience = 50 * time.Millisecond })
	write(t, filepath.Join(root, "one.md"), "text")
	time.Sleep(200 * time.Millisecond)
	if v := m.now(); v.events > 0 {
		t.Errorf("%d events: the other test proves nothing", v.events)
	}
}

// Where no event ever comes, watching again and again is of no use.
func TestNoEventsAtAllLeadToPolling(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	opts.Poll = 10 * time.Millisecond
	m := follow(t, root, opts, func(w *Watcher) {
		w.patience = 20 * time.Millisecond
		w.open = func() (source, error) {
			fake := newFake(nil)
			return source{fake.events, fake.errors, fake}, nil
		}
	})
	m.until("folders are polled", func(view) bool { return strings.HasPrefix(m.watcher.State(), "polling: no events come") })
	write(t, filepath.Join(root, "note.md"), "text")
	m.settled()
	m.barrier()
}

// A consumer that takes its time is not silence.
func TestSlowConsumerIsNotSilence(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	opts.Heartbeat = 20 * time.Millisecond
	m := follow(t, root, opts, func(w *Watcher) { w.patience = 200 * time.Millisecond })
	for range 2 {
		m.mu.Lock()
		write(t, filepath.Join(root, "note.md"), "text")
		time.Sleep(450 * time.Millisecond)
		m.mu.Unlock()
	}
	m.barrier()
	if got := m.watcher.Stats(); got != (Stats{}) {
		t.Errorf("stats %+v, want none", got)
	}
}

func TestSilentFileSystemsArePolled(t *testing.T) {
	root := t.TempDir()
	if why := silent(root); why != "" {
		t.Skipf("left out: the folder for tests is on such a file system: %s", why)
	}
	m := follow(t, root, Options{Poll: 10 * time.Millisecond}, func(w *Watcher) {
		w.silent = func(string) string { return "NFS" }
	})
	if got := m.watcher.State(); got != "polling: NFS" {
		t.Errorf("state %q", got)
	}
	write(t, filepath.Join(root, "note.md"), "text")
	m.settled()
}

func TestStatsOfOtherErrors(t *testing.T) {
	root := t.TempDir()
	fake := newFake(nil)
	m := follow(t, root, Options{Rescan: 200 * time.Millisecond}, fake.first)
	if got := m.watcher.Stats(); got != (Stats{}) {
		t.Errorf("at the start: %+v", got)
	}
	fake.errors <- fsnotify.ErrClosed
	m.until("a periodic rescan", func(v view) bool { return slices.Contains(v.rescans, reasonPeriodic) })
	got := m.watcher.Stats()
	if got.Restarts != 1 || got.Overflows != 0 || got.Rescans < 2 || got.Reason != reasonFailed {
		t.Errorf("stats %+v, want one restart, no overflow and the reason of the restart", got)
	}
}
