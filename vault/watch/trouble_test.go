package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A fakeSource is a source whose events and faults the test makes.
type fakeSource struct {
	events chan fsnotify.Event
	errors chan error
	refuse func(dir string) error

	once sync.Once
}

func newFake(refuse func(dir string) error) *fakeSource {
	return &fakeSource{events: make(chan fsnotify.Event), errors: make(chan error), refuse: refuse}
}

func (f *fakeSource) Add(dir string) error {
	if f.refuse == nil {
		return nil
	}
	return f.refuse(dir)
}
func (f *fakeSource) Remove(string) error { return nil }
func (f *fakeSource) Close() error {
	f.once.Do(func() { close(f.errors); close(f.events) })
	return nil
}

func (f *fakeSource) use(w *Watcher) {
	w.open = func() (source, error) { return source{f.events, f.errors, f}, nil }
}

// first makes the watcher use the fake source for its first session only.
func (f *fakeSource) first(w *Watcher) {
	opened := false
	w.open = func() (source, error) {
		if opened {
			return openFsnotify()
		}
		opened = true
		return source{f.events, f.errors, f}, nil
	}
}

func TestLostEventsLeadToRescan(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{fsnotify.ErrEventOverflow, reasonOverflow},
		{errors.New("read: input/output error"), reasonFailed},
	}
	for _, tt := range tests {
		root := t.TempDir()
		fake := newFake(nil)
		m := follow(t, root, Options{}, fake.first)
		mkdir(t, filepath.Join(root, "unseen"))
		write(t, filepath.Join(root, "unseen", "note.md"), "text") // the fake source says nothing
		fake.errors <- tt.err
		if v := m.settled(); !slices.Equal(v.rescans, []string{tt.want}) {
			t.Errorf("after %v: rescans %q, want %q", tt.err, v.rescans, tt.want)
		}
		// The new session's watches include the folder that was missed.
		write(t, filepath.Join(root, "unseen", "later.md"), "text")
		m.settled()
	}
}

func TestFullQueueIsAnOverflow(t *testing.T) {
	s := newFake(nil)
	q := newQueue(source{s.events, s.errors, s}, queueLimit)
	for range queueLimit + 1 {
		s.events <- fsnotify.Event{Name: "/x", Op: fsnotify.Write}
	}
	s.Close()
	q.done.Wait()
	if events, err := q.take(); len(events) != queueLimit || !errors.Is(err, fsnotify.ErrEventOverflow) {
		t.Errorf("%d events and error %v, want %d and an overflow", len(events), err, queueLimit)
	}
}

func TestLimitsLeadToPolling(t *testing.T) {
	noWatcher := func(err error) func(*Watcher) {
		return func(w *Watcher) { w.open = func() (source, error) { return source{}, err } }
	}
	tests := []struct {
		name  string
		setup func(*Watcher)
		opts  Options
		state string
	}{
		{"no folder more", newFake(func(dir string) error {
			if strings.HasSuffix(dir, "folder") {
				return fmt.Errorf("add: %w", syscall.ENOSPC)
			}
			return nil
		}).use, Options{}, "polling: the system's limit of watched folders"},
		{"no watcher more", noWatcher(syscall.EMFILE), Options{}, "polling: the system's limit of open files"},
		{"none at all", noWatcher(syscall.ENOSYS), Options{}, "polling: folders can't be watched: "},
		{"asked for", func(*Watcher) {}, Options{Polling: "a network file system"}, "polling: a network file system"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			mkdir(t, filepath.Join(root, "folder"))
			note := filepath.Join(root, "folder", "note.md")
			write(t, note, "text")
			tt.opts.Poll = 10 * time.Millisecond
			m := follow(t, root, tt.opts, tt.setup)
			if got := m.watcher.State(); !strings.HasPrefix(got, tt.state) {
				t.Errorf("state %q, want %q", got, tt.state)
			}
			write(t, note, "changed")
			write(t, filepath.Join(root, "new.md"), "text")
			mkdir(t, filepath.Join(root, "more", "deep"))
			write(t, filepath.Join(root, "more", "deep", "note.md"), "text")
			m.settled()
			rename(t, note, filepath.Join(root, "moved.md"))
			if v := m.settled(); len(v.rescans) > 0 {
				t.Errorf("rescans %q", v.rescans)
			}
		})
	}
}

