package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"kist/index/rank"
	"kist/vault"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) {
	var options []goleak.Option
	if os.Getenv("KIST_LIVE_EMBED_URL") != "" { // a client keeps its connections for a minute
		options = append(options, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
	}
	goleak.VerifyTestMain(vaulttest.InMemory(m), options...)
}

// A fixture is a vault with its index.
type fixture struct {
	*testing.T
	vault *vault.Vault
	index *Index
}

// start opens and follows an index of the files of a txtar archive.
func start(t *testing.T, archive string) *fixture {
	t.Helper()
	f := &fixture{T: t, vault: vaulttest.New(t, archive)}
	f.index = open(t, f.vault)
	f.follow()
	return f
}

// today is when searches are made: no test depends on its day, or goes on past it.
func today() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local) }

func open(t testing.TB, v *vault.Vault) *Index {
	t.Helper()
	x, err := Open(v, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x.searches.Now = today
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Errorf("close index: %v", err)
		}
	})
	return x
}

// follow runs the index until the test ends or stop is called, and waits until
// it has caught up.
func (f *fixture) follow() (stop func()) {
	f.Helper()
	stop = run(f.T, f.index)
	f.wait()
	return stop
}

func run(t testing.TB, x *Index) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

func (f *fixture) wait() {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := f.index.Wait(ctx, 0); err != nil {
		f.Fatalf("wait: %v; status %+v", err, f.index.Status())
	}
}

// write saves a file as an editor would and waits until it is indexed.
func (f *fixture) write(path, text string) {
	f.Helper()
	writeFile(f.T, filepath.Join(f.vault.Dir(), path), text)
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) search(text string) *rank.Results {
	f.Helper()
	return ask(f.T, f.index, Query{Text: text})
}

func ask(t testing.TB, x *Index, q Query) *rank.Results {
	t.Helper()
	res, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("search %+v: %v", q, err)
	}
	return res
}

// paths of the hits, best first.
func paths(res *rank.Results) []string {
	var list []string
	for _, h := range res.Hits {
		list = append(list, h.Path)
	}
	return list
}

func (f *fixture) finds(query string, want ...string) {
	f.Helper()
	if diff := cmp.Diff(want, paths(f.search(query))); diff != "" {
		f.Errorf("search %q (-want +got):\n%s", query, diff)
	}
}

const small = `
-- projects/houseboat/project.md --
---
type: project
name: Houseboat
tags: [boat, dream/big]
---
# Houseboat

Live on the water.

## Costs

The mooring costs 300 a month.
Engine overhaul: 4,000.

## Decisions

We chose the diesel engine over the electric one.
-- projects/houseboat/tasks/survey.md --
---
type: task
title: Survey the hull
tags: [boat]
---
Ask the surveyor for a quote.
-- notes/bread.md --
# Bread

Sourdough needs time. The engine of it is the starter.
-- memories/tea.md --
Likes green tea, never black.
`

func TestSearch(t *testing.T) {
	f := start(t, small)
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"sourdough", []string{"notes/bread.md"}},
		{"SOURDOUGH", []string{"notes/bread.md"}},
		{"survey", []string{"projects/houseboat/tasks/survey.md"}},
		{"engines", []string{"notes/bread.md", "projects/houseboat/project.md"}},
		{"engine -diesel", []string{"notes/bread.md"}},
		{"engine -mooring", []string{"notes/bread.md"}}, // in another section of the same document
		{`"diesel engine"`, []string{"projects/houseboat/project.md"}},
		{`"engine diesel"`, nil},
		{`engine -"diesel engine"`, []string{"notes/bread.md"}},
		{`"the engine of it is the"`, []string{"notes/bread.md"}},
		{"sour*", []string{"notes/bread.md"}},
		{"engine project:houseboat", []string{"projects/houseboat/project.md"}},
		{"engine -project:houseboat", []string{"notes/bread.md"}},
		{"type:task", []string{"projects/houseboat/tasks/survey.md"}},
		{"type:memory", []string{"memories/tea.md"}},
		{"tag:boat engine", []string{"projects/houseboat/project.md"}},
		{"tag:#dream", []string{"projects/houseboat/project.md"}},
		{"path:notes/", []string{"notes/bread.md"}},
		{`path:"notes/" type:task`, nil},
		{"overhual", []string{"projects/houseboat/project.md"}}, // misspelt
		{"tea99", nil}, // numbers are no misspellings
		{"!!! ... ---", nil},
		{`sourdough "needs time`, []string{"notes/bread.md"}},
		{`sourdough "needs no time`, nil},
	} {
		f.finds(c.query, c.want...)
	}
}

func TestSearchFields(t *testing.T) {
	f := start(t, small)
	res := ask(t, f.index, Query{Text: "engine", Project: "houseboat", Type: "project", Tags: []string{"boat", "dream"}})
	if len(res.Hits) != 1 || res.Total != 1 {
		t.Fatalf("got %+v", res)
	}
	h := res.Hits[0]
	got := []any{h.Path, h.Line, h.Heading, h.Excerpt, h.Project, h.Title, h.Type}
	want := []any{"projects/houseboat/project.md", 17, "Houseboat > Decisions", "We chose the diesel engine over the electric one.", "houseboat", "Houseboat", "project"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hit (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"engine"}, highlighted(h)); diff != "" {
		t.Errorf("highlights (-want +got):\n%s", diff)
	}
}

func highlighted(h rank.Hit) []string {
	var list []string
	for _, s := range h.Highlights {
		list = append(list, h.Excerpt[s.Start:s.End])
	}
	return list
}

func TestFollow(t *testing.T) {
	f := start(t, small)
	vaulttest.Watch(t, f.vault)
	f.write("notes/new.md", "the zeppelin flies")
	f.eventually("zeppelin", "notes/new.md")
	f.write("notes/new.md", "the gondola swims")
	f.eventually("gondola", "notes/new.md")
	f.finds("zeppelin")
	if err := os.Rename(filepath.Join(f.vault.Dir(), "notes/new.md"), filepath.Join(f.vault.Dir(), "notes/old.md")); err != nil {
		t.Fatal(err)
	}
	f.eventually("gondola", "notes/old.md")
	if err := os.Remove(filepath.Join(f.vault.Dir(), "notes/old.md")); err != nil {
		t.Fatal(err)
	}
	f.eventually("gondola")
}

// eventually waits until a query has exactly these hits.
func (f *fixture) eventually(query string, want ...string) {
	f.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for {
		got := paths(f.search(query))
		if strings.Join(got, "|") == strings.Join(want, "|") {
			return
		}
		if time.Now().After(deadline) {
			f.Fatalf("search %q: got %q, want %q; status %+v", query, got, want, f.index.Status())
		}
		time.Sleep(2 * time.Millisecond)
	}
}
