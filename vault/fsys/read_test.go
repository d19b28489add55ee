//go:build linux

package fsys_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kist/vault/fsys"
)

// Only a regular file that no link leads to is read the short way.
func TestReadPlain(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	text := strings.Repeat("0123456789", 2000)
	for _, f := range []string{dir + "/a/b/deep.md", dir + "/top.md", outside + "/secret.md"} {
		if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.md": "top.md", "dir": "a/b", "out": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"top.md", "a/b/deep.md"} {
		fi, err := os.Stat(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		for limit, want := range map[int64]string{-1: text, 0: "", 7: text[:7], 1 << 20: text} {
			got, stat, ok := fsys.ReadPlain(root, p, limit)
			if !ok || string(got) != want || stat != fsys.StatOf(fi) {
				t.Errorf("%s, limit %d: %d bytes, %+v, %v", p, limit, len(got), stat, ok)
			}
		}
	}
	for _, p := range []string{"link.md", "dir/deep.md", "out/secret.md", "../" + filepath.Base(outside), "pipe.md", "a", "none.md"} {
		if _, _, ok := fsys.ReadPlain(root, p, -1); ok {
			t.Errorf("read %s", p)
		}
	}
	root.Close()
	if _, _, ok := fsys.ReadPlain(root, "top.md", -1); ok {
		t.Error("read below a folder that is closed")
	}
}
