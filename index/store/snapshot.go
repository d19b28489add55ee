package store

import (
	"kist/index/analyze"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// An Over is entries in memory that take the place of what a store has of the same files.
type Over struct {
	Store     *Store
	Hidden    []string       // paths that the store's entries don't count of
	Beside    []string       // more such paths, of files that aren't in memory either
	Languages map[string]int // how many files, read or not, are in a language
}

// A Snapshot is what a search reads: the store's, and what an overlay has in its place.
type Snapshot struct {
	*scorch.IndexSnapshot
	memory *scorch.IndexSnapshot // the overlay's; nil: there is none
	first  uint64                // number of the overlay's first entry
	refs   []EntryRef
	hides  []bool           // by file: the store's entries of it don't count
	number map[string]int32 // of the files that they don't count of

	*Room // for what one goroutine at a time reads
}

// A Room is memory that looking words up needs, kept from one snapshot to the next. One goroutine
// at a time may use it.
type Room struct {
	segments     []segment.Segment
	dictionaries []map[string]segment.TermDictionary // of segments, those of fields that were asked for
	numbers, all segment.PostingsIterator            // of the last list that was read
}

// dictionary is made once for a segment, whose place is nth, as looking up a word takes no longer than
// making it.
func (s *Snapshot) dictionary(nth int, seg *scorch.SegmentSnapshot, field string) (d segment.TermDictionary, err error) {
	r := s.Room
	for len(r.segments) <= nth {
		r.segments, r.dictionaries = append(r.segments, nil), append(r.dictionaries, nil)
	}
	if r.segments[nth] != seg.Segment() {
		r.segments[nth], r.dictionaries[nth] = seg.Segment(), map[string]segment.TermDictionary{}
	}
	if d = r.dictionaries[nth][field]; d == nil {
		if d, err = seg.Segment().Dictionary(field); err == nil {
			r.dictionaries[nth][field] = d
		}
	}
	return d, err
}

// Close releases both parts; the overlay is the caller's.
func (s *Snapshot) Close() error {
	if s.memory != nil {
		s.memory.Close()
	}
	return s.IndexSnapshot.Close()
}

// Look returns what the store holds now, and over it what is in memory, where over isn't nil.
// The caller closes the snapshot.
func (s *Store) Look(over *Over) (*Snapshot, View, error) {
	r, err := s.Reader()
	if err != nil {
		return nil, View{}, err
	}
	v, err := s.Tables.view(r)
	out := &Snapshot{IndexSnapshot: r, Room: &Room{}}
	if err == nil && over != nil {
		err = out.join(over, &s.Tables, &v)
	}
	if err != nil {
		out.Close()
		return nil, View{}, err
	}
	return out, v, nil
}

// join lays what is in memory over the snapshot.
func (s *Snapshot) join(over *Over, t *tables, v *View) error {
	r, err := over.Store.Reader()
	if err != nil {
		return err
	}
	s.memory, s.first = r, uint64(len(v.Refs))
	t.mu.Lock()
	defer t.mu.Unlock()
	refs := slices.Clone(v.Refs)
	for _, seg := range s.memory.Segments() {
		more, err := t.segment(seg)
		if err != nil {
			return err
		}
		refs = append(refs, more...)
	}
	s.number = make(map[string]int32, len(over.Hidden)+len(over.Beside))
	for _, path := range over.Hidden {
		s.number[path] = t.numberOf(path)
	}
	for _, path := range over.Beside {
		s.number[path] = t.numberOf(path)
	}
	s.hides = make([]bool, len(t.paths))
	for _, n := range s.number {
		s.hides[n] = true
	}
	v.Refs, v.Paths, s.refs = refs, t.paths, refs
	more, err := spoken(s.memory)
	if err != nil {
		return err
	}
	v.Languages = joinLanguages(v.Languages, more, over.Languages)
	return nil
}

// hidden reports whether the store's entries of a file don't count.
func (s *Snapshot) hidden(file int32) bool { return s.memory != nil && s.hides[file] }

// Counts reports whether an entry, given by bleve's number, counts.
func (s *Snapshot) Counts(n uint32) bool {
	return s.memory == nil || uint64(n) >= s.first || !s.hides[s.refs[n].File]
}

// segments are those of both parts.
func (s *Snapshot) segments() []*scorch.SegmentSnapshot {
	all := s.IndexSnapshot.Segments()
	if s.memory != nil {
		all = append(slices.Clone(all), s.memory.Segments()...)
	}
	return all
}

// joinLanguages adds up the languages of the store and of what isn't in it.
func joinLanguages(store, here []Language, estimated map[string]int) []Language {
	counts := map[string]int{analyze.English: 0}
	for _, l := range here {
		counts[l.Name] = l.Documents
	}
	for name, n := range estimated {
		counts[name] = max(counts[name], n)
	}
	for _, l := range store {
		counts[l.Name] += l.Documents
	}
	return languagesOf(counts)
}

// Parts are the snapshot's segments with the numbers of their first entries.
func (s *Snapshot) Parts() (all []Segment) {
	first := uint64(0)
	for _, seg := range s.segments() {
		all = append(all, Segment{seg, first, len(all)})
		first += seg.Segment().Count()
	}
	return all
}

// Terms are those of a field, in order.
type Terms = bleve.FieldDict

// Listed calls fn with each file that the store's entries count of, once.
func (s *Snapshot) Listed(v View, fn func(file int32)) {
	seen := make([]bool, len(v.Paths))
	offset := 0
	for _, seg := range s.IndexSnapshot.Segments() {
		for live := seg.DocNumbersLive().Iterator(); live.HasNext(); {
			file := v.Refs[offset+int(live.Next())].File
			if !seen[file] && !s.hidden(file) {
				seen[file] = true
				fn(file)
			}
		}
		offset += int(seg.Segment().Count())
	}
}

// Numbered calls fn with the files that the store's entries don't count of, and their numbers.
func (s *Snapshot) Numbered(fn func(path string, file int32)) {
	for path, n := range s.number {
		fn(path, n)
	}
}