// Polling must see a change that leaves size and time as they were, if it is a
// new file: that is what an atomic save by a careful program looks like.
func TestPollingSeesReplacedFile(t *testing.T) {
	root := t.TempDir()
	note := filepath.Join(root, "note.md")
	then := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	save := func(text string) {
		write(t, note+".tmp", text)
		if err := os.Chtimes(note+".tmp", then, then); err != nil {
			t.Fatal(err)
		}
		rename(t, note+".tmp", note)
	}
	save("one")
	m := follow(t, root, Options{Polling: "test", Poll: 10 * time.Millisecond})
	save("two")
	m.settled()
}

func TestPollingKeepsWhatItCantRead(t *testing.T) {
	p := &polling{seen: map[string]stamp{"a/x.md": {size: 1}, "a/b/y.md": {size: 2}, "ab.md": {size: 3}}}
	seen := map[string]stamp{}
	p.keep(seen, "a")
	if len(seen) != 2 || seen["a/x.md"].size != 1 || seen["a/b/y.md"].size != 2 {
		t.Errorf("kept %v, want the two files below a", seen)
	}
}

func TestRootVanishesAndReturns(t *testing.T) {
	for _, polling := range []string{"", "test"} {
		t.Run("polling "+polling, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "vault")
			mkdir(t, filepath.Join(root, "folder"))
			for i := range 20 {
				write(t, filepath.Join(root, "folder", fmt.Sprintf("note%d.md", i)), "text")
			}
			m := follow(t, root, Options{Polling: polling, Poll: 10 * time.Millisecond}, func(w *Watcher) {
				w.retry, w.check = 10*time.Millisecond, 20*time.Millisecond
			})
			rename(t, root, root+"-away")
			v := m.until("the loss is noticed", func(v view) bool { return slices.Contains(v.rescans, reasonVanished) })
			if got, want := m.watcher.State(), "stopped: "+reasonVanished; got != want {
				t.Errorf("state %q, want %q", got, want)
			}
			if len(v.history) > 0 || len(v.files) != 20 {
				t.Errorf("deletions were reported: %v; %d of 20 files are left", v.history, len(v.files))
			}
			write(t, filepath.Join(root+"-away", "folder", "meanwhile.md"), "text")
			rename(t, root+"-away", root)
			m.until("it is back", func(v view) bool { return slices.Contains(v.rescans, reasonBack) })
			m.settled()
			write(t, filepath.Join(root, "folder", "later.md"), "text")
			m.settled()
		})
	}
}

// Events of files that went with their vault may come before it is clear that all of it did.
func TestRootVanishesWithLateEvents(t *testing.T) {
	root := filepath.Join(t.TempDir(), "vault")
	mkdir(t, root)
	note := filepath.Join(root, "note.md")
	write(t, note, "text")
	fake := newFake(nil)
	m := follow(t, root, Options{}, fake.first, func(w *Watcher) {
		w.retry, w.check = 10*time.Millisecond, time.Hour
	})
	rename(t, root, root+"-away")
	fake.events <- fsnotify.Event{Name: note, Op: fsnotify.Remove}
	v := m.until("the loss is noticed", func(v view) bool { return slices.Contains(v.rescans, reasonVanished) })
	if len(v.history) > 0 {
		t.Errorf("deletions were reported: %v", v.history)
	}
	rename(t, root+"-away", root)
	m.settled()
}

