package store

import (
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/page"
)

// A Batch is what is written to a store at a time.
type Batch struct{ batch *bleve.Batch }

// NewBatch returns an empty batch.
func NewBatch() *Batch { return &Batch{bleve.NewBatch()} }

// Put has an entry take the place of the one with its id.
func (b *Batch) Put(e page.Entry) { b.batch.Update(e.Document) }

// Delete has the entry with an id removed.
func (b *Batch) Delete(id string) { b.batch.Delete(id) }

// Empty reports whether there is nothing to be done.
func (b *Batch) Empty() bool { return len(b.batch.IndexOps) == 0 }
