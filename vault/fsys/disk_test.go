package fsys_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"kist/vault/fsys"
)

// disk is a Disk of an empty folder. Its calls are collected, and the one named fail fails.
func disk(t *testing.T, fail string) (d fsys.Disk, calls *[]string) {
	t.Helper()
	root, err := fsys.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	calls = new([]string)
	return fsys.Disk{Root: root, Fault: func(call string) error {
		*calls = append(*calls, call)
		if call == fail {
			return syscall.EIO
		}
		return nil
	}}, calls
}

func put(t *testing.T, d fsys.Disk, p, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.Root.Name(), p), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, d fsys.Disk, p, want string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(d.Root.Name(), p)); err != nil || string(got) != want {
		t.Errorf("%s holds %q, want %q, %v", p, got, want, err)
	}
}

func TestAppendSynced(t *testing.T) {
	for _, tt := range []struct{ before, fail, want string }{
		{"", "", "new\n"},
		{"old\n", "", "old\nnew\n"},
		{"cut o", "", "cut o\nnew\n"},
		{"old\n", "write half", "old\n"},
		{"old\n", "fsync", "old\n"},
		{"cut o", "write", "cut o"},
		{"old\n", "close", "old\nnew\n"},
	} {
		d, _ := disk(t, tt.fail)
		lost := false
		d.Lost = func(error) { lost = true }
		p := "log.yaml"
		if tt.before == "" {
			p = "a/b/log.yaml"
		} else {
			put(t, d, p, tt.before)
		}
		err := d.AppendSynced(p, []byte("new\n"))
		if (err != nil) != (tt.fail != "" && tt.fail != "close") || lost != (tt.fail == "fsync") {
			t.Errorf("%q, %s fails: %v, told of it: %v", tt.before, tt.fail, err, lost)
		}
		holds(t, d, p, tt.want)
	}
}

func TestCallsAreNamed(t *testing.T) {
	d, calls := disk(t, "")
	err := d.MakeFolders("a/b")
	if err == nil {
		err = d.CreateSynced("a/b/c", []byte("text"), 0o600, nil)
	}
	want := []string{"mkdir", "open folder", "fsync folder", "mkdir", "open folder", "fsync folder", "create", "write half", "write", "fsync", "close"}
	if err != nil || !slices.Equal(*calls, want) {
		t.Errorf("calls %q, %v", *calls, err)
	}
	holds(t, d, "a/b/c", "text")
	for _, call := range want[6:] {
		d, _ := disk(t, call)
		if err := d.CreateSynced("c", nil, 0o600, nil); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// A name is given and taken in one step, or the file system says that it can't.
func TestNames(t *testing.T) {
	d, _ := disk(t, "")
	put(t, d, "a", "A")
	put(t, d, "b", "B")
	dir, err := d.OpenFolder(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	a, b := "B", "A"
	if err := d.Exchange(dir, "a", "b"); errors.Is(err, fsys.ErrNoExchange) {
		a, b = b, a
	} else if err != nil {
		t.Fatal(err)
	}
	holds(t, d, "a", a)
	holds(t, d, "b", b)
	if err := d.RenameNew(dir, dir, "a", "b"); !errors.Is(err, fs.ErrExist) && !errors.Is(err, fsys.ErrNoExchange) {
		t.Errorf("renamed onto a file: %v", err)
	}
	if err := d.Link("a", "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("linked onto a file: %v", err)
	}
	holds(t, d, "b", b)
	if err := d.Rename("a", "b"); err != nil {
		t.Error(err)
	}
	holds(t, d, "b", a)
}

// A text takes the mode of the file that it will replace.
func TestDressAs(t *testing.T) {
	d, _ := disk(t, "")
	put(t, d, "old", "old")
	if err := os.Chmod(filepath.Join(d.Root.Name(), "old"), 0o644); err != nil {
		t.Fatal(err)
	}
	old, err := d.Root.Open("old")
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	fi, err := old.Stat()
	if err == nil {
		err = d.CreateSynced("new", nil, 0o600, fsys.DressAs(old, fi))
	}
	if err != nil {
		t.Fatal(err)
	}
	if now, err := d.Root.Lstat("new"); err != nil || now.Mode() != fi.Mode() {
		t.Errorf("mode %v, want %v, %v", now.Mode(), fi.Mode(), err)
	}
}

func TestStatOf(t *testing.T) {
	d, _ := disk(t, "")
	stat := func() (fs.FileInfo, fsys.Stat) {
		fi, err := d.Root.Lstat("a")
		if err != nil {
			t.Fatal(err)
		}
		return fi, fsys.StatOf(fi)
	}
	put(t, d, "a", "text")
	fi, was := stat()
	if was.Size != 4 || !was.ModTime.Equal(fi.ModTime()) || was.ChangeTime.IsZero() || fsys.Links(fi) != 1 {
		t.Errorf("%+v, %d names", was, fsys.Links(fi))
	}
	put(t, d, "b", "text")
	if err := d.Rename("b", "a"); err != nil {
		t.Fatal(err)
	}
	if _, is := stat(); is.Inode == was.Inode && is.Inode != 0 {
		t.Error("another file has its inode")
	}
	if _, err := d.Root.Lstat("a/b"); !fsys.IsNotDir(err) && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
}
