package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// withCookies are the options of a vault whose folder for state is there.
func withCookies(t testing.TB, root string) Options {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(root, ".kist"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Options{Cookies: ".kist/watch", Ignore: markdown}
}

func (m *mirror) barrier() {
	m.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if err := m.watcher.Barrier(ctx); err != nil {
		m.t.Fatalf("Barrier: %v (state %q)", err, m.watcher.State())
	}
}

// rounds is n, or what the environment says for a long run.
func rounds(t *testing.T, key string, n int) int {
	t.Helper()
	if s := os.Getenv(key); s != "" {
		long, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		return long
	}
	return n
}

// A change by hand is known after a barrier, each time, whatever it is. Set
// KIST_BARRIERS to 10000 for the long form.
func TestBarrier(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	m := follow(t, root, withCookies(t, root))
	n := rounds(t, "KIST_BARRIERS", 2000)
	stale, slow := 0, time.Duration(0)
	for i := range n {
		path := fmt.Sprintf("note%d.md", i%7)
		file, want := filepath.Join(root, path), fmt.Sprint("text ", i)
		switch i % 10 {
		case 3: // a new folder, whose watch comes later than the file
			path = fmt.Sprintf("folder%d/deep/deeper/note.md", i)
			file = filepath.Join(root, filepath.FromSlash(path))
			mkdir(t, filepath.Dir(file))
			write(t, file, want)
		case 5:
			write(t, file+".tmp", want)
			rename(t, file+".tmp", file)
		default:
			write(t, file, want)
		}
		began := time.Now()
		m.barrier()
		slow = max(slow, time.Since(began))
		if got := m.now1(path); got != want {
			stale++
			t.Logf("round %d: %s is %q after the barrier, want %q", i, path, got, want)
		}
	}
	if stale > 0 {
		t.Errorf("stale after %d of %d barriers", stale, n)
	}
	t.Logf("%d barriers, the slowest took %v", n, slow)
	if left, _ := filepath.Glob(filepath.Join(root, ".kist", "watch", "*")); len(left) > 1 {
		t.Errorf("cookies are left: %v", left)
	}
}

// now1 is what the mirror knows of one file.
func (m *mirror) now1(path string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[path]
}

// This shows that TestBarrier can fail: who doesn't wait reads old text.
func TestWithoutBarrierReadsAreStale(t *testing.T) {
	root := t.TempDir()
	m := follow(t, root, withCookies(t, root))
	stale := 0
	for i := range 200 {
		want := fmt.Sprint("text ", i)
		write(t, filepath.Join(root, "note.md"), want)
		if m.now1("note.md") != want {
			stale++
		}
	}
	if stale == 0 {
		t.Error("no read was stale: TestBarrier proves nothing")
	}
	t.Logf("%d of 200 reads were stale", stale)
}

func TestBarrierAfterRemoval(t *testing.T) {
	t.Parallel()
	for _, polling := range []string{"", "test"} {
		root := t.TempDir()
		for i := range 20 {
			write(t, filepath.Join(root, fmt.Sprintf("note%d.md", i)), "text")
		}
		mkdir(t, filepath.Join(root, "folder"))
		write(t, filepath.Join(root, "folder", "note.md"), "text")
		opts := withCookies(t, root)
		opts.Polling, opts.Poll = polling, time.Hour
		m := follow(t, root, opts)
		for i := range 20 {
			remove(t, filepath.Join(root, fmt.Sprintf("note%d.md", i)))
		}
		m.barrier()
		if got := m.now().files; len(got) != 1 {
			t.Errorf("polling %q: after the barrier %d files, want 1", polling, len(got))
		}
		rename(t, filepath.Join(root, "folder"), filepath.Join(root, "moved"))
		write(t, filepath.Join(root, "empty.md"), "")
		m.barrier()
		if got := m.now().files; got["moved/note.md"] != "text" || len(got) != 2 {
			t.Errorf("polling %q: after the barrier %v", polling, got)
		}
	}
}

func TestBarrierWhilePolling(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	opts.Polling, opts.Poll = "test", time.Hour
	m := follow(t, root, opts)
	for i := range 50 {
		want := "text " + strings.Repeat("x", i)
		write(t, filepath.Join(root, "note.md"), want)
		m.barrier()
		if got := m.now1("note.md"); got != want {
			t.Fatalf("%q after the barrier, want %q", got, want)
		}
	}
}

func TestBarriersShareCookies(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	m := follow(t, root, opts)
	var made atomic.Int64
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(filepath.Join(root, ".kist", "watch")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ev := range w.Events {
			if ev.Has(fsnotify.Create) {
				made.Add(1)
			}
		}
	}()
	var wg sync.WaitGroup
	m.mu.Lock() // the mirror can't take the next event, so that all wait
	write(t, filepath.Join(root, "note.md"), "text")
	time.Sleep(20 * time.Millisecond)
	for range 100 {
		wg.Go(m.barrier)
	}
	time.Sleep(50 * time.Millisecond)
	m.mu.Unlock()
	wg.Wait()
	time.Sleep(20 * time.Millisecond)
	_ = w.Close()
	<-done
	if n := made.Load(); n < 1 || n > 5 {
		t.Errorf("%d cookies for 100 calls at once, want a few", n)
	}
}

func TestBarrierErrors(t *testing.T) {
	root := t.TempDir()
	if err := New(root, Options{}).Barrier(t.Context()); !errors.Is(err, ErrNoBarrier) {
		t.Errorf("without a folder: %v, want ErrNoBarrier", err)
	}
	opts := withCookies(t, root)
	if err := New(root, opts).Barrier(t.Context()); !errors.Is(err, ErrStopped) {
		t.Errorf("before Run: %v, want ErrStopped", err)
	}
	m := follow(t, root, opts)
	m.barrier()

	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := m.watcher.Barrier(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is over: %v", err)
	}

	waiting := make(chan error, 1)
	m.mu.Lock() // Run is kept from going on
	write(t, filepath.Join(root, "note.md"), "text")
	time.Sleep(10 * time.Millisecond)
	go func() { waiting <- m.watcher.Barrier(t.Context()) }()
	time.Sleep(10 * time.Millisecond)
	m.stop()
	m.mu.Unlock()
	if err := <-waiting; err != nil && !errors.Is(err, ErrStopped) {
		t.Errorf("while it stops: %v, want ErrStopped", err)
	}
	m.stopped <- <-m.stopped
	if err := m.watcher.Barrier(t.Context()); !errors.Is(err, ErrStopped) {
		t.Errorf("after Run: %v, want ErrStopped", err)
	}
}

func TestBarrierWithoutAFolderAbove(t *testing.T) {
	root := t.TempDir()
	m := follow(t, root, Options{Cookies: ".kist/watch"})
	if err := m.watcher.Barrier(t.Context()); !errors.Is(err, ErrNoBarrier) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want ErrNoBarrier and the cause", err)
	}
	if _, err := os.Stat(filepath.Join(root, ".kist")); err == nil {
		t.Error("the watcher made a folder that may belong to another disk")
	}
	write(t, filepath.Join(root, "note.md"), "text")
	m.settled() // all else works
	mkdir(t, filepath.Join(root, ".kist"))
	m.barrier()
	if v := m.now(); len(v.rescans) > 0 {
		t.Errorf("rescans %q", v.rescans)
	}
}

