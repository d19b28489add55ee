package index

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/mapping"
	bsearch "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/collector"
	"github.com/blevesearch/bleve/v2/search/query"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/analyze"
	"kist/index/intake"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/rank"
	"kist/index/store"
	"kist/vault"
	"kist/vault/vaulttest"
)

// benchVault is the folder named by KIST_BENCH_VAULT, copied, or else 500
// generated files.
func benchVault(b *testing.B) string {
	dir := b.TempDir()
	if from := os.Getenv("KIST_BENCH_VAULT"); from != "" {
		err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".md") {
				return err
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(from, p)
			writeFile(b, filepath.Join(dir, rel), string(text))
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		return dir
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		writeFile(b, filepath.Join(dir, fmt.Sprintf("folder%d/note%d.md", i%20, i)), generated(r))
	}
	return dir
}

// generated is a note of some sections in a language of 5,000 words, of which the
// first ones are the most frequent.
func generated(r *rand.Rand) string {
	var t strings.Builder
	word := func() string { return fmt.Sprintf("word%x", int(5000*r.Float64()*r.Float64()*r.Float64())) }
	fmt.Fprintf(&t, "---\ntags: [%s]\n---\n# %s %s\n", word(), word(), word())
	for range 1 + r.IntN(8) {
		fmt.Fprintf(&t, "\n## %s %s\n\n", word(), word())
		for range 20 + r.IntN(100) {
			t.WriteString(word() + " ")
		}
	}
	return t.String()
}

