package bench

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/analysis"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // registers the analyzer
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/collector"
	"github.com/blevesearch/bleve/v2/search/query"
	bleve "github.com/blevesearch/bleve_index_api"
	zap "github.com/blevesearch/zapx/v17"

	"kist/vault/markdown"
)

// analyzerName is the analyzer of the index, and so of its floor.
const analyzerName = "en"

// floorBatch is how many bytes of text a batch of the floor has: as many as one of
// the index.
const floorBatch = 1 << 20

// A floor is bleve alone with a lean mapping: nothing stored, no doc values.
type floor struct {
	scorch   *scorch.Scorch
	queue    *bleve.AnalysisQueue
	analyzer analysis.Analyzer
	files    bool // one entry a file, with positions; else one a section, without
}

func openFloor(dir string, files bool) (*floor, error) {
	a, err := registry.NewCache().AnalyzerNamed(analyzerName)
	if err != nil {
		return nil, fmt.Errorf("open floor: %w", err)
	}
	// As the index does; bleve's own setting would make the floor need far more
	// memory.
	zap.NewSegmentBufferAvgBytesPerDocFactor = 0
	f := &floor{analyzer: a, files: files, queue: bleve.NewAnalysisQueue(min(runtime.GOMAXPROCS(0), 4))}
	x, err := scorch.NewScorch(scorch.Name, map[string]any{"path": filepath.Join(dir, f.name())}, f.queue)
	if err == nil {
		err = x.Open()
	}
	if err != nil {
		f.queue.Close()
		return nil, fmt.Errorf("open floor: %w", err)
	}
	f.scorch = x.(*scorch.Scorch)
	return f, nil
}

func (f *floor) name() string {
	if f.files {
		return "files"
	}
	return "sections"
}

func (f *floor) close() error {
	err := f.scorch.Close()
	f.queue.Close()
	return err
}

// The fields that queries of the floor look at: those of the index.
const (
	fieldTitle    = "title"
	fieldHeadings = "headings"
	fieldBody     = "body"
	fieldMeta     = "meta"
)

// entries makes what is indexed of a file.
func (f *floor) entries(p string, text []byte) []*document.Document {
	if f.files {
		d := document.NewDocument(p)
		d.AddField(document.NewTextFieldCustom(fieldBody, nil, text, bleve.IndexField|bleve.IncludeTermVectors, f.analyzer))
		return []*document.Document{d}
	}
	m := markdown.Parse(text)
	name := m.Title()
	if name == "" {
		name = strings.TrimSuffix(path.Base(p), ".md")
	}
	var docs []*document.Document
	add := func(headings []string, body []byte) {
		d := document.NewDocument(p + "\x00" + strconv.Itoa(len(docs)))
		f.add(d, "path", []byte(p), nil)
		f.add(d, fieldTitle, []byte(name), f.analyzer)
		f.add(d, fieldHeadings, []byte(strings.Join(headings, "\n")), f.analyzer)
		f.add(d, fieldBody, body, f.analyzer)
		if len(docs) == 0 {
			f.add(d, fieldMeta, append([]byte(p+"\n"), text[:m.BodyStart()]...), f.analyzer)
		}
		docs = append(docs, d)
	}
	for _, s := range m.Sections() {
		if s.Start >= m.BodyStart() {
			add(s.Path, text[min(s.ContentStart, s.End):s.End])
		}
	}
	if len(docs) == 0 {
		add(nil, text[m.BodyStart():])
	}
	return docs
}

func (f *floor) add(d *document.Document, field string, text []byte, a analysis.Analyzer) {
	if len(text) > 0 {
		d.AddField(document.NewTextFieldCustom(field, nil, text, bleve.IndexField, a))
	}
}

// build reads all files and indexes them, one step after the other. The time is
// that of reading and of bleve; making the entries isn't counted.
func (f *floor) build(ctx context.Context, dir string, paths []string) (took time.Duration, err error) {
	timed := func(fn func() error) {
		began := time.Now()
		if err == nil {
			err = fn()
		}
		took += time.Since(began)
	}
	batch, bytes := bleve.NewBatch(), 0
	for _, p := range paths {
		var text []byte
		timed(func() (err error) { text, err = os.ReadFile(filepath.Join(dir, p)); return err })
		if err != nil || ctx.Err() != nil {
			break
		}
		for _, d := range f.entries(p, text) {
			batch.Update(d)
		}
		if bytes += len(text); bytes >= floorBatch {
			timed(func() error { return f.scorch.Batch(batch) })
			batch, bytes = bleve.NewBatch(), 0
		}
	}
	timed(func() error { return f.scorch.Batch(batch) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("build floor: %w", err)
	}
	return took, nil
}

// replace indexes one file anew, as one batch.
func (f *floor) replace(p string, text []byte) error {
	batch := bleve.NewBatch()
	for _, d := range f.entries(p, text) {
		batch.Update(d)
	}
	return f.scorch.Batch(batch)
}

// search is bleve's own ten best entries, by all fields that there are: no grouping, no
// excerpts. of makes the query for one of them. It returns how many entries match.
func (f *floor) search(ctx context.Context, of func() query.FieldableQuery) (uint64, error) {
	r, err := f.scorch.Reader()
	if err != nil {
		return 0, fmt.Errorf("search floor: %w", err)
	}
	defer r.Close()
	m := mapping.NewIndexMapping()
	m.DefaultAnalyzer = analyzerName
	s, err := f.query(of).Searcher(ctx, r, m, search.SearcherOptions{})
	if err != nil {
		return 0, fmt.Errorf("search floor: %w", err)
	}
	defer s.Close()
	c := collector.NewTopNCollector(10, 0, search.SortOrder{&search.SortScore{Desc: true}})
	if err := c.Collect(ctx, s, r); err != nil {
		return 0, fmt.Errorf("search floor: %w", err)
	}
	return c.Total(), nil
}

// query asks of each field what the index asks, a title counting double.
func (f *floor) query(of func() query.FieldableQuery) query.Query {
	one := func(field string) query.FieldableQuery {
		q := of()
		q.SetField(field)
		return q
	}
	if f.files {
		return one(fieldBody)
	}
	title := one(fieldTitle)
	if q, ok := title.(query.BoostableQuery); ok {
		q.SetBoost(2)
	}
	return query.NewDisjunctionQuery([]query.Query{title, one(fieldHeadings), one(fieldBody), one(fieldMeta)})
}
