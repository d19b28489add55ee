/*
Package vaulttest makes vaults for tests: [New] writes a txtar archive into a
temporary folder and opens it, [Tree] reads a folder back, so that a test can
compare what is there with what it expects to the byte.
*/
package vaulttest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"kist/vault"
)

// Now is the time that vaults made by [New] begin at: a Friday.
var Now = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// Clock returns a clock that starts at Now and moves on by a second at each look,
// so that records have an order.
func Clock() func() time.Time {
	ticks := make(chan time.Time, 1)
	ticks <- Now
	return func() time.Time {
		t := <-ticks
		ticks <- t.Add(time.Second)
		return t
	}
}

// Write makes a folder with the files of a txtar archive and returns its path.
func Write(t testing.TB, archive string) string {
	t.Helper()
	dir, written := t.TempDir(), time.Now().Add(-time.Minute)
	for i, f := range txtar.Parse([]byte(archive)).Files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		// The clock of a disk may tick once in several files.
		at := written.Add(time.Duration(i) * time.Millisecond)
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// New writes a vault from a txtar archive and opens it, with a clock that starts
// at [Now] and the device name "test". It is closed when the test ends.
func New(t testing.TB, archive string) *vault.Vault {
	t.Helper()
	return Open(t, Write(t, archive))
}

// Open opens a folder as [New] does.
func Open(t testing.TB, dir string) *vault.Vault {
	t.Helper()
	return OpenWith(t, dir, vault.Options{})
}

// OpenWith is Open with more options.
func OpenWith(t testing.TB, dir string, opts vault.Options) *vault.Vault {
	t.Helper()
	opts.Now, opts.Device = Clock(), "test"
	v, err := vault.Open(context.Background(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Errorf("close vault: %v", err)
		}
		keep(t, dir)
	})
	return v
}

// keepVaults names the variable of the environment with a folder for the vaults of
// tests that passed: a reader of logs in another language verifies them, see .ci/run.
const keepVaults = "KIST_KEEP_VAULTS"

// NotKept says of a test, before it makes its vaults, that what it does to their logs must
// be a fault to other readers.
func NotKept(t *testing.T) { t.Setenv(keepVaults, "") }

// keep copies a vault, but for what belongs to this machine alone.
func keep(t testing.TB, dir string) {
	to := os.Getenv(keepVaults)
	if to == "" || t.Failed() {
		return
	}
	to, err := os.MkdirTemp(to, strings.Map(func(r rune) rune {
		if r < '0' || r > 'z' || strings.ContainsRune(`:;<=>?@[\]^`, r) {
			return '-'
		}
		return r
	}, t.Name())+"-")
	if err != nil {
		t.Fatal(err)
	}
	for p, text := range Tree(t, dir) {
		p = filepath.Join(to, filepath.FromSlash(p))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// Watch runs the vault's watcher until the test ends and returns once it sees
// changes.
func Watch(t testing.TB, v *vault.Vault) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- v.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	for v.Watching() == nil {
		time.Sleep(time.Millisecond)
	}
	select {
	case <-v.Watching():
	case err := <-done:
		done <- err
		t.Fatalf("watch: %v", err)
	}
}

// Tree returns the visible files of a folder with their contents, by path, but for those
// that are too large for documents. Names
// of the folders in except are left out.
func Tree(t testing.TB, dir string, except ...string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if p != dir && errors.Is(err, fs.ErrNotExist) {
			return nil // an emptied folder was removed while its parent was read
		}
		if err != nil || p == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		for _, e := range except {
			if rel == e {
				return fs.SkipDir
			}
		}
		if strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() > vault.MaxDocument {
			return nil
		}
		text, err := os.ReadFile(p)
		tree[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Compared waits until the vault, which is being watched, has compared what it knows
// with the folder: what is saved from here on is recorded.
func Compared(t testing.TB, v *vault.Vault) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !v.Compared(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the vault was not compared within 10 s")
		}
	}
}

// Recorded reports whether the log explains the text of every document: the last
// change of each led to what it holds.
func Recorded(t testing.TB, v *vault.Vault) bool {
	t.Helper()
	ops, err := v.Operations(context.Background(), vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(ops, func(a, b vault.Operation) int { return int(a.Seq - b.Seq) })
	last := map[string]vault.Hash{}
	for _, op := range ops {
		if op.Status != vault.StatusCompleted && op.Status != vault.StatusSuperseded {
			continue
		}
		for _, c := range op.Changes {
			if c.From != "" {
				last[c.From] = ""
			}
			last[c.Path] = c.After
		}
	}
	for p, h := range last {
		text, err := v.Read(p)
		if err != nil {
			text = nil
		}
		if vault.HashOf(text) != h {
			return false
		}
	}
	return true
}

// Savers are the two ways in which editors save a text to the file p.
var Savers = map[string]func(p string, text []byte) error{
	"in place": func(p string, text []byte) error { return os.WriteFile(p, text, 0o666) },
	"rename": func(p string, text []byte) error {
		tmp := p + "~"
		if err := os.WriteFile(tmp, text, 0o666); err != nil {
			return err
		}
		return os.Rename(tmp, p)
	},
}
