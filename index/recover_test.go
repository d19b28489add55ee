package index

import (
	"bytes"
	"errors"
	"kist/index/manifest"
	"kist/index/store"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

func touch(t testing.TB, dir, path, day string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err == nil {
		err = os.Chtimes(filepath.Join(dir, path), at, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// counter counts the files read through it.
type counter struct {
	*vault.Vault
	mu    sync.Mutex // files are read ahead
	reads []string
}

func (c *counter) ReadHead(path string, limit int64) ([]byte, vault.Info, error) {
	c.mu.Lock()
	c.reads = append(c.reads, path)
	c.mu.Unlock()
	return c.Vault.ReadHead(path, limit)
}

// session opens the index, catches up, calls fn and closes it. It returns the
// files that had to be read for that.
func session(t *testing.T, v *vault.Vault, fn func(f *fixture)) []string {
	t.Helper()
	x, err := Open(v, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{Vault: v}
	x.files.Source = c
	f := &fixture{T: t, vault: v, index: x}
	stop := f.follow()
	stop()
	reads := c.reads
	if fn != nil {
		fn(f)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return reads
}

// old gives all files a time long ago, so that none is racy.
func old(t *testing.T, v *vault.Vault) {
	t.Helper()
	for p := range vaulttest.Tree(t, v.Dir()) {
		touch(t, v.Dir(), p, "2020-01-01")
	}
	time.Sleep(2 * manifest.TickWindow) // setting a time changes another one
}

func TestRestart(t *testing.T) {
	v := vaulttest.New(t, small)
	old(t, v)
	if got := session(t, v, nil); len(got) != 4 {
		t.Errorf("first start read %q", got)
	}
	if got := session(t, v, nil); len(got) != 0 {
		t.Errorf("second start read %q", got)
	}
	writeFile(t, filepath.Join(v.Dir(), "notes/new.md"), "zeppelin")
	writeFile(t, filepath.Join(v.Dir(), "notes/bread.md"), "gondola")
	touch(t, v.Dir(), "projects/houseboat/project.md", "2021-01-01")
	os.Remove(filepath.Join(v.Dir(), "memories/tea.md"))
	session(t, v, func(f *fixture) {
		f.finds("zeppelin", "notes/new.md")
		f.finds("gondola", "notes/bread.md")
		f.finds("sourdough")
		f.finds("tea")
		f.finds("mooring", "projects/houseboat/project.md")
		if s := f.index.Status(); s.Documents != 4 || s.Notice != "" || s.State != Ready {
			t.Errorf("status %+v", s)
		}
	})
	f := start(t, "") // another vault has another index
	f.finds("zeppelin")
}

// A change that leaves size, time and inode as they were is found if the file was
// read within moments of its modification.
func TestRacyModification(t *testing.T) {
	v := vaulttest.New(t, "-- n.md --\naaaa\n")
	name := filepath.Join(v.Dir(), "n.md")
	session(t, v, nil)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, "bbbb\n")
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	session(t, v, func(f *fixture) { f.finds("bbbb", "n.md"); f.finds("aaaa") })
}

// A crash between bleve's commit and the manifest's save leaves a manifest that
// knows nothing of the last commits.
func TestStaleManifest(t *testing.T) {
	v := vaulttest.New(t, small)
	old(t, v)
	session(t, v, nil)
	manifest := filepath.Join(v.Dir(), ".kist/index/manifest")
	before, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(v.Dir(), "notes/orphan.md"), "zeppelin")
	writeFile(t, filepath.Join(v.Dir(), "notes/bread.md"), "one\n# two\n# three\n")
	os.Remove(filepath.Join(v.Dir(), "memories/tea.md"))
	session(t, v, nil)
	// The crash: the manifest is the old one. While nobody looks, the new file
	// goes and the changed one becomes what it was, down to its time.
	if err := os.WriteFile(manifest, before, 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(v.Dir(), "notes/orphan.md"))
	writeFile(t, filepath.Join(v.Dir(), "notes/bread.md"), "# Bread\n\nSourdough needs time. The engine of it is the starter.\n")
	touch(t, v.Dir(), "notes/bread.md", "2020-01-01")
	reads := session(t, v, func(f *fixture) {
		if s := f.index.Status(); s.Notice != "" || s.Documents != 3 {
			t.Errorf("status %+v", s)
		}
		assertHolds(t, f.index, v)
	})
	if diff := cmp.Diff([]string{"notes/bread.md"}, reads); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

// assertHolds checks that the store has exactly the entries that the files give.
func assertHolds(t *testing.T, x *Index, v *vault.Vault) {
	t.Helper()
	want := map[string]int{}
	if err := v.Walk(t.Context(), func(i vault.Info) error {
		f, err := x.files.Reader().Read(i.Path)
		if err == nil {
			for _, d := range f.LayOut(x.files.Langs.Of(f.Lang)) {
				want[d.ID()]++
			}
		}
		return err
	}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := x.current.store.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := r.DocIDReaderAll()
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	got := map[string]int{}
	for {
		id, err := all.Next()
		if err != nil {
			t.Fatal(err)
		}
		if id == nil {
			break
		}
		name, err := r.ExternalID(id)
		if err != nil {
			t.Fatal(err)
		}
		got[name]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-files +index):\n%s", diff)
	}
	m := x.current.manifest
	entries := 0
	for _, e := range m.Files {
		entries += e.Entries
	}
	if entries != len(want) || m.Entries != entries {
		t.Errorf("manifest counts %d and %d entries, there are %d", m.Entries, entries, len(want))
	}
}

func TestDamage(t *testing.T) {
	storeDir := func(t *testing.T, dir string) string {
		names, err := filepath.Glob(filepath.Join(dir, store.Prefix+"*"))
		if err != nil || len(names) != 1 {
			t.Fatalf("stores %q, %v", names, err)
		}
		return names[0]
	}
	overwrite := func(t *testing.T, name string, change func([]byte) []byte) {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, change(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	segments := func(t *testing.T, dir string, change func([]byte) []byte) {
		names, err := filepath.Glob(filepath.Join(storeDir(t, dir), "*.zap"))
		if err != nil || len(names) == 0 {
			t.Fatalf("segments %q, %v", names, err)
		}
		for _, n := range names {
			overwrite(t, n, change)
		}
	}
	for name, damage := range map[string]func(t *testing.T, dir string){
		"manifest deleted":   func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, manifest.File)) },
		"manifest truncated": func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, manifest.File), 50) },
		"manifest empty":     func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, manifest.File), 0) },
		"manifest flipped": func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, manifest.File), func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		},
		"store deleted":    func(t *testing.T, dir string) { os.RemoveAll(storeDir(t, dir)) },
		"store renamed":    func(t *testing.T, dir string) { os.Rename(storeDir(t, dir), filepath.Join(dir, store.Prefix+"other")) },
		"bolt truncated":   func(t *testing.T, dir string) { os.Truncate(filepath.Join(storeDir(t, dir), "root.bolt"), 100) },
		"bolt garbage":     func(t *testing.T, dir string) { overwrite(t, filepath.Join(storeDir(t, dir), "root.bolt"), zeros) },
		"segment flipped":  func(t *testing.T, dir string) { segments(t, dir, func(b []byte) []byte { b[len(b)/3] ^= 4; return b }) },
		"segment empty":    func(t *testing.T, dir string) { segments(t, dir, func(b []byte) []byte { return nil }) },
		"segment zeros":    func(t *testing.T, dir string) { segments(t, dir, zeros) },
		"segment cut":      func(t *testing.T, dir string) { segments(t, dir, func(b []byte) []byte { return b[:len(b)/2] }) },
		"a file":           func(t *testing.T, dir string) { os.RemoveAll(dir); writeFile(t, dir, "x") },
		"foreign folder":   func(t *testing.T, dir string) { os.RemoveAll(dir); writeFile(t, dir+"/index_meta.json", "{}") },
		"newer store":      func(t *testing.T, dir string) { swapManifest(t, dir) },
		"another's folder": func(t *testing.T, dir string) { copyForeign(t, dir) },
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, small)
			before := vaulttest.Tree(t, v.Dir())
			session(t, v, nil)
			dir := filepath.Join(v.Dir(), ".kist/index")
			for round := range 2 { // the second one replaces what the first set aside
				damage(t, dir)
				session(t, v, func(f *fixture) {
					s := f.index.Status()
					if !strings.Contains(s.Notice, "built anew") || s.State != Ready {
						t.Errorf("status %+v", s)
					}
					f.finds("sourdough", "notes/bread.md")
					assertHolds(t, f.index, v)
				})
				aside, _ := filepath.Glob(dir + ".bad-*")
				if want := dir + ".bad-" + string(rune('1'+round)); len(aside) != 1 || aside[0] != want {
					t.Errorf("set aside %q, want %q", aside, want)
				}
			}
			if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir())); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

