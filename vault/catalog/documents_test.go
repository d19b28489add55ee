package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/vaulttest"
)

// pathsOf lists all by path.
func pathsOf(t *testing.T, v *vault.Vault) (paths []string) {
	t.Helper()
	list, err := catalog.Documents(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		paths = append(paths, d.Path)
	}
	return paths
}

// A list of documents is as of the call, be the vault watched or not, and has nothing that is hidden.
func TestDocuments(t *testing.T) {
	for _, watched := range []bool{false, true} {
		v := vaulttest.New(t, "-- b.md --\nB\n-- a/c.md --\nC\n-- x.txt --\nno\n")
		if watched {
			vaulttest.Watch(t, v)
		}
		if got := pathsOf(t, v); !slices.Equal(got, []string{"a/c.md", "b.md"}) {
			t.Errorf("watched %v: %v", watched, got)
		}
		if err := os.WriteFile(filepath.Join(v.Dir(), "b.md"), []byte("longer"), 0o666); err != nil {
			t.Fatal(err)
		}
		list, err := catalog.Documents(t.Context(), v)
		info, _ := v.Stat("b.md")
		if err != nil || list[1].Size != 6 || !list[1].Modified.Equal(info.ModTime) {
			t.Errorf("watched %v: %+v, %v", watched, list, err)
		}
		if err := os.Rename(filepath.Join(v.Dir(), "a"), filepath.Join(v.Dir(), "d")); err != nil {
			t.Fatal(err)
		}
		if got := pathsOf(t, v); !slices.Equal(got, []string{"b.md", "d/c.md"}) {
			t.Errorf("watched %v, a folder moved: %v", watched, got)
		}
		hidden := v.Without(func(p string) bool { return strings.HasPrefix(p, "d") })
		if got := pathsOf(t, hidden); !slices.Equal(got, []string{"b.md"}) {
			t.Errorf("hidden: %v", got)
		}
	}
}

// What is remembered goes with the documents, and so does its room; news that nobody asks
// for is bounded by them too.
func TestLetsGo(t *testing.T) {
	const files = 1200
	v := vaulttest.New(t, "-- stays.md --\n- [ ] one\n")
	name := func(i int) string { return filepath.Join(v.Dir(), fmt.Sprintf("%d.md", i)) }
	catalog.News(v)
	for i := range files {
		if err := os.WriteFile(name(i), []byte("- [ ] x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(pathsOf(t, v)); n != files+1 {
		t.Fatalf("%d documents", n)
	}
	for i := range files {
		if err := os.Remove(name(i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := pathsOf(t, v); !slices.Equal(got, []string{"stays.md"}) {
		t.Fatalf("%d documents are left", len(got))
	}
	if n, room, news := catalog.Room(v); n != 1 || room != 1 || news > n+catalog.MaxStale {
		t.Errorf("%d documents, room for %d, %d news", n, room, news)
	}
	if news, all := catalog.News(v); !all || len(news) != 1 {
		t.Errorf("news of %d documents, all of them %v", len(news), all)
	}
	if news, all := catalog.News(v); all || len(news) != 0 {
		t.Errorf("the same news twice: %v", news)
	}
}

// TestFoundByComparing: what nobody heard of gets a number when all documents are looked at, so
// that who follows the vault learns of it.
func TestFoundByComparing(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n-- b.md --\nb\n")
	if _, err := catalog.Documents(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // files are old enough to be told apart by their times
	if _, err := catalog.Documents(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	before := v.Seq()
	if _, err := catalog.Documents(t.Context(), v); err != nil || v.Seq() != before {
		t.Errorf("nothing changed: %d numbers, %v", v.Seq()-before, err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(v.Dir(), "b.md"), []byte("bb\n"), 0o666), os.Remove(filepath.Join(v.Dir(), "a.md"))); err != nil {
		t.Fatal(err)
	}
	if _, err := catalog.Documents(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	var paths []string
	changed, _ := v.ChangedSince(before)
	for _, c := range changed {
		paths = append(paths, c.Path)
	}
	if slices.Sort(paths); !slices.Equal(paths, []string{"a.md", "b.md"}) {
		t.Errorf("numbered: %q", paths)
	}
}