func TestRootReplaced(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "above", "vault")
	mkdir(t, root)
	write(t, filepath.Join(root, "note.md"), "text")
	m := follow(t, root, Options{}, func(w *Watcher) { w.check = 20 * time.Millisecond })
	// No event tells of a change above the root.
	rename(t, filepath.Join(parent, "above"), filepath.Join(parent, "before"))
	mkdir(t, root)
	write(t, filepath.Join(root, "other.md"), "text")
	m.until("the other folder is noticed", func(v view) bool {
		return slices.Contains(v.rescans, reasonReplaced) || slices.Contains(v.rescans, reasonBack)
	})
	m.settled()
	write(t, filepath.Join(root, "later.md"), "text")
	m.settled()
}

// Who asks gets no answer from a folder that isn't the vault any more, though the
// root is looked at seldom while nobody does.
func TestRootReplacedIsSeenByWhoAsks(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "above", "vault")
	mkdir(t, root)
	m := follow(t, root, withCookies(t, root), func(w *Watcher) { w.check = 50 * time.Millisecond })
	m.barrier()
	time.Sleep(60 * time.Millisecond) // not long enough for a look that nobody asks for
	rename(t, filepath.Join(parent, "above"), filepath.Join(parent, "before"))
	mkdir(t, root)
	withCookies(t, root)
	m.barrier()
	if !slices.ContainsFunc(m.now().rescans, func(r string) bool { return r == reasonReplaced || r == reasonBack }) {
		t.Error("the other folder was not noticed")
	}
}

func TestRootMissingAtFirst(t *testing.T) {
	root := filepath.Join(t.TempDir(), "vault")
	time.AfterFunc(50*time.Millisecond, func() { _ = os.Mkdir(root, 0o700) })
	m := follow(t, root, Options{}, func(w *Watcher) { w.retry = 10 * time.Millisecond })
	write(t, filepath.Join(root, "note.md"), "text")
	m.settled()
}

func TestRootIsALink(t *testing.T) {
	for _, polling := range []string{"", "test"} {
		real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(real, link); err != nil {
			t.Fatal(err)
		}
		m := follow(t, link, Options{Polling: polling, Poll: 10 * time.Millisecond})
		write(t, filepath.Join(real, "note.md"), "text")
		m.until("the file is seen", func(v view) bool { return v.files["note.md"] == "text" })
	}
}

func TestPeriodicRescan(t *testing.T) {
	root := t.TempDir()
	m := follow(t, root, Options{Rescan: 40 * time.Millisecond})
	m.until("two rescans", func(v view) bool {
		return len(v.rescans) >= 2 && !slices.ContainsFunc(v.rescans, func(r string) bool { return r != reasonPeriodic })
	})
	write(t, filepath.Join(root, "note.md"), "text")
	m.settled()
}

func TestFolderThatCantBeWatchedIsPassedOver(t *testing.T) {
	root := t.TempDir()
	mkdir(t, filepath.Join(root, "closed"))
	fake := newFake(func(dir string) error {
		if strings.HasSuffix(dir, "closed") {
			return &fs.PathError{Op: "add", Path: dir, Err: syscall.EACCES}
		}
		return nil
	})
	m := follow(t, root, Options{}, fake.use)
	if got := m.watcher.State(); got != "watching" {
		t.Errorf("state %q, want watching: one closed folder must not cost the others their watches", got)
	}
}

func TestRunsOnce(t *testing.T) {
	m := follow(t, t.TempDir(), Options{})
	if err := m.watcher.Run(t.Context(), func(Event) {}); err == nil {
		t.Error("a second Run returned no error")
	}
}

func TestState(t *testing.T) {
	w := New(t.TempDir(), Options{})
	if got := w.State(); !strings.HasPrefix(got, "stopped: ") {
		t.Errorf("state before Run: %q", got)
	}
	m := follow(t, t.TempDir(), Options{})
	if got := m.watcher.State(); got != "watching" {
		t.Errorf("state %q", got)
	}
	m.stop()
	m.stopped <- <-m.stopped
	if got := m.watcher.State(); !strings.HasPrefix(got, "stopped: ") {
		t.Errorf("state after Run: %q", got)
	}
}
