package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kist/bench/graded"
	"kist/index"
	"kist/vault"
)

// depth is how far rankings are looked at.
const depth = 1000

// A Judgement is how one mode did on a collection.
type Judgement struct {
	Mode string `json:"mode"`
	graded.Scores
	Took time.Duration `json:"took"` // for all queries
}

// QualityReport is what [Quality] returns.
type QualityReport struct {
	Documents int         `json:"documents"`
	Queries   int         `json:"queries"` // with at least one relevant document
	Modes     []Judgement `json:"modes"`
}

// Quality measures how well the modes rank a test collection: a folder with
// documents as .md files anywhere below it, queries.tsv (id, text) and qrels.tsv
// (query, document, grade), where a document's id is its file's name without the
// ending. The folder is copied and not written to. progress may be nil.
func Quality(ctx context.Context, dir string, progress Progress) (_ *QualityReport, err error) {
	queries, err := readQueries(dir)
	if err != nil {
		return nil, err
	}
	tmp, err := makeTemp(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	work := filepath.Join(tmp, "vault")
	if err := copyNotes(ctx, dir, work); err != nil {
		return nil, err
	}
	c, err := openCollection(ctx, work)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.check(queries); err != nil {
		return nil, err
	}
	report := &QualityReport{Documents: len(c.docs), Queries: len(queries)}
	for _, m := range Modes() {
		j, err := c.judge(ctx, m, queries, progress)
		if err != nil {
			return nil, err
		}
		report.Modes = append(report.Modes, j)
	}
	return report, nil
}

// A judged query has the grades of the documents that answer it.
type judged struct {
	id, text string
	grades   map[string]int
}

// readQueries returns the queries with at least one relevant document.
func readQueries(dir string) ([]judged, error) {
	rows, err := readTSV(filepath.Join(dir, "queries.tsv"), 2)
	if err != nil {
		return nil, err
	}
	qrels, err := readTSV(filepath.Join(dir, "qrels.tsv"), 3)
	if err != nil {
		return nil, err
	}
	grades := map[string]map[string]int{}
	for _, r := range qrels {
		g, err := strconv.Atoi(r[2])
		if err != nil {
			return nil, fmt.Errorf("%s: the grade of %s for %s is no number: %q", filepath.Join(dir, "qrels.tsv"), r[1], r[0], r[2])
		}
		if grades[r[0]] == nil {
			grades[r[0]] = map[string]int{}
		}
		grades[r[0]][r[1]] = g
	}
	var queries []judged
	for _, r := range rows {
		if len(graded.Ideal(grades[r[0]])) > 0 {
			queries = append(queries, judged{r[0], r[1], grades[r[0]]})
		}
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("%s: no query has a relevant document", dir)
	}
	return queries, nil
}

func readTSV(name string, columns int) (rows [][]string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read collection: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		row := strings.Split(lines.Text(), "\t")
		if len(row) != columns {
			return nil, fmt.Errorf("%s:%d: %d columns, want %d", name, n, len(row), columns)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return rows, nil
}

// A collection is an indexed folder of documents.
type collection struct {
	*session
	docs []collected // by path
}

// A collected document is one as grep would see it.
type collected struct {
	id    string
	words map[string]bool
}

func openCollection(ctx context.Context, dir string) (*collection, error) {
	s, err := openSession(ctx, dir)
	if err != nil {
		return nil, err
	}
	c := &collection{session: s}
	var paths []string
	err = s.vault.Walk(ctx, func(i vault.Info) error { paths = append(paths, i.Path); return nil }, nil)
	slices.Sort(paths)
	for _, p := range paths {
		text, readErr := s.vault.Read(p)
		err = errors.Join(err, readErr)
		c.docs = append(c.docs, collected{documentID(p), wordSet(string(text))})
	}
	if err == nil {
		if err = s.index.Wait(ctx, 0); err == nil {
			err = s.waitVectors(ctx)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return c, nil
}

func documentID(p string) string { return strings.TrimSuffix(path.Base(p), ".md") }

// check refuses a collection that would be judged wrongly: two documents with one
// id, or relevant ones that aren't there.
func (c *collection) check(queries []judged) error {
	known := map[string]bool{}
	for _, d := range c.docs {
		if known[d.id] {
			return fmt.Errorf("two documents are called %s.md", d.id)
		}
		known[d.id] = true
	}
	for _, q := range queries {
		for id, g := range q.grades {
			if g > 0 && !known[id] {
				return fmt.Errorf("query %s: there is no document %s.md", q.id, id)
			}
		}
	}
	return nil
}

func (c *collection) judge(ctx context.Context, m Ranker, queries []judged, progress Progress) (Judgement, error) {
	began := time.Now()
	var all []graded.Scores
	for i, q := range queries {
		progress.report(m.Name, i, len(queries))
		ranking, err := m.rank(ctx, c, q.text)
		if err != nil {
			return Judgement{}, fmt.Errorf("query %s: %w", q.id, err)
		}
		if err := ctx.Err(); err != nil {
			return Judgement{}, err
		}
		all = append(all, graded.Score(ranking, q.grades))
	}
	progress.report(m.Name, len(queries), len(queries))
	return Judgement{Mode: m.Name, Scores: graded.Mean(all), Took: time.Since(began)}, nil
}

// waitVectors waits until the index has learned from the documents, where there are
// enough of them.
func (s *session) waitVectors(ctx context.Context) error {
	done := errors.New("done")
	err := s.index.Watch(ctx, 0, func(s index.Status) error {
		if v := s.Vectors; v.State == index.VectorsReady && v.Pending == 0 && !v.Training || s.Documents < 20 {
			return done
		}
		return nil
	})
	if errors.Is(err, done) {
		return nil
	}
	return err
}
