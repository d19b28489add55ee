package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"kist/index/page"
	"kist/index/section"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

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
func (s *Snapshot) Locate(seg Segment, f page.Field, term string, locations bool, fn func(Posting)) error {
	dict, err := s.dictionary(seg.nth, seg.SegmentSnapshot, f.Name())
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
	r, err := s.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	out := map[string]uint64{}
	fields := []string{page.FieldPath, page.FieldProject, page.FieldType, page.FieldTag, page.FieldLang, page.FieldProperty, page.FieldName, page.FieldLink}
	for f := range page.NumFields {
		fields = append(fields, f.Name())
	}
	for _, field := range fields {
		dict, err := r.FieldDict(field)
		if err != nil {
			return nil, err
		}
		terms := map[string]uint64{}
		if err := AddCounts(terms, dict); err != nil {
			return nil, err
		}
		for term := range terms {
			err := walkPostings(r, field, []byte(term), true, true, func(d *bleve.TermFieldDoc) error {
				id, err := r.ExternalID(d.ID)
				h := fnv.New64a()
				fmt.Fprintf(h, "%s %s %d %v", field, term, d.Freq, d.Norm)
				for _, at := range d.Vectors {
					fmt.Fprintf(h, " %d %d %d", at.Start, at.End, at.Pos)
				}
				out[id] += h.Sum64() // terms have no order
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Expand returns the n most frequent terms that begin with one of the prefixes.
func Expand(r *Snapshot, fields page.Fields, prefixes []string, n int) ([]string, error) {
	counts := map[string]uint64{}
	for f := range page.NumFields {
		if !fields.Has(f) {
			continue
		}
		for _, p := range prefixes {
			dict, err := r.FieldDictPrefix(f.Name(), []byte(p))
			if err == nil {
				err = AddCounts(counts, dict)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return MostFrequent(counts, n), nil
}

func AddCounts(counts map[string]uint64, dict bleve.FieldDict) error {
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			return err
		}
		counts[e.Term] += e.Count
	}
}

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

// Frequency is the number of live postings of a term.
func Frequency(r *Snapshot, term string) (n uint64, err error) {
	for f := range page.NumFields {
		tfr, err := r.TermFieldReader(context.Background(), []byte(term), f.Name(), false, false, false)
		if err != nil {
			return 0, err
		}
		n += tfr.Count()
		tfr.Close()
	}
	return n, nil
}

// Known reports whether one of some terms is anywhere.
func Known(r *Snapshot, terms []string) (bool, error) {
	for _, t := range terms {
		if n, err := Frequency(r, t); err != nil || n > 0 {
			return true, err
		}
	}
	return false, nil
}

// Accepted calls fn with the terms of a field that an automaton accepts, some of them more than
// once, those of entries that were replaced too.
func (s *Snapshot) Accepted(f page.Field, a segment.Automaton, fn func(term string)) error {
	for _, seg := range s.segments() {
		dict, err := seg.Segment().Dictionary(f.Name())
		if err != nil {
			return err
		}
		for terms := dict.AutomatonIterator(a, nil, nil); ; {
			e, err := terms.Next()
			if err != nil {
				return err
			}
			if e == nil {
				break
			}
			fn(e.Term)
		}
	}
	return nil
}
