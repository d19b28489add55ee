package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// While the consumer stands still, far more happens than is kept in memory. Set
// KIST_STORM=1 for 200,000 files and the real limit.
func TestStorm(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files, limit := 20_000, 5_000
	if os.Getenv("KIST_STORM") != "" {
		files, limit = 200_000, queueLimit
	}
	const each = 1000
	for d := range files / each {
		mkdir(t, filepath.Join(root, fmt.Sprint("d", d))) // a new folder would have no events of its own
	}
	m := follow(t, root, withCookies(t, root), func(w *Watcher) { w.queue = limit })
	m.mu.Lock()
	write(t, filepath.Join(root, "first.md"), "the consumer stands still at this event")
	time.Sleep(20 * time.Millisecond)
	for i := range files {
		dir := filepath.Join(root, fmt.Sprint("d", i/each))
		if i%each == 0 {
			write(t, filepath.Join(dir, "0.md"), "text")
			continue
		}
		// A link is a new file to the watcher, and made in a tenth of the time.
		if err := os.Link(filepath.Join(dir, "0.md"), filepath.Join(dir, fmt.Sprint(i%each, ".md"))); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	m.mu.Unlock()
	m.barrier()
	took := time.Since(began)
	if v := m.now(); len(v.files) != files+1 {
		t.Errorf("%d files known, want %d", len(v.files), files+1)
	}
	if took > 10*time.Second {
		t.Errorf("all was known %v after the consumer went on, want 10 s", took)
	}
	stats := m.watcher.Stats()
	if stats.Overflows == 0 || stats.Reason == "" {
		t.Errorf("stats %+v: no overflow", stats)
	}
	t.Logf("%d files known after %v; %+v", files, took, stats)
}

// The same without a limit in the way: nothing is lost, and no rescan is needed.
func TestNewFoldersInNumbers(t *testing.T) {
	t.Parallel()
	n := rounds(t, "KIST_FOLDERS", 600)
	root := t.TempDir()
	m := follow(t, root, withCookies(t, root))
	manyFolders(t, root, n)
	m.barrier()
	if v := m.now(); len(v.files) != n || len(v.rescans) > 0 {
		t.Errorf("%d files seen, want %d; rescans %q, want none", len(v.files), n, v.rescans)
	}
}
