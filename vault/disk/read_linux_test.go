package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault/fsys"
)

// TestReadPlain reads what a vault may hold both ways: the short one gives the same
// bytes and stamps, or leaves it to the long one.
func TestReadPlain(t *testing.T) {
	tree := openPlainTree(t)
	cases := []struct {
		path  string
		plain bool
	}{
		{"top.md", true}, {"a/b/c/deep.md", true}, {"empty.md", true}, {"large.md", true},
		{"link.md", false}, {"dir/deep.md", false}, {"out/secret.md", false}, {"out.md", false},
		{"pipe.md", false}, {"a", false}, {"none.md", false},
	}
	for _, c := range cases {
		for _, limit := range []int64{-1, 0, 1, 7, 1 << 20} {
			text, stat, ok := fsys.ReadPlain(tree.plain, c.path, limit)
			if ok != c.plain {
				t.Fatalf("%s: read the short way %v, want %v", c.path, ok, c.plain)
			}
			if !ok {
				continue
			}
			folder := tree.plain
			tree.plain = nil
			want, wantInfo, err := tree.ReadHead(c.path, limit)
			tree.plain = folder
			if err != nil || !bytes.Equal(text, want) {
				t.Fatalf("%s, limit %d: %d bytes, want %d, %v", c.path, limit, len(text), len(want), err)
			}
			if diff := cmp.Diff(wantInfo, InfoWith(c.path, stat)); diff != "" {
				t.Fatal(diff)
			}
		}
	}
	if err := tree.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := fsys.ReadPlain(tree.plain, "top.md", -1); ok {
		t.Fatal("read from a folder that is closed")
	}
}

func openPlainTree(t *testing.T) *Tree {
	t.Helper()
	dir, outside := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "top.md"), "top of it\n")
	write(filepath.Join(dir, "a/b/c/deep.md"), "deep\n")
	write(filepath.Join(dir, "empty.md"), "")
	write(filepath.Join(dir, "large.md"), string(bytes.Repeat([]byte("0123456789"), 200_000)))
	write(filepath.Join(outside, "secret.md"), "secret\n")
	for from, to := range map[string]string{
		"link.md": "top.md", "dir": "a/b/c", "out": outside, "out.md": filepath.Join(outside, "secret.md"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, dir)
	t.Cleanup(func() { tree.Close() })
	return tree
}

func openTree(t testing.TB, dir string) *Tree {
	t.Helper()
	root, err := fsys.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	return New(root, Options{Elsewhere: fsys.Elsewhere})
}

// BenchmarkRead compares both ways, three folders deep.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "projects/one/notes"), 0o755); err != nil {
		b.Fatal(err)
	}
	const p = "projects/one/notes/note.md"
	if err := os.WriteFile(filepath.Join(dir, p), bytes.Repeat([]byte("a line of text\n"), 200), 0o644); err != nil {
		b.Fatal(err)
	}
	tree := openTree(b, dir)
	defer tree.Close()
	folder := tree.plain
	for _, c := range []struct {
		name   string
		folder *os.File
	}{{"short", folder}, {"long", nil}} {
		b.Run(c.name, func(b *testing.B) {
			tree.plain = c.folder
			for b.Loop() {
				if _, _, err := tree.ReadHead(p, -1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	tree.plain = folder
}
