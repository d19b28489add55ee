package names_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/names"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

// whole is a view in which nothing that was saved may be missing: it is asked for again where a
// busy machine's watcher needs longer than a question waits.
func whole(t *testing.T, c *names.Catalog, buffers ...names.Buffer) *names.View {
	t.Helper()
	view, err := c.View(t.Context(), buffers)
	for range 200 {
		if err != nil || view.Degraded == "" {
			break
		}
		view.Close()
		view, err = c.View(t.Context(), buffers)
	}
	if err != nil {
		t.Fatal(err)
	}
	if view.Degraded != "" {
		t.Fatal(view.Degraded)
	}
	return view
}

// What any program saved before a question is in its answer, also what it deleted or moved.
func TestFollows(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "---\nid: 1\naliases: [First]\n---\n[[b]] #Tag\n")
	v, err := vault.Open(t.Context(), dir, vault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- v.Run(ctx) }()
	defer func() {
		cancel()
		<-done
		v.Close()
	}()
	for v.Watching() == nil {
		time.Sleep(time.Millisecond)
	}
	<-v.Watching()
	c := names.Of(v)
	look := func(buffers ...names.Buffer) *names.View {
		t.Helper()
		return whole(t, c, buffers...)
	}
	view := look()
	if got := view.Called("first"); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("called: %v", got)
	}
	view.Close()
	for i := range 50 {
		write("b.md", "---\nid: 1\n---\n# Two\n[[a]]\n")
		view := look()
		if !slices.Equal(view.Files("b"), []string{"b.md"}) || !slices.Equal(view.Linking("a"), []string{"b.md"}) || len(view.WithID("1")) != 2 {
			t.Fatalf("round %d: what was saved isn't there", i)
		}
		view.Close()
		if err := os.Rename(filepath.Join(dir, "b.md"), filepath.Join(dir, "c.md")); err != nil {
			t.Fatal(err)
		}
		view = look()
		if view.Entry("b.md") != nil || view.Entry("c.md") == nil || len(view.Called("two")) != 1 {
			t.Fatalf("round %d: what was moved is where it was", i)
		}
		view.Close()
		if err := os.Remove(filepath.Join(dir, "c.md")); err != nil {
			t.Fatal(err)
		}
	}
	view = look(names.Buffer{Path: "a.md", Text: []byte("#other")})
	if tags := view.Tags(); len(tags) != 1 || tags[0].Name != "other" || view.Entry("c.md") != nil || len(view.Called("first")) != 0 {
		t.Errorf("the buffer doesn't count: %v", tags)
	}
	view.Close()
}
