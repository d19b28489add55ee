package store

import (
	"cmp"
	"context"
	"kist/index/page"
	"math"
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
	segments map[uint64][]EntryRef // by segment id
	paths    []string              // by file number
	numbers  map[string]int32
	last     View // of the newest snapshot seen
}

// An EntryRef names an entry by its file's number and the ordinal within that.
type EntryRef struct{ File, Ordinal int32 }

// A View is the tables for one snapshot.
type View struct {
	segments []uint64
	Refs     []EntryRef // by bleve's entry number
	Paths    []string   // by file number

	Languages []Language // of the documents, the commonest first; English always
}

// A Language has so many documents, some of which may be gone since.
type Language struct {
	Name      string // of the analyzer
	Documents int
}

// Languages are those of the last view.
func (t *tables) Languages() []Language {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.Languages
}

// view returns the table of a snapshot.
func (t *tables) view(r *scorch.IndexSnapshot) (View, error) {
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
	live := make(map[uint64][]EntryRef, len(segments))
	var refs []EntryRef
	for i, s := range segments {
		known, ok := t.segments[ids[i]]
		if !ok {
			var err error
			if known, err = t.segment(s); err != nil {
				return View{}, err
			}
		}
		live[ids[i]] = known
		refs = append(refs, known...)
	}
	t.segments = live
	langs, err := spoken(r)
	if err != nil {
		return View{}, err
	}
	t.last = View{segments: ids, Refs: refs, Paths: t.paths, Languages: langs}
	return t.last, nil
}

// spoken returns the languages of a snapshot.
func spoken(r *scorch.IndexSnapshot) ([]Language, error) {
	counts := map[string]uint64{}
	dict, err := r.FieldDict(page.FieldLang)
	if err == nil {
		err = AddCounts(counts, dict)
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
func languagesOf(counts map[string]int) []Language {
	var all []Language
	for name, n := range counts {
		all = append(all, Language{name, n})
	}
	slices.SortFunc(all, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name))
	})
	return all
}

func (t *tables) segment(s *scorch.SegmentSnapshot) ([]EntryRef, error) {
	refs := make([]EntryRef, s.Segment().Count())
	for i := range refs {
		id, err := s.DocID(uint64(i))
		if err != nil {
			return nil, err
		}
		path, ordinal := page.SplitID(string(id))
		refs[i] = EntryRef{t.numberOf(path), int32(ordinal)}
	}
	return refs, nil
}

// Number returns a path's number, which it gets if it has none.
func (t *tables) Number(path string) int32 {
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

// ReadTables makes the tables of what the store holds now.
func (s *Store) ReadTables() error {
	r, _, err := s.Look(nil)
	if err != nil {
		return err
	}
	return r.Close()
}

// FilesWith calls fn with the number of each file that has a term in a field, some of them more
// than once. One goroutine at a time may ask a snapshot.
func (s *Snapshot) FilesWith(v View, field, term string, fn func(file int32)) error {
	first := uint64(0)
	for nth, seg := range s.segments() {
		dict, err := s.dictionary(nth, seg, field)
		if err != nil {
			return err
		}
		list, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
		if err != nil {
			return err
		}
		if list.Count() > 0 {
			s.numbers = list.Iterator(false, false, false, s.numbers)
			p, err := s.numbers.Next()
			for ; p != nil && err == nil; p, err = s.numbers.Next() {
				if n := first + p.Number(); s.Counts(uint32(n), v.Refs) {
					fn(v.Refs[n].File)
				}
			}
			if err != nil {
				return err
			}
		}
		first += seg.Segment().Count()
	}
	return nil
}

// Scored calls fn with each entry that has a term in a field: how often, and how long the field
// is.
func (s *Snapshot) Scored(v View, f page.Field, term string, fn func(e EntryRef, n int, length float64)) error {
	return walkPostings(s, f.Name(), []byte(term), true, false, func(d *bleve.TermFieldDoc) error {
		fn(v.Refs[d.ID.Value()], int(d.Freq), math.Round(1/(d.Norm*d.Norm)))
		return nil
	})
}
