package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kist/index"
	"kist/vault"
)

// BenchmarkSearch is one search of each class, and its floor, on a corpus of
// KIST_FILES documents (else 500). It is what to profile: the same queries as in
// [Run], without another process.
func BenchmarkSearch(b *testing.B) {
	t := corpusTask(b)
	l, classes := openLive(b, t)
	for _, c := range classes {
		b.Run(c.name+"/kist", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := l.index.Search(b.Context(), index.Query{Text: c.queries[i%len(c.queries)].text, Mode: index.Text}); err != nil {
					b.Fatal(err)
				}
			}
		})
		f := l.sections
		if c.name == "phrase" {
			f = l.whole
		}
		b.Run(c.name+"/floor", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := f.search(b.Context(), c.queries[i%len(c.queries)].floor); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// openLive opens a vault and its floors, builds all and draws the queries.
func openLive(b *testing.B, t task) (*live, []class) {
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background()
	s, err := openSession(ctx, t.Vault)
	must(err)
	l := &live{session: s, task: t}
	b.Cleanup(func() { must(l.close()) })
	must(l.index.Wait(ctx, 0))
	var paths []string
	must(l.vault.Walk(ctx, func(i vault.Info) error { paths = append(paths, i.Path); return nil }, nil))
	slices.Sort(paths)
	floors := map[bool]*floor{}
	for _, whole := range []bool{false, true} {
		f, err := openFloor(t.Floor, whole)
		must(err)
		b.Cleanup(func() { must(f.close()) })
		_, err = f.build(ctx, t.Vault, paths)
		must(err)
		floors[whole] = f
	}
	l.sections, l.whole = floors[false], floors[true]
	var texts []string
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(t.Vault, p))
		must(err)
		texts = append(texts, strings.ToLower(string(text)))
	}
	d := newDrawer(t.Seed, texts, l.whole.analyzer)
	return l, d.classes(t.Tries)
}

// corpusTask has a vault of KIST_FILES documents, or of 500.
func corpusTask(b *testing.B) task {
	t := task{Vault: filepath.Join(b.TempDir(), "vault"), Floor: b.TempDir(), Seed: 1, Tries: 100}
	files, err := strconv.Atoi(os.Getenv("KIST_FILES"))
	if err != nil {
		files = 500
	}
	if err := NewCorpus(files, 1).Write(t.Vault); err != nil {
		b.Fatal(err)
	}
	return t
}

// BenchmarkWarm is a start with an index of everything, to the first answer.
func BenchmarkWarm(b *testing.B) {
	t := corpusTask(b)
	for i := range 2 {
		if _, err := t.cold(b.Context(), t); err != nil {
			b.Fatal(err)
		}
		if i == 0 {
			time.Sleep(racyPause)
		}
	}
	var took time.Duration
	for b.Loop() {
		r, err := t.warm(b.Context(), t)
		if err != nil {
			b.Fatal(err)
		}
		took += r.Took
	}
	b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), "ms/answer")
}

// BenchmarkCold is a start without an index, until all text is searchable, with
// whatever else the vault does at its first start.
func BenchmarkCold(b *testing.B) {
	t := corpusTask(b)
	for b.Loop() {
		b.StopTimer()
		if err := os.RemoveAll(filepath.Join(t.Vault, vault.StateDir)); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := t.cold(b.Context(), t); err != nil {
			b.Fatal(err)
		}
	}
}
