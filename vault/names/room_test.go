package names_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kist/vault/names"
	"kist/vault/vaulttest"
)

// What is known of a document goes with it, the words that it alone had too.
func TestLetsGo(t *testing.T) {
	v := vaulttest.New(t, "-- stays.md --\n---\ntype: note\n---\n[[other]] #tag\n")
	vaulttest.Watch(t, v)
	c := names.Of(v)
	size := func() (entries, words, room int) {
		whole(t, c).Close()
		return c.Room()
	}
	_, before, _ := size()
	const files = 1200
	name := func(i int) string { return filepath.Join(v.Dir(), fmt.Sprintf("%d.md", i)) }
	for i := range files {
		if err := os.WriteFile(name(i), fmt.Appendf(nil, "[[to %d]] #tag-%d\n", i, i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n, words, _ := size(); n != files+1 || words < 2*files {
		t.Fatalf("%d entries, %d words", n, words)
	}
	for i := range files {
		if err := os.Remove(name(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n, words, room := size(); n != 1 || words != before || room != 1 {
		t.Errorf("%d entries, %d words (%d before), room for %d", n, words, before, room)
	}
}

// A question that is given up while documents are read leaves them for the next one.
func TestGivenUp(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n# One\n-- b.md --\n[[a]]\n")
	vaulttest.Watch(t, v)
	c := names.Of(v)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.View(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Forgo()
	view, err := c.View(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	if view.Entry("a.md") == nil || len(view.Linking("a")) != 1 {
		t.Error("documents are missing")
	}
}
