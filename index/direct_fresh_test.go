package index

import (
	"os"
	"path/filepath"
	"testing"

	"kist/index/pending"
	"kist/index/query"
	"kist/index/rank"
	"kist/vault/vaulttest"
)

// While the index can't take in what is saved, searches find it all the same, and not
// what is gone.
func TestDirectOfFreshSaves(t *testing.T) {
	t.Parallel() // it waits
	f := start(t, small+medley(20))
	vaulttest.Watch(t, f.vault)
	f.wait()
	x := f.index
	<-x.writing // the gate
	name := func(p string) string { return filepath.Join(f.vault.Dir(), p) }
	f.write("notes/new.md", "---\ntags: [boat]\nstatus: done\n---\n# Zeppelin\n\nThe engines of the gondola.\n")
	f.write("notes/bread.md", "# Bread\n\nRye, and no other flour.\n")
	if err := os.Rename(name("memories/tea.md"), name("memories/coffee.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name("projects/houseboat/tasks/survey.md")); err != nil {
		t.Fatal(err)
	}
	queries := append(directQueries(), "rye", "sourdough", "green", "coffee", "survey", "quote", "type:task", "tag:boat engine", `"engines of the gondola"`)
	stale := 0
	held := map[string]*rank.Results{}
	whole := func(f rank.Freshness) bool { return f.Degraded == "" && f.Pending == 0 && f.Direct == 5 }
	for _, q := range queries {
		res := inTime(t, x, q, whole)
		held[q] = res
		if !whole(res.Freshness) {
			t.Errorf("%q: %+v", q, res.Freshness)
		}
		if x.indexOnly(t, q) != res.Total {
			stale++
		}
	}
	x.writing <- struct{}{}
	f.wait()
	for _, q := range queries {
		res := all(t, x, q)
		assertSame(t, q, res, held[q], true)
		if res.Freshness.Direct != 0 {
			t.Errorf("%q: %+v", q, res.Freshness)
		}
	}
	if stale < 5 {
		t.Errorf("the index alone gives %d other answers only: this test can't tell good from bad", stale)
	}
}

// inTime asks until an answer had the time to look at everything, which on a starved
// machine not each has; Freshness tells.
func inTime(t *testing.T, x *Index, q string, whole func(rank.Freshness) bool) (res *rank.Results) {
	t.Helper()
	for range 50 {
		if res = all(t, x, q); whole(res.Freshness) {
			break
		}
	}
	return res
}

// An answer that could not look at everything says how much it lacks.
func TestDirectOutOfTime(t *testing.T) {
	v := vaulttest.New(t, medley(60))
	x := held(t, v, func(string) bool { return false })
	over, degraded := x.direct(t.Context(), pending.Plan{Clauses: []query.Clause{{Text: "engine"}}, Deadline: nowPast()})
	defer over.Close()
	var f rank.Freshness
	receipt(&f, over, degraded)
	if f.Pending != 60 || f.Direct != 0 || f.Degraded == "" {
		t.Errorf("%+v", f)
	}
}