func zeros(b []byte) []byte { return bytes.Repeat([]byte{0}, len(b)) }

// swapManifest leaves a manifest that is ahead of its store.
func swapManifest(t *testing.T, dir string) {
	m, err := manifest.Load(dir)
	if err == nil {
		err = m.Save(dir, m.Base+100)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyForeign puts the index of a vault with other files in the place of dir.
func copyForeign(t *testing.T, dir string) {
	v := vaulttest.New(t, "-- x.md --\nx\n-- y.md --\ny\n")
	session(t, v, nil)
	os.RemoveAll(dir)
	if err := os.Rename(filepath.Join(v.Dir(), ".kist/index"), dir); err != nil {
		t.Fatal(err)
	}
}

func TestIndexDeleted(t *testing.T) {
	v := vaulttest.New(t, small)
	session(t, v, nil)
	os.RemoveAll(filepath.Join(v.Dir(), ".kist/index"))
	session(t, v, func(f *fixture) {
		if s := f.index.Status(); s.Notice != "" || s.Documents != 4 {
			t.Errorf("status %+v", s)
		}
	})
}

// A file that was written while nobody looked, with the size and the time that it
// had, is noticed all the same.
func TestSilentChanges(t *testing.T) {
	v := vaulttest.New(t, small)
	old(t, v)
	session(t, v, nil)
	if reads := session(t, v, nil); len(reads) > 0 {
		t.Fatalf("unchanged, but read: %v", reads)
	}
	planted := 0
	for p, text := range vaulttest.Tree(t, v.Dir()) {
		if !strings.HasSuffix(p, ".md") {
			continue
		}
		file := filepath.Join(v.Dir(), p)
		if err := os.WriteFile(file, []byte(strings.Repeat("x", len(text))), 0o666); err != nil {
			t.Fatal(err)
		}
		touch(t, v.Dir(), p, "2020-01-01")
		planted++
	}
	if reads := session(t, v, nil); len(reads) != planted || planted == 0 {
		t.Errorf("%d planted, read %v", planted, reads)
	}
}

// A vault that was moved keeps its index.
func TestMovedVault(t *testing.T) {
	dir := vaulttest.Write(t, small)
	v := vaulttest.Open(t, dir)
	session(t, v, nil)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	moved := t.TempDir() + "/moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	session(t, vaulttest.Open(t, moved), func(f *fixture) {
		if s := f.index.Status(); s.Notice != "" {
			t.Errorf("status %+v", s)
		}
	})
}

