/*
Package oldzap stands in for versions 11 to 16 of zapx, the format of bleve's segments: the modules
below it take their places by replace lines of kist's go.mod, each of which needs a folder of its
own. bleve registers all versions, half a megabyte of code that reads and writes what no index of
kist holds: an index is built anew where its format has changed.
*/
package oldzap

import (
	"errors"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

var errOld = errors.New("a segment of a format that isn't read any more")

// Plugin is the plugin of version 0, which no segment has. Its methods return an error.
type Plugin struct{}

// Type names the format.
func (*Plugin) Type() string { return "zap" }

// Version is none of a segment's.
func (*Plugin) Version() uint32 { return 0 }

// New fails.
func (*Plugin) New([]index.Document) (segment.Segment, uint64, error) { return nil, 0, errOld }

// NewUsing fails.
func (*Plugin) NewUsing([]index.Document, map[string]any) (segment.Segment, uint64, error) {
	return nil, 0, errOld
}

// Open fails.
func (*Plugin) Open(string) (segment.Segment, error) { return nil, errOld }

// OpenUsing fails.
func (*Plugin) OpenUsing(string, map[string]any) (segment.Segment, error) { return nil, errOld }

// Merge fails.
func (*Plugin) Merge([]segment.Segment, []*roaring.Bitmap, string, chan struct{}, segment.StatsReporter) ([][]uint64, uint64, error) {
	return nil, 0, errOld
}

// MergeUsing fails.
func (*Plugin) MergeUsing([]segment.Segment, []*roaring.Bitmap, string, chan struct{}, segment.StatsReporter, map[string]any) ([][]uint64, uint64, error) {
	return nil, 0, errOld
}
