package index

import (
	"kist/index/page"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"kist/index/section"
)

// locate calls fn with the live entries of a segment that have a term in a field, in order. The
// numbers of their locations mean what [section] says.
func locate(s *scorch.SegmentSnapshot, f page.Field, term string, locations bool, fn func(segment.Posting)) error {
	dict, err := s.Segment().Dictionary(f.Name())
	if err != nil {
		return err
	}
	list, err := dict.PostingsList([]byte(term), s.Deleted(), nil)
	if err != nil {
		return err
	}
	it := list.Iterator(true, true, locations, nil)
	for {
		p, err := it.Next()
		if err != nil || p == nil {
			return err
		}
		fn(p)
	}
}

// storedTable is that of an entry of a segment.
func storedTable(s *scorch.SegmentSnapshot, number uint64) (table section.Table, err error) {
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
