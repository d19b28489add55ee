package index

import (
	"bufio"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"kist/agent/endpoint"
	"kist/agent/openai"
	"kist/index/served"
	"kist/vault/vaulttest"
)

// A collection is a folder of documents, queries and the documents that people
// found relevant to them: docs/<id>.md, queries.tsv (id, text), qrels.tsv (query,
// document, grade; tabs between).
type collection struct {
	queries map[string]string
	grades  map[string]map[string]float64
}

// A quality is the mean over a collection's queries.
type quality struct{ ndcg, ap, recall float64 }

// gates are what was measured with the same formulas outside of the index; what the
// index reaches may be lower by the tolerance.
var gates = map[string]map[string]struct {
	want      quality
	tolerance float64
}{
	"cran": {"text": {quality{.365, .303, .513}, .005}, "hybrid": {quality{.392, .333, .557}, .010}},
	"cacm": {"text": {quality{.502, .360, .485}, .007}, "hybrid": {quality{.509, .379, .492}, .010}},
}

// TestQuality measures search on the public collections Cranfield and CACM, which
// are too large for the repository: KIST_IR names a folder with "cran" and "cacm"
// in it. With KIST_LIVE_EMBED_URL hybrid and vector are those of a server's model.
func TestQuality(t *testing.T) {
	root := os.Getenv("KIST_IR")
	if root == "" {
		t.Skip("set KIST_IR to a folder with the collections cran and cacm to measure quality")
	}
	for name := range gates {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(root, name)
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				dir = filepath.Join(dir, name)
			}
			c := readCollection(t, dir)
			vault := t.TempDir()
			if err := os.CopyFS(vault, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.Open(t, vault)}}
			embedder := liveEmbedder(t)
			f.openFor(Options{Embedder: embedder})
			f.waitVectors()
			if embedder != nil {
				began := time.Now()
				f.untilWithin(2*time.Hour, "ready", func(s served.Status) bool { return s.State == served.Ready && s.InUse && s.Pending == 0 })
				t.Logf("%s: embedded by %s in %v", name, embedder.Model(), time.Since(began).Round(time.Second))
			}
			for _, mode := range []string{"text", "vector", "hybrid"} {
				got := c.measure(t, f.index, Query{Limit: 200, Mode: map[string]Mode{"text": Text, "vector": Vector}[mode]})
				t.Logf("%s %s: nDCG@10 %.4f MAP %.4f recall@20 %.4f", name, mode, got.ndcg, got.ap, got.recall)
				gate, ok := gates[name][mode]
				if ok && embedder == nil && (got.ndcg < gate.want.ndcg-gate.tolerance || got.ap < gate.want.ap-gate.tolerance || got.recall < gate.want.recall-gate.tolerance) {
					t.Errorf("%s %s is below %.3f", name, mode, gate.want)
				}
			}
		})
	}
}

// liveEmbedder is that of the server with OpenAI's interface at KIST_LIVE_EMBED_URL, by the
// model KIST_LIVE_EMBED_MODEL; nil: none is set.
func liveEmbedder(t *testing.T) served.Embedder {
	t.Helper()
	url := os.Getenv("KIST_LIVE_EMBED_URL")
	if url == "" {
		return nil
	}
	e, err := endpoint.New(url, "")
	if err != nil {
		t.Fatal(err)
	}
	return openai.NewEmbedder(e, os.Getenv("KIST_LIVE_EMBED_MODEL"))
}

func readCollection(t *testing.T, dir string) collection {
	t.Helper()
	c := collection{map[string]string{}, map[string]map[string]float64{}}
	for _, row := range readTable(t, filepath.Join(dir, "queries.tsv")) {
		// The collections' queries are plain text, so signs that mean something
		// to kist are taken out.
		c.queries[row[0]] = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return ' '
		}, row[1])
	}
	for _, row := range readTable(t, filepath.Join(dir, "qrels.tsv")) {
		grade, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if c.grades[row[0]] == nil {
			c.grades[row[0]] = map[string]float64{}
		}
		c.grades[row[0]][row[1]] = grade
	}
	return c
}

func readTable(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		rows = append(rows, strings.Split(lines.Text(), "\t"))
	}
	return rows
}

// measure asks all queries that have relevant documents.
func (c collection) measure(t *testing.T, x *Index, q Query) (sum quality) {
	t.Helper()
	n := 0.0
	for id, text := range c.queries {
		grades := c.grades[id]
		if !slices.ContainsFunc(slices.Collect(maps.Values(grades)), func(g float64) bool { return g > 0 }) {
			continue
		}
		q.Text = text
		res := ask(t, x, q)
		var found []string
		for _, h := range res.Hits {
			found = append(found, strings.TrimSuffix(path.Base(h.Path), ".md"))
		}
		one := score(found, grades)
		n++
		sum.ndcg += one.ndcg
		sum.ap += one.ap
		sum.recall += one.recall
	}
	return quality{sum.ndcg / n, sum.ap / n, sum.recall / n}
}

// score is nDCG@10 with linear gains, average precision and recall@20.
func score(found []string, grades map[string]float64) (s quality) {
	var ideal []float64
	for _, g := range grades {
		if g > 0 {
			ideal = append(ideal, g)
		}
	}
	slices.Sort(ideal)
	slices.Reverse(ideal)
	var best, gain float64
	for i, g := range ideal[:min(10, len(ideal))] {
		best += g / math.Log2(float64(i+2))
	}
	hits := 0.0
	for i, id := range found {
		g := grades[id]
		if g <= 0 {
			continue
		}
		hits++
		s.ap += hits / float64(i+1)
		if i < 10 {
			gain += g / math.Log2(float64(i+2))
		}
		if i < 20 {
			s.recall++
		}
	}
	n := float64(len(ideal))
	return quality{gain / best, s.ap / n, s.recall / n}
}