// An index that another process has open is left alone.
func TestInUse(t *testing.T) {
	t.Parallel() // it waits
	f := start(t, small)
	if _, err := Open(f.vault, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("second Open: %v", err)
	}
	f.finds("sourdough", "notes/bread.md")
	if aside, _ := filepath.Glob(f.index.dir + ".bad-*"); len(aside) != 0 {
		t.Errorf("set aside %q", aside)
	}
}

// An index that another version of kist made is replaced, and isn't called damaged.
func TestIndexOfAnotherVersion(t *testing.T) {
	v := vaulttest.New(t, small)
	session(t, v, nil)
	dir := filepath.Join(v.Dir(), ".kist/index")
	name := filepath.Join(dir, manifest.File)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text[len(manifest.Name)] = '3'
	writeFile(t, name, string(text))
	session(t, v, func(f *fixture) {
		if s := f.index.Status(); !strings.Contains(s.Notice, "another version") || strings.Contains(s.Notice, "damaged") {
			t.Errorf("notice %q", s.Notice)
		}
		assertEqualsDisk(t, f.index)
	})
	if left, _ := filepath.Glob(dir + ".bad-*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	text[len(manifest.Name)] = 'x'
	writeFile(t, name, string(text))
	session(t, v, func(f *fixture) {
		if s := f.index.Status(); !strings.Contains(s.Notice, "damaged") {
			t.Errorf("notice %q", s.Notice)
		}
	})
}