// build makes an index of everything and returns how long it took.
func build(b *testing.B, v *vault.Vault, dir string) (*Index, time.Duration) {
	began := time.Now()
	x, err := Open(v, Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	stop := run(b, x)
	if err := x.Wait(context.Background(), 0); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	stop()
	return x, took
}

// floor is the time to walk and read the vault and to give bleve the same entries
// in the same batches, one step after the other; making the entries isn't counted.
func floor(b *testing.B, v *vault.Vault, l *analyze.Languages, dir string) (took time.Duration) {
	timed := func(fn func() error) {
		began := time.Now()
		err := fn()
		took += time.Since(began)
		if err != nil {
			b.Fatal(err)
		}
	}
	var infos []vault.Info
	timed(func() error {
		return v.Walk(context.Background(), func(i vault.Info) error { infos = append(infos, i); return nil }, nil)
	})
	s := &store.Store{ID: "floor", Dir: dir}
	timed(s.Open)
	defer s.Close()
	x := &Index{core: &core{files: &intake.Files{Source: v, Vault: v, Langs: l}}}
	batch, bytes := bleve.NewBatch(), 0
	for _, i := range infos {
		timed(func() error { _, err := v.Read(i.Path); return err })
		f, err := x.files.Reader().Read(i.Path)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range f.LayOut(l.Of(f.Lang)) {
			batch.Update(d.Document)
		}
		bytes += len(f.Text)
		if bytes >= intake.BatchBytes || len(batch.IndexOps) >= intake.BatchEntries {
			timed(func() error { return s.Scorch.Batch(batch) })
			batch, bytes = bleve.NewBatch(), 0
		}
	}
	timed(func() error { return s.Scorch.Batch(batch) })
	return took
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(d []time.Duration) time.Duration { return at(d, 50) }

func at(d []time.Duration, percent int) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[(len(d)-1)*percent/100]
}

func BenchmarkColdIndex(b *testing.B) {
	v := vaulttest.Open(b, benchVault(b))
	var took, floors []time.Duration
	for b.Loop() {
		x, d := build(b, v, b.TempDir())
		took = append(took, d)
		b.StopTimer()
		floors = append(floors, floor(b, v, x.files.Langs, b.TempDir()))
		x.Close()
		b.StartTimer()
	}
	b.ReportMetric(ms(median(took)), "ms/index")
	b.ReportMetric(ms(median(floors)), "ms/floor")
	b.ReportMetric(float64(median(took))/float64(median(floors)), "x-floor")
}

func BenchmarkWarmStart(b *testing.B) {
	v := vaulttest.Open(b, benchVault(b))
	dir := b.TempDir()
	x, _ := build(b, v, dir)
	x.Close()
	time.Sleep(manifest.RacyWindow)
	x, _ = build(b, v, dir) // clears the racy marks of files just copied
	x.Close()
	var took, floors []time.Duration
	for b.Loop() {
		x, d := build(b, v, dir)
		took = append(took, d)
		b.StopTimer()
		x.Close()
		began := time.Now()
		m, err := manifest.Load(dir)
		if err == nil {
			err = v.Walk(context.Background(), func(i vault.Info) error {
				if e := m.Files[i.Path]; !e.Same(i) {
					b.Errorf("%s differs", i.Path)
				}
				return nil
			}, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
		floors = append(floors, time.Since(began))
		b.StartTimer()
	}
	b.ReportMetric(ms(median(took)), "ms/start")
	b.ReportMetric(ms(median(floors)), "ms/floor")
	b.ReportMetric(float64(median(took))/float64(median(floors)), "x-floor")
}

func BenchmarkSaveToSearchable(b *testing.B) {
	dir := benchVault(b)
	v := vaulttest.Open(b, dir)
	vaulttest.Watch(b, v)
	x := open(b, v)
	run(b, x)
	ctx := context.Background()
	if err := x.Wait(ctx, 0); err != nil {
		b.Fatal(err)
	}
	var took, floors []time.Duration
	n := 0
	for b.Loop() {
		word := fmt.Sprintf("saved%dword", n)
		n++
		began := time.Now()
		temp := filepath.Join(dir, ".saving") // as most editors save
		writeFile(b, temp, "# Saved\n\n"+word+"\n")
		if err := os.Rename(temp, filepath.Join(dir, fmt.Sprintf("saved%d.md", n%10))); err != nil {
			b.Fatal(err)
		}
		for {
			res, err := x.Search(ctx, Query{Text: word, Limit: 1})
			if err != nil {
				b.Fatal(err)
			}
			if res.Total > 0 {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
		took = append(took, time.Since(began))
		b.StopTimer()
		began = time.Now()
		d := document.NewDocument("floor")
		d.AddField(document.NewTextFieldCustom(page.FieldBody.Name(), nil, []byte(word), bleve.IndexField|bleve.IncludeTermVectors, x.files.Langs.Of(analyze.English)))
		batch := bleve.NewBatch()
		batch.Update(d)
		writeFile(b, filepath.Join(b.TempDir(), "floor"), word)
		if err := x.current.store.Scorch.Batch(batch); err != nil {
			b.Fatal(err)
		}
		floors = append(floors, time.Since(began))
		x.current.store.Scorch.Delete("floor")
		b.StartTimer()
	}
	b.ReportMetric(ms(median(took)), "ms/p50")
	b.ReportMetric(ms(at(took, 99)), "ms/p99")
	b.ReportMetric(ms(median(floors)), "ms/floor")
}

// BenchmarkSaveLong measures, as BenchmarkSaveToSearchable does, a turn appended to a
// conversation of 3,000 (2 MB) and a line typed in the middle of a journal of 500 KB.
func BenchmarkSaveLong(b *testing.B) {
	for _, c := range []struct {
		name            string
		sections, words int
		edit            func(sections []string, word string) []string
	}{
		{"append", 3000, 90, func(s []string, word string) []string { return append(s, "## Turn\n\n"+word+"\n") }},
		{"middle", 700, 95, func(s []string, word string) []string { s[len(s)/2] += "\n" + word + "\n"; return s }},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := benchVault(b)
			r := rand.New(rand.NewPCG(1, 2))
			sections := make([]string, c.sections)
			for i := range sections {
				sections[i] = fmt.Sprintf("## Turn %d\n\n", i)
				for range c.words {
					sections[i] += fmt.Sprintf("word%x ", int(5000*r.Float64()*r.Float64()*r.Float64()))
				}
			}
			save := func() {
				temp := filepath.Join(dir, ".saving")
				writeFile(b, temp, "---\ntags: [a]\n---\n# Long\n\n"+strings.Join(sections, "\n"))
				if err := os.Rename(temp, filepath.Join(dir, "long.md")); err != nil {
					b.Fatal(err)
				}
			}
			save()
			v := vaulttest.Open(b, dir)
			vaulttest.Watch(b, v)
			x := open(b, v)
			run(b, x)
			if err := x.Wait(b.Context(), 0); err != nil {
				b.Fatal(err)
			}
			var found, indexed []time.Duration
			for n := 0; b.Loop(); n++ {
				word := fmt.Sprintf("saved%dword", n)
				sections = c.edit(sections, word)
				save()
				began := time.Now()
				for res := (&rank.Results{}); res.Total == 0; {
					var err error
					if res, err = x.Search(b.Context(), Query{Text: word, Limit: 1}); err != nil {
						b.Fatal(err)
					}
				}
				found = append(found, time.Since(began))
				if err := x.Wait(b.Context(), v.Seq()); err != nil {
					b.Fatal(err)
				}
				indexed = append(indexed, time.Since(began))
			}
			b.ReportMetric(ms(median(found)), "ms/found")
			b.ReportMetric(ms(at(found, 95)), "ms/found-p95")
			b.ReportMetric(ms(median(indexed)), "ms/indexed")
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	v := vaulttest.Open(b, benchVault(b))
	x, _ := build(b, v, b.TempDir())
	defer x.Close()
	prefix := env("KIST_BENCH_PREFIX", "word")
	word, words := env("KIST_BENCH_WORD", "word3"), env("KIST_BENCH_WORDS", "word1 word12 wordff")
	for _, c := range []struct {
		name, text string
		floor      query.Query
	}{
		{"word", word, query.NewMatchQuery(word)},
		{"words", words, query.NewMatchQuery(words)},
		{"prefix", prefix + "*", query.NewPrefixQuery(prefix)},
		{"phrase", env("KIST_BENCH_PHRASE", `"word1 word2"`), nil}, // bleve can't without positions
	} {
		b.Run(c.name, func(b *testing.B) {
			var took, floors []time.Duration
			total := 0
			for b.Loop() {
				began := time.Now()
				res, err := x.Search(context.Background(), Query{Text: c.text})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
				total = res.Total
				if c.floor != nil {
					began = time.Now()
					bleveSearch(b, x, c.floor)
					floors = append(floors, time.Since(began))
				}
			}
			b.ReportMetric(float64(total), "documents")
			b.ReportMetric(ms(median(took)), "ms/p50")
			b.ReportMetric(ms(at(took, 95)), "ms/p95")
			if c.floor != nil {
				b.ReportMetric(ms(median(floors)), "ms/bleve-p50")
				b.ReportMetric(ms(at(floors, 95)), "ms/bleve-p95")
			}
		})
	}
}

// bleveSearch is bleve's own top ten for the body field: no grouping, no excerpts.
func bleveSearch(b *testing.B, x *Index, q query.Query) {
	r, err := x.current.store.Reader()
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	q.(query.FieldableQuery).SetField(page.FieldBody.Name())
	m := mapping.NewIndexMapping()
	m.DefaultAnalyzer = "en"
	s, err := q.Searcher(context.Background(), r, m, bsearch.SearcherOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if err := collector.NewTopNCollector(10, 0, bsearch.SortOrder{&bsearch.SortScore{Desc: true}}).Collect(context.Background(), s, r); err != nil {
		b.Fatal(err)
	}
}

func env(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}
