package store

import (
	"errors"
	"fmt"
	"hash/fnv"
	"kist/index/page"
	"kist/index/section"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A Segment is a segment of a snapshot.
type Segment struct {
	*scorch.SegmentSnapshot
	First uint64 // bleve's number of its first entry
	nth   int    // its place among the segments
}

// Size is the number of its entries, those that were replaced included.
func (s Segment) Size() int { return int(s.Segment().Count()) }

// Locate calls fn with the live entries of a segment that have a term in a field, in order. The
// numbers of their locations mean what [section] says. One goroutine at a time may ask a snapshot, and
// what fn gets is used again.
func (s *Snapshot) Locate(seg Segment, field, term string, locations bool, fn func(Posting)) error {
	dict, err := s.dictionary(seg.nth, seg.SegmentSnapshot, field)
	if err != nil {
		return err
	}
	list, err := dict.PostingsList([]byte(term), seg.Deleted(), nil)
	if err != nil || list.Count() == 0 {
		return err
	}
	s.all = list.Iterator(true, true, locations, s.all)
	for {
		p, err := s.all.Next()
		if err != nil || p == nil {
			return err
		}
		fn(Posting{p})
	}
}

// Table is that of an entry of a segment.
func (s Segment) Table(number uint64) (table section.Table, err error) {
	var failed error
	err = s.VisitDocument(number, func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == section.FieldTable {
			table, failed = section.Decode(value)
		}
		return true
	})
	if err == nil {
		err = failed
	}
	return table, err
}

// Digests returns, for each entry that a store holds, a digest of its postings.
func (s *Store) Digests() (map[string]uint64, error) {
	r, v, err := s.Look(nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out := map[string]uint64{}
	fields := []string{page.FieldProject, page.FieldType, page.FieldTag, page.FieldLang, page.FieldProperty, page.FieldName, page.FieldLink}
	for f := range page.NumFields {
		fields = append(fields, f.Name())
	}
	for _, seg := range r.Parts() {
		for _, field := range fields {
			var failed error
			err := terms([]*scorch.SegmentSnapshot{seg.SegmentSnapshot}, field, nil, "", func(term string, _ uint64) bool {
				failed = r.Locate(seg, field, term, true, func(p Posting) {
					h := fnv.New64a()
					fmt.Fprintf(h, "%s %s %d %v", field, term, p.Frequency(), p.Norm())
					for _, at := range p.Locations() {
						fmt.Fprintf(h, " %d %d %d", at.Start(), at.End(), at.Pos())
					}
					ref := v.Refs[seg.First+p.Number()]
					out[page.EntryID(v.Paths[ref.File], int(ref.Ordinal))] += h.Sum64() // terms have no order
				})
				return failed == nil
			})
			if err = errors.Join(err, failed); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Expand returns the n most frequent terms that begin with one of the prefixes.
func (s *Snapshot) Expand(fields page.Fields, prefixes []string, n int) ([]string, error) {
	counts := map[string]uint64{}
	for f := range page.NumFields {
		if !fields.Has(f) {
			continue
		}
		for _, p := range prefixes {
			if err := s.Beginning(f.Name(), p, func(term string, n uint64) bool { counts[term] += n; return true }); err != nil {
				return nil, err
			}
		}
	}
	return MostFrequent(counts, n), nil
}

// Beginning calls fn with the terms of a field that begin so, some of them more than once, and how
// many entries have them, until it returns false. Those of entries that were replaced are among them.
func (s *Snapshot) Beginning(field, prefix string, fn func(term string, n uint64) bool) error {
	return terms(s.segments(), field, nil, prefix, fn)
}

// Accepted is Beginning for the terms that an automaton accepts.
func (s *Snapshot) Accepted(f page.Field, a segment.Automaton, fn func(term string)) error {
	return terms(s.segments(), f.Name(), a, "", func(term string, _ uint64) bool { fn(term); return true })
}

func terms(segments []*scorch.SegmentSnapshot, field string, a segment.Automaton, prefix string, fn func(term string, n uint64) bool) error {
	var from, to []byte // nil: all
	if prefix != "" {
		from, to = []byte(prefix), []byte(prefix+"\xff")
	}
	for _, seg := range segments {
		dict, err := seg.Segment().Dictionary(field)
		if err != nil {
			return err
		}
		all := dict.AutomatonIterator(a, from, to)
		e, err := all.Next()
		for ; err == nil && e != nil; e, err = all.Next() {
			if !fn(e.Term, e.Count) {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// MostFrequent are the n terms that are there most often, in that order.
func MostFrequent(counts map[string]uint64, n int) []string {
	terms := make([]string, 0, len(counts))
	for t := range counts {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(a, b string) int {
		if counts[a] != counts[b] {
			if counts[a] > counts[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return terms[:min(n, len(terms))]
}
