package sync

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kist/vault"
)

// firstPair is where the first pair was set up; all others begin as copies of it.
var firstPair struct {
	once sync.Once
	dir  string
}

// pair are two machines with one remote, both set up.
func pair(t *testing.T) (a, b *machine, remote string) {
	t.Helper()
	firstPair.once.Do(func() { setUpFirstPair(t) })
	top := t.TempDir()
	if err := os.CopyFS(top, os.DirFS(firstPair.dir)); err != nil {
		t.Fatal(err)
	}
	// What was there by its path is here now.
	for _, p := range []string{"amber/.git/config", "birch/.git/config", "amber-state/settings.json", "birch-state/settings.json"} {
		p = filepath.Join(top, filepath.FromSlash(p))
		text, err := os.ReadFile(p)
		if err == nil {
			err = os.WriteFile(p, []byte(strings.ReplaceAll(string(text), firstPair.dir, top)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a, b = machineIn(t, top, "amber"), machineIn(t, top, "birch")
	a.open()
	b.open()
	return a, b, filepath.Join(top, "remote.git")
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
