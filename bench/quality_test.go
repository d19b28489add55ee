package bench

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

const small = `
-- docs/a.md --
---
title: "Boats"
---
The hull of a boat is painted in spring.
-- docs/b.md --
A boat boat boat.
-- docs/c.md --
Nothing of the kind.
-- queries.tsv --
q1	how is a hull painted?
q2	nothing relevant
-- qrels.tsv --
q1	a	2
q1	b	0
`

func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns all names below a folder with sizes and times.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all[p] = info.ModTime().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestQuality(t *testing.T) {
	dir := unpack(t, small)
	t.Setenv("TMPDIR", t.TempDir())
	before := tree(t, dir)
	r, err := Quality(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Documents != 3 || r.Queries != 1 || len(r.Modes) != len(Modes()) {
		t.Errorf("report %+v", r)
	}
	for _, m := range r.Modes {
		if m.NDCG10 != 1 || m.MAP != 1 || m.Recall20 != 1 {
			t.Errorf("%s: %+v", m.Mode, m.Scores)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the collection was written to:\n%s", diff)
	}
	if left := tree(t, os.Getenv("TMPDIR")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestQualityRefuses(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"no queries", "-- queries.tsv --", "-- other --", "queries.tsv"},
		{"columns", "q1\ta\t2", "q1 a 2", "qrels.tsv:1: 1 columns, want 3"},
		{"grade", "q1\ta\t2", "q1\ta\tgood", "no number"},
		{"nothing relevant", "q1\ta\t2", "q1\ta\t0", "no query has a relevant document"},
		{"unknown document", "q1\ta\t2", "q1\tz\t2", "no document z.md"},
		{"two of one name", "-- docs/c.md --", "-- docs/more/a.md --", "two documents are called a.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Quality(t.Context(), unpack(t, strings.Replace(small, tt.old, tt.new, 1)), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestGrepLike(t *testing.T) {
	c := &collection{}
	for _, d := range []struct{ id, text string }{{"a", "one two"}, {"b", "One, TWO, three!"}, {"c", "none"}, {"d", "two one"}} {
		c.docs = append(c.docs, collected{d.id, wordSet(d.text)})
	}
	got, err := grepLike(context.Background(), c, "one two three one")
	if want := []string{"b", "a", "d"}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("ranking %q, %v, want %q", got, err, want)
	}
}

func TestPlainQuery(t *testing.T) {
	if got, want := plainQuery(`"The" -use of type:task and wor* x-y --z`), "The use of type task and wor x-y z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCopyIsNeverInTheFolder(t *testing.T) {
	dir := unpack(t, small)
	t.Setenv("TMPDIR", filepath.Join(dir, "docs"))
	before := tree(t, dir)
	_, err := Quality(t.Context(), dir, nil)
	if err == nil || !strings.Contains(err.Error(), "must not be written to") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("it was written to all the same:\n%s", diff)
	}
}
