package store

import (
	"cmp"
	"kist/index/page"
	"slices"
	"sort"
	"strings"
	"sync"

	"kist/index/analyze"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

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
	byName := map[string]int{analyze.English: 0}
	err := terms(r.Segments(), page.FieldLang, nil, "", func(lang string, n uint64) bool {
		byName[analyze.NameOf(lang)] += int(n)
		return true
	})
	return languagesOf(byName), err
}

// languagesOf sorts languages, the commonest first.
func languagesOf(counts map[string]int) []Language {
	var all []Language
	for name, n := range counts {
		all = append(all, Language{name, n})
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name)) < 0
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
	return s.with(field, term, func(e uint32) { fn(v.Refs[e].File) })
}

// with calls fn with each entry that counts and has a term in a field, by bleve's number.
func (s *Snapshot) with(field, term string, fn func(entry uint32)) error {
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
		err = Occurrences{PostingsList: list}.numbers(s.Room, func(n uint64) {
			if e := uint32(first + n); s.Counts(e) {
				fn(e)
			}
		})
		if err != nil {
			return err
		}
		first += seg.Segment().Count()
	}
	return nil
}

// Frequency is the number of postings of a term that count. One goroutine at a time may ask a
// snapshot.
func (s *Snapshot) Frequency(term string) (n uint64, err error) {
	for f := range page.NumFields {
		if err := s.with(f.Name(), term, func(uint32) { n++ }); err != nil {
			return 0, err
		}
	}
	return n, nil
}