func TestCookiesLeadNowhere(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	mkdir(t, filepath.Join(root, ".kist"))
	if err := os.Symlink(outside, filepath.Join(root, ".kist", "watch")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(outside, "cookie-mine"), "somebody's")
	m := follow(t, root, Options{Cookies: ".kist/watch"})
	if err := m.watcher.Barrier(t.Context()); !errors.Is(err, ErrNoBarrier) {
		t.Errorf("a link out of the vault: %v, want ErrNoBarrier", err)
	}
	if names, _ := filepath.Glob(filepath.Join(outside, "*")); len(names) != 1 {
		t.Errorf("outside: %v", names)
	}
}

func TestCookiesAreSweptAndMadeAgain(t *testing.T) {
	root := t.TempDir()
	opts := withCookies(t, root)
	dir := filepath.Join(root, ".kist", "watch")
	mkdir(t, dir)
	write(t, filepath.Join(dir, "cookie-OLD-7"), "")
	write(t, filepath.Join(dir, "other"), "")
	m := follow(t, root, opts)
	m.barrier()
	if _, err := os.Stat(filepath.Join(dir, "cookie-OLD-7")); err == nil {
		t.Error("a cookie that a crash left is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); err != nil {
		t.Errorf("another file: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "note.md"), "text")
	m.barrier()
	if got := m.now1("note.md"); got != "text" {
		t.Errorf("%q after the barrier", got)
	}
	m.until("the session began anew", func(v view) bool { return slices.Contains(v.rescans, reasonFailed) })
	m.barrier()
}

// A barrier that waits while events are lost is answered by the rescan.
func TestBarrierAndLostEvents(t *testing.T) {
	root := t.TempDir()
	fake := newFake(nil)
	m := follow(t, root, withCookies(t, root), fake.first)
	write(t, filepath.Join(root, "note.md"), "text") // the fake source says nothing
	time.AfterFunc(20*time.Millisecond, func() { fake.errors <- fsnotify.ErrEventOverflow })
	m.barrier()
	if got := m.now1("note.md"); got != "text" {
		t.Errorf("%q after the barrier", got)
	}
	got := m.watcher.Stats()
	if got.Overflows != 1 || got.Restarts != 1 || got.Rescans != 1 || got.Reason != reasonOverflow {
		t.Errorf("stats %+v", got)
	}
}

func TestBarrierWhileTheRootIsAway(t *testing.T) {
	root := filepath.Join(t.TempDir(), "vault")
	mkdir(t, root)
	m := follow(t, root, withCookies(t, root), func(w *Watcher) {
		w.retry, w.check = 10*time.Millisecond, 10*time.Millisecond
	})
	rename(t, root, root+"-away")
	m.until("the loss is noticed", func(v view) bool { return slices.Contains(v.rescans, reasonVanished) })
	if err := m.watcher.Barrier(t.Context()); !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), reasonVanished) {
		t.Errorf("%v, want ErrStopped and why", err)
	}
	rename(t, root+"-away", root)
	m.until("it is back", func(v view) bool { return slices.Contains(v.rescans, reasonBack) })
	write(t, filepath.Join(root, "note.md"), "text")
	m.barrier()
	if got := m.now1("note.md"); got != "text" {
		t.Errorf("%q after the barrier", got)
	}
}

func BenchmarkBarrier(b *testing.B) {
	root := b.TempDir()
	opts := withCookies(b, root)
	w := New(root, opts)
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(b.Context())
	go func() { done <- w.Run(ctx, func(Event) {}) }()
	<-w.Ready()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if err := w.Barrier(ctx); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	stop()
	<-done
}
