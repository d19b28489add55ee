package watch

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// markdown is what a vault ignores: everything but Markdown, and dot files.
func markdown(path string, dir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(name, ".") || (!dir && !strings.HasSuffix(name, ".md"))
}

// A mirror does what an index does: it reads what an event names and keeps it.
// If nothing is ever missed it ends up equal to the disk.
type mirror struct {
	t       *testing.T
	root    string
	watcher *Watcher
	stop    context.CancelFunc
	stopped chan error

	mu   sync.Mutex
	view // guarded by mu
}

// A view is what a mirror knows.
type view struct {
	files   map[string]string
	history map[string][]string // every text that was read, "-" for a missing file
	rescans []string
	events  int
}

func (m *mirror) now() view {
	m.mu.Lock()
	defer m.mu.Unlock()
	return view{maps.Clone(m.files), maps.Clone(m.history), slices.Clone(m.rescans), m.events}
}

// follow runs a watcher of root until the test ends and returns when it is ready.
func follow(t *testing.T, root string, opts Options, setup ...func(*Watcher)) *mirror {
	t.Helper()
	if opts.Ignore == nil {
		opts.Ignore = markdown
	}
	m := &mirror{
		t: t, root: root, watcher: New(root, opts), stopped: make(chan error, 1),
		view: view{files: disk(t, root), history: map[string][]string{}},
	}
	for _, f := range setup {
		f(m.watcher)
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	go func() { m.stopped <- m.watcher.Run(ctx, m.take) }()
	t.Cleanup(func() {
		stop()
		if err := <-m.stopped; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	select {
	case <-m.watcher.Ready():
	case <-time.After(5 * time.Second):
		t.Fatal("not ready after 5 s: " + m.watcher.State())
	}
	return m
}

func (m *mirror) take(ev Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events++
	if ev.Rescan != "" {
		m.rescans = append(m.rescans, ev.Rescan)
		if _, err := os.Stat(m.root); err == nil { // unreadable is not deleted
			m.files = disk(m.t, m.root)
		}
		return
	}
	for _, path := range ev.Paths {
		b, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(path)))
		if err != nil {
			m.history[path] = append(m.history[path], "-")
			delete(m.files, path)
			continue
		}
		m.history[path] = append(m.history[path], string(b))
		m.files[path] = string(b)
	}
}

// disk reads all files that are of interest.
func disk(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		switch {
		case err != nil || rel == ".":
			return nil // gone meanwhile
		case markdown(filepath.ToSlash(rel), d.IsDir()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			if b, err := os.ReadFile(file); err == nil {
				files[filepath.ToSlash(rel)] = string(b)
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("walk: %v", err)
	}
	return files
}

// settled waits until the mirror equals the disk.
func (m *mirror) settled() view {
	m.t.Helper()
	want := disk(m.t, m.root)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if v := m.now(); maps.Equal(v.files, want) {
			return v
		}
	}
	m.t.Fatalf("after 5 s the events don't add up to the disk (-disk +seen):\n%s", cmp.Diff(want, m.now().files))
	return view{}
}

// until waits for a condition.
func (m *mirror) until(what string, ok func(view) bool) view {
	m.t.Helper()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if v := m.now(); ok(v) {
			return v
		}
	}
	m.t.Fatalf("not after 5 s: %s (state %q, rescans %q)", what, m.watcher.State(), m.now().rescans)
	return view{}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}
