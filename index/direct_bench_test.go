package index

import (
	"os"
	"strings"
	"testing"
	"time"

	"kist/index/rank"
	"kist/vault/vaulttest"
)

// The first answer after opening, while the index is being built beside it. Each of
// the words in KIST_BENCH_FIRST is asked for in an index of its own; see benchVault.
func BenchmarkFirstAnswer(b *testing.B) {
	v := vaulttest.Open(b, benchVault(b))
	queries := []string{"word17", "word3 word99", "tag:word2", "-word1", `"word1 word2"`}
	if text := os.Getenv("KIST_BENCH_FIRST"); text != "" {
		queries = strings.Split(text, ",")
	}
	for _, q := range queries {
		b.Run(q, func(b *testing.B) {
			var res *rank.Results
			for range b.N {
				b.StopTimer()
				dir := b.TempDir()
				b.StartTimer()
				began := time.Now()
				x, err := Open(v, Options{Dir: dir})
				if err != nil {
					b.Fatal(err)
				}
				stop := run(b, x)
				if res, err = x.Search(b.Context(), Query{Text: q}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/first")
				b.StopTimer()
				stop()
				if err := x.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(res.Total), "found")
			b.ReportMetric(float64(res.Freshness.Direct), "direct")
			b.ReportMetric(float64(res.Freshness.Pending), "pending")
			b.Logf("%+v", res.Freshness)
		})
	}
}

// The same with the builder held back, so that only the search counts.
func BenchmarkDirect(b *testing.B) {
	v := vaulttest.Open(b, benchVault(b))
	x := held(b, v, func(string) bool { return false })
	queries := []string{"word17", "word3 word99", "tag:word2", "-word1", `"word1 word2"`}
	if text := os.Getenv("KIST_BENCH_FIRST"); text != "" {
		queries = strings.Split(text, ",")
	}
	for _, q := range queries {
		b.Run(q, func(b *testing.B) {
			var res *rank.Results
			var err error
			for range b.N {
				if res, err = x.Search(b.Context(), Query{Text: q}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(res.Total), "found")
			b.ReportMetric(float64(res.Freshness.Direct), "direct")
			b.ReportMetric(float64(res.Freshness.Pending), "pending")
		})
	}
}
