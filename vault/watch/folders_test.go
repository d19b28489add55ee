package watch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// manyFolders makes n folders, some nested, each at once followed by a file in it.
func manyFolders(t *testing.T, root string, n int) {
	t.Helper()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("a%d", i%50), fmt.Sprintf("b%d", i%7), fmt.Sprintf("c%d", i))
		mkdir(t, dir)
		write(t, filepath.Join(dir, "note.md"), "text")
	}
}

func TestNewFolders(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	m := follow(t, root, Options{})
	manyFolders(t, root, 300)
	if v := m.settled(); len(v.files) != 300 || len(v.rescans) > 0 {
		t.Errorf("%d files seen, want 300; rescans %q, want none", len(v.files), v.rescans)
	}
	// The folders are watched, too.
	write(t, filepath.Join(root, "a7", "b0", "c7", "later.md"), "text")
	m.settled()
}

// This shows that TestNewFolders can fail: it does for the obvious watcher, which
// watches a folder when it hears of it but doesn't walk it. It hears of the
// folders only after they are made, so that the outcome doesn't hang on speed.
func TestNewFoldersDefeatANaiveWatcher(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(root); err != nil {
		t.Fatal(err)
	}
	manyFolders(t, root, 300)
	time.AfterFunc(200*time.Millisecond, func() { _ = w.Close() })
	seen := make(map[string]bool)
	for ev := range w.Events {
		if info, err := os.Lstat(ev.Name); err == nil && info.IsDir() {
			_ = w.Add(ev.Name)
		} else if filepath.Ext(ev.Name) == ".md" {
			seen[ev.Name] = true
		}
	}
	if len(seen) == 300 {
		t.Error("the naive watcher saw all files: TestNewFolders proves nothing")
	}
	t.Logf("the naive watcher saw %d of 300 files", len(seen))
}

func TestFolderMovedInAndOut(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(root, "stays"), filepath.Join(outside, "comes", "deep")} {
		mkdir(t, dir)
		write(t, filepath.Join(dir, "note.md"), "text")
	}
	m := follow(t, root, Options{})

	rename(t, filepath.Join(outside, "comes"), filepath.Join(root, "comes"))
	m.settled()
	write(t, filepath.Join(root, "comes", "deep", "note.md"), "changed")
	m.settled()

	rename(t, filepath.Join(root, "comes"), filepath.Join(outside, "went"))
	m.settled()
	write(t, filepath.Join(outside, "went", "deep", "later.md"), "text")
	write(t, filepath.Join(root, "stays", "later.md"), "text")
	if _, ok := m.settled().history["comes/deep/later.md"]; ok {
		t.Error("a folder that was moved out is still watched")
	}
}

// A watch stays with a folder when it moves and keeps its old name, so folders
// that move within the vault, and those below them, must get a new one.
func TestFolderMovedWithin(t *testing.T) {
	tests := []struct {
		name string
		move func(t *testing.T, root string) (now string)
	}{
		{"into a known folder", func(t *testing.T, root string) string {
			rename(t, filepath.Join(root, "a", "b"), filepath.Join(root, "known", "b"))
			return "known/b"
		}},
		{"into a folder made at that moment", func(t *testing.T, root string) string {
			mkdir(t, filepath.Join(root, "new"))
			rename(t, filepath.Join(root, "a", "b"), filepath.Join(root, "new", "b"))
			return "new/b"
		}},
		{"and another takes its place", func(t *testing.T, root string) string {
			rename(t, filepath.Join(root, "a", "b"), filepath.Join(root, "known", "b"))
			mkdir(t, filepath.Join(root, "a", "b", "deep"))
			write(t, filepath.Join(root, "a", "b", "deep", "fresh.md"), "text")
			return "known/b"
		}},
		{"there and back", func(t *testing.T, root string) string {
			rename(t, filepath.Join(root, "a", "b"), filepath.Join(root, "known", "b"))
			rename(t, filepath.Join(root, "known", "b"), filepath.Join(root, "a", "b"))
			return "a/b"
		}},
		{"over an empty one", func(t *testing.T, root string) string {
			mkdir(t, filepath.Join(root, "known", "empty"))
			// os.Rename refuses what mv -T and git do.
			if err := syscall.Rename(filepath.Join(root, "a", "b"), filepath.Join(root, "known", "empty")); err != nil {
				t.Fatal(err)
			}
			return "known/empty"
		}},
	}
	for _, tt := range tests {
		for _, pause := range []time.Duration{0, 3 * time.Millisecond} {
			t.Run(fmt.Sprintf("%s/%v", tt.name, pause), func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				mkdir(t, filepath.Join(root, "known"))
				mkdir(t, filepath.Join(root, "a", "b", "deep"))
				write(t, filepath.Join(root, "a", "b", "deep", "note.md"), "text")
				m := follow(t, root, Options{})
				now := filepath.FromSlash(tt.move(t, root))
				time.Sleep(pause)
				m.settled()
				time.Sleep(60 * time.Millisecond) // all rescans are over: from here on it is the watches
				before := len(m.now().rescans)
				for _, dir := range []string{now, filepath.Join(now, "deep")} {
					write(t, filepath.Join(root, dir, "later.md"), "text")
				}
				if v := m.settled(); len(v.rescans) > before {
					t.Errorf("rescans %q for two files", v.rescans[before:])
				}
			})
		}
	}
}

func TestFolderAndFileChangePlaces(t *testing.T) {
	root := t.TempDir()
	thing := filepath.Join(root, "thing.md")
	write(t, thing, "text")
	m := follow(t, root, Options{})
	remove(t, thing)
	mkdir(t, thing)
	write(t, filepath.Join(thing, "note.md"), "text")
	m.settled()
	if err := os.RemoveAll(thing); err != nil {
		t.Fatal(err)
	}
	write(t, thing, "a file again")
	m.settled()
}

// Folders are made, filled, moved and removed as fast as possible; whatever order
// the events arrive in, the outcome is known.
func TestFoldersInTurmoil(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	m := follow(t, root, Options{})
	for i := range 150 {
		dir := filepath.Join(root, fmt.Sprintf("d%d", i%10))
		mkdir(t, filepath.Join(dir, "deep", "deeper"))
		write(t, filepath.Join(dir, "deep", "deeper", "note.md"), fmt.Sprint("text ", i))
		switch i % 3 {
		case 0:
			rename(t, dir, filepath.Join(root, fmt.Sprintf("moved%d", i)))
		case 1:
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.settled()
	time.Sleep(60 * time.Millisecond)
	// All folders that are left are watched under the name they have now.
	var dirs []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		write(t, filepath.Join(dir, "later.md"), "text")
	}
	m.settled()
}
