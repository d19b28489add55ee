package sync

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/vault"
)

// What was set up first, and where; all others begin as copies of it.
var firstPair, firstLarger, firstPartial struct {
	once sync.Once
	dir  string
}

// pair are two machines with one remote, both set up.
func pair(t *testing.T) (a, b *machine, remote string) {
	t.Helper()
	firstPair.once.Do(func() { setUpFirstPair(t) })
	top := copyOfAll(t, firstPair.dir, "amber", "birch")
	a, b = machineIn(t, top, "amber"), machineIn(t, top, "birch")
	a.open()
	b.open()
	return a, b, filepath.Join(top, "remote.git")
}

// copyOfAll copies a folder in which machines and clones of some names were set up, and returns the copy.
func copyOfAll(t testing.TB, dir string, names ...string) string {
	t.Helper()
	top := t.TempDir()
	if err := os.CopyFS(top, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range names { // what was there by its path is here now
		for _, p := range []string{filepath.Join(top, name, ".git", "config"), filepath.Join(top, name+"-state", "settings.json")} {
			text, err := os.ReadFile(p)
			if errors.Is(err, fs.ErrNotExist) {
				continue // a clone that isn't synced, or the state of a vault below
			}
			if err == nil {
				err = os.WriteFile(p, []byte(strings.ReplaceAll(string(text), dir, top)), 0o600)
			}
			if err == nil { // what was just written isn't believed to stay
				err = os.Chtimes(p, time.Time{}, time.Now().Add(-time.Hour))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return top
}

// machineIn is a machine that lies in a folder and isn't open.
func machineIn(t testing.TB, top, name string) *machine {
	return &machine{t: t, name: name, dir: filepath.Join(top, name), state: filepath.Join(top, name+"-state")}
}

func setUpFirstPair(t *testing.T) {
	t.Helper()
	remote := filepath.Join(firstPair.dir, "remote.git")
	run(t, firstPair.dir, "init", "-q", "--template=", "--bare", remote)
	for _, name := range []string{"amber", "birch"} {
		m := machineIn(t, firstPair.dir, name)
		if _, err := vault.Init(m.dir); err != nil {
			t.Fatal(err)
		}
		if name == "amber" {
			m.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
			m.write("img/pic.bin", "\x00\x01binary")
		}
		v, err := vault.Open(context.Background(), m.dir, vault.Options{Device: m.name, Git: NewWorkTree(m.dir, m.state, nil)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(Options{Vault: v, Dir: m.state}).Setup(context.Background(), Wanted{URL: remote}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
