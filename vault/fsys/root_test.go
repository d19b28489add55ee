package fsys_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault/fsys"
)

// bothWays runs a test with the calls that a system may have and without them.
func bothWays(t *testing.T, test func(t *testing.T, r *fsys.Root)) {
	for _, long := range []bool{false, true} {
		name := "short"
		if long {
			name = "long"
		}
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			for p, text := range map[string]string{"notes/n.md": "n\n", "notes/deep/er/x.md": "x\n", ".obsidian/snip/s.css": "s\n", "top.md": "t\n"} {
				p = filepath.Join(dir, p)
				if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			for link, to := range map[string]string{
				"alias": "notes", "notes/up": "..", "notes/self": ".", "twice": "alias/deep", "link.md": "notes/n.md", "hop.md": "link.md",
				"pub": ".obsidian/snip", "out": outside, "far": "../../..", "gone": "nowhere", "loop": "loop", "a": "b", "b": "a/x",
				"roundabout": "notes/deep/../deep/er",
			} {
				if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
					t.Fatal(err)
				}
			}
			r, err := fsys.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { r.Close() })
			if long {
				r.LongWay()
			}
			test(t, r)
		})
	}
}

func TestResolve(t *testing.T) {
	bothWays(t, func(t *testing.T, r *fsys.Root) {
		for _, c := range []struct{ path, all, parents string }{
			{"notes/n.md", "notes/n.md", "notes/n.md"},
			{"alias/n.md", "notes/n.md", "notes/n.md"},
			{"alias/new.md", "notes/new.md", "notes/new.md"},
			{"alias/none/new.md", "notes/none/new.md", "notes/none/new.md"},
			{"alias", "notes", "alias"},
			{"twice/er/x.md", "notes/deep/er/x.md", "notes/deep/er/x.md"},
			{"roundabout/x.md", "notes/deep/er/x.md", "notes/deep/er/x.md"},
			{"notes/up/notes/self/n.md", "notes/n.md", "notes/n.md"},
			{"link.md", "notes/n.md", "link.md"},
			{"hop.md", "notes/n.md", "hop.md"},
			{"alias/up/link.md", "notes/n.md", "link.md"},
			{"pub/s.css", ".obsidian/snip/s.css", ".obsidian/snip/s.css"},
			{"gone/x.md", "nowhere/x.md", "nowhere/x.md"},
			{"none.md", "none.md", "none.md"},
			{"top.md/x", "top.md/x", "top.md/x"},
			{"out/x.md", "", ""},
			{"far/x.md", "", ""},
			{"loop/x.md", "", ""},
			{"a/x.md", "", ""},
			{"loop", "", "loop"},
		} {
			for last, want := range map[bool]string{true: c.all, false: c.parents} {
				got, err := r.Resolve(c.path, last)
				if want == "" && !errors.Is(err, fsys.ErrEscapes) || want != "" && (got != want || err != nil) {
					t.Errorf("Resolve(%q, %v) = %q, %v; want %q", c.path, last, got, err, want)
				}
			}
		}
	})
}

// No call reaches a file by a path with a link in it, and all reach it by its own.
func TestNoLinkIsFollowed(t *testing.T) {
	bothWays(t, func(t *testing.T, r *fsys.Root) {
		d := fsys.Disk{Root: r}
		calls := map[string]func(p string) error{
			"lstat":   func(p string) error { _, err := r.Lstat(p + "/n.md"); return err },
			"open":    func(p string) error { f, err := r.Open(p + "/n.md"); return closed(f, err) },
			"list":    func(p string) error { _, err := r.ReadDir(p); return err },
			"sub":     func(p string) error { s, err := r.Sub(p); return closed(s, err) },
			"create":  func(p string) error { return d.CreateSynced(p+"/c.md", []byte("c"), 0o600, nil) },
			"append":  func(p string) error { return d.AppendSynced(p+"/c.md", []byte("c")) },
			"mkdir":   func(p string) error { return d.Mkdir(p+"/d", 0o700) },
			"folders": func(p string) error { return d.MakeFolders(p + "/d/e") },
			"rename":  func(p string) error { return d.Rename(p+"/c.md", p+"/e.md") },
			"link":    func(p string) error { return d.Link(p+"/e.md", p+"/d/f.md") },
			"away":    func(p string) error { return d.Rename(p+"/d/f.md", p+"/g.md") },
			"remove":  func(p string) error { return d.Remove(p + "/g.md") },
			"rmdir":   func(p string) error { return d.Rmdir(p + "/d/e") },
		}
		order := []string{"lstat", "open", "list", "sub", "create", "append", "mkdir", "folders", "rename", "link", "away", "remove", "rmdir"}
		for _, p := range []string{"alias", "notes/deep/../../alias", "notes/up/notes", "out"} {
			p = filepath.ToSlash(filepath.Clean(p))
			for _, name := range order {
				if err := calls[name](p); !errors.Is(err, fsys.ErrLink) {
					t.Errorf("%s by %s: %v", name, p, err)
				}
			}
		}
		for _, name := range order {
			if err := calls[name]("notes"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, p := range []string{"link.md", "loop", "gone"} {
			if f, err := r.Open(p); closed(f, err) == nil || !errors.Is(err, fsys.ErrLink) {
				t.Errorf("opened %s: %v", p, err)
			}
			if fi, err := r.Lstat(p); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("lstat %s: %v", p, err)
			}
		}
		if err := d.AppendSynced("gone", []byte("x")); !errors.Is(err, fsys.ErrNotRegular) {
			t.Errorf("appended through a link to nothing: %v", err)
		}
	})
}

func closed(c io.Closer, err error) error {
	if err == nil {
		c.Close()
	}
	return err
}

// A path is as long as it likes to be up to what the system takes.
func TestDeepPaths(t *testing.T) {
	bothWays(t, func(t *testing.T, r *fsys.Root) {
		deep := strings.TrimSuffix(strings.Repeat("d/", 200), "/")
		d := fsys.Disk{Root: r}
		if err := d.MakeFolders(deep); err != nil {
			t.Fatal(err)
		}
		if err := d.CreateSynced(deep+"/x.md", []byte("x"), 0o600, nil); err != nil {
			t.Fatal(err)
		}
		if fi, err := r.Lstat(deep + "/x.md"); err != nil || fi.Size() != 1 {
			t.Errorf("%v", err)
		}
	})
}
