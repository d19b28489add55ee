package vault_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// Followers that share walks with others all the time still find what was saved
// before they asked.
func TestListingsHoldWhatMadeThemAsk(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	for i := range 300 {
		name := filepath.Join(v.Dir(), fmt.Sprintf("d%d", i%20), fmt.Sprintf("old%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var followers sync.WaitGroup
	for f := range 3 {
		followers.Go(func() {
			for i := range 40 {
				name := fmt.Sprintf("d%d/new%d-%d.md", i%20, f, i)
				if err := os.WriteFile(filepath.Join(v.Dir(), name), []byte("new"), 0o600); err != nil {
					t.Error(err)
					return
				}
				seq, err := v.Barrier(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				l, err := v.List(t.Context(), seq)
				if err != nil {
					t.Error(err)
					return
				}
				if l.Seq < seq || !slices.ContainsFunc(l.Files, func(i vault.Info) bool { return i.Path == name }) {
					t.Errorf("%s is not in a listing of %d files as of %d; it was saved before %d", name, len(l.Files), l.Seq, seq)
				}
			}
		})
	}
	followers.Wait()
}
