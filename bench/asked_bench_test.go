package bench

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kist/bench/drawn"
	"kist/index"
	"kist/index/rank"
)

// BenchmarkAsked is processor time for each question of each class, kist's with excerpts and
// bleve's alone, in turns, on 12,000 files drawn from the folder KIST_CORPUS. With
// KIST_ASKED=DIR the vault and the indexes are kept there for the next run, and what was
// answered is written to answers.json, to be compared.
func BenchmarkAsked(b *testing.B) {
	corpus, dir := os.Getenv("KIST_CORPUS"), os.Getenv("KIST_ASKED")
	if corpus == "" {
		b.Skip("KIST_CORPUS names no folder of documents")
	}
	if dir == "" {
		dir = b.TempDir()
	}
	vault, floor := filepath.Join(dir, "vault"), &wholeFiles{}
	census := drawVault(b, corpus, vault)
	s, err := openSession(b.Context(), vault)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { must(b, errors.Join(s.close(), floor.Close())) }()
	must(b, errors.Join(s.index.Wait(b.Context(), 0), s.waitVectors(b.Context())))
	_, err = os.Stat(filepath.Join(dir, "floor"))
	must(b, errors.Join(os.MkdirAll(filepath.Join(dir, "floor"), 0o755), floor.Open(filepath.Join(dir, "floor"))))
	if err != nil {
		must(b, floor.Build(b.Context(), vault, census.Paths))
	}
	answers := map[string][]rank.Hit{}
	for _, class := range census.Classes(200, 1) {
		b.Run(class.Name, func(b *testing.B) {
			var took, beside clock
			for b.Loop() {
				for _, q := range class.Questions {
					ask := index.Query{Text: q.Text, Mode: index.Text}
					if q.Phrase {
						ask.Text = `"` + q.Text + `"`
					}
					if class.Hybrid {
						ask.Mode = index.Hybrid
					}
					took = append(took, spent(b, func() error {
						res, err := s.index.Search(b.Context(), ask)
						answers[class.Name+": "+ask.Text] = res.Hits
						return err
					}))
					beside = append(beside, spent(b, func() error { _, err := floor.Search(b.Context(), q); return err }))
				}
			}
			for name, c := range map[string]clock{"": took, "-floor": beside} {
				var sum time.Duration
				for _, t := range c {
					sum += t
				}
				b.ReportMetric(millis(sum)/float64(len(c)), "ms/mean"+name)
				b.ReportMetric(millis(timing(c).P50), "ms/p50"+name)
				b.ReportMetric(millis(timing(c).P95), "ms/p95"+name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	text, err := json.MarshalIndent(answers, "", " ")
	must(b, errors.Join(err, os.WriteFile(filepath.Join(dir, "answers.json"), text, 0o644)))
	b.Logf("answers %x", sha256.Sum256(text))
}

// drawVault draws a vault, unless it is there, and counts its words.
func drawVault(b *testing.B, corpus, vault string) *drawn.Census {
	if _, err := os.Stat(vault); err != nil {
		source, err := drawn.Read(b.Context(), corpus)
		must(b, err)
		must(b, os.MkdirAll(vault, 0o755))
		_, err = source.Write(b.Context(), vault, 12_000, 1)
		must(b, err)
	}
	census, err := drawn.Count(b.Context(), vault, 1)
	must(b, err)
	slices.Sort(census.Paths)
	return census
}

// spent is the processor time of this process that a call takes.
func spent(b *testing.B, fn func() error) time.Duration {
	before, err := cpuTime(os.Getpid())
	must(b, errors.Join(err, fn()))
	after, err := cpuTime(os.Getpid())
	must(b, err)
	return after - before
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
