package index

import (
	"cmp"
	"context"
	"kist/index/page"
	"slices"
	"strings"
	"sync"

	"kist/index/analyze"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

// A termReader has postings.
type termReader interface {
	TermFieldReader(ctx context.Context, term []byte, field string, freq, norm, vectors bool) (bleve.TermFieldReader, error)
}

// postings calls fn for each live entry with the term in the field. The
// TermFieldDoc is reused between calls.
func postings(r termReader, field string, term []byte, fn func(*bleve.TermFieldDoc) error) error {
	return walkPostings(r, field, term, false, false, fn)
}

// scored is postings with frequencies and norms.
func scored(r termReader, field string, term []byte, fn func(*bleve.TermFieldDoc) error) error {
	return walkPostings(r, field, term, true, false, fn)
}

func walkPostings(r termReader, field string, term []byte, freqs, locations bool, fn func(*bleve.TermFieldDoc) error) error {
	tfr, err := r.TermFieldReader(context.Background(), term, field, freqs, freqs, locations)
	if err != nil {
		return err
	}
	defer tfr.Close()
	var d bleve.TermFieldDoc
	for {
		next, err := tfr.Next(d.Reset())
		if err != nil || next == nil {
			return err
		}
		if err := fn(next); err != nil {
			return err
		}
	}
}

// tables maps bleve's entry numbers to files. A segment never changes, so its
// table is made once, when a query first meets the segment; looking ids up for
// each posting instead would cost more than all else in a query for a common word.
type tables struct {
	mu       sync.Mutex
	segments map[uint64][]entryRef // by segment id
	paths    []string              // by file number
	numbers  map[string]int32
	last     view // of the newest snapshot seen
}

// An entryRef names an entry by its file's number and the ordinal within that.
type entryRef struct{ file, ordinal int32 }

// A view is the tables for one snapshot.
type view struct {
	segments []uint64
	refs     []entryRef // by bleve's entry number
	paths    []string   // by file number

	Languages []language // of the documents, the commonest first; English always
}

// A language has so many documents, some of which may be gone since.
type language struct {
	name      string // of the analyzer
	documents int
}

// languages are those of the last view.
func (t *tables) languages() []language {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.Languages
}

// view returns the table of a snapshot.
func (t *tables) view(r *scorch.IndexSnapshot) (view, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	segments := r.Segments()
	ids := make([]uint64, len(segments))
	for i, s := range segments {
		ids[i] = s.Id()
	}
	if slices.Equal(ids, t.last.segments) {
		return t.last, nil
	}
	live := make(map[uint64][]entryRef, len(segments))
	var refs []entryRef
	for i, s := range segments {
		known, ok := t.segments[ids[i]]
		if !ok {
			var err error
			if known, err = t.segment(s); err != nil {
				return view{}, err
			}
		}
		live[ids[i]] = known
		refs = append(refs, known...)
	}
	t.segments = live
	langs, err := spoken(r)
	if err != nil {
		return view{}, err
	}
	t.last = view{segments: ids, refs: refs, paths: t.paths, Languages: langs}
	return t.last, nil
}

// spoken returns the languages of a snapshot.
func spoken(r *scorch.IndexSnapshot) ([]language, error) {
	counts := map[string]uint64{}
	dict, err := r.FieldDict(page.FieldLang)
	if err == nil {
		err = addCounts(counts, dict)
	}
	if err != nil {
		return nil, err
	}
	byName := map[string]int{analyze.English: 0}
	for lang, n := range counts {
		byName[analyze.NameOf(lang)] += int(n)
	}
	return languagesOf(byName), nil
}

// languagesOf sorts languages, the commonest first.
func languagesOf(counts map[string]int) []language {
	var all []language
	for name, n := range counts {
		all = append(all, language{name, n})
	}
	slices.SortFunc(all, func(a, b language) int {
		return cmp.Or(cmp.Compare(b.documents, a.documents), strings.Compare(a.name, b.name))
	})
	return all
}

func (t *tables) segment(s *scorch.SegmentSnapshot) ([]entryRef, error) {
	refs := make([]entryRef, s.Segment().Count())
	for i := range refs {
		id, err := s.DocID(uint64(i))
		if err != nil {
			return nil, err
		}
		path, ordinal := page.SplitID(string(id))
		refs[i] = entryRef{t.numberOf(path), int32(ordinal)}
	}
	return refs, nil
}

// number returns a path's number, which it gets if it has none.
func (t *tables) number(path string) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.numberOf(path)
}

func (t *tables) numberOf(path string) int32 {
	if t.numbers == nil {
		t.numbers = map[string]int32{}
	}
	n, ok := t.numbers[path]
	if !ok {
		n = int32(len(t.paths))
		t.paths = append(t.paths, path)
		t.numbers[path] = n
	}
	return n
}
