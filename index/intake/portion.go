package intake

import (
	"context"
	"kist/index/frugal"
	"kist/index/page"
	"kist/index/store"
	"runtime"
)

// A batch of files is committed when it has this many bytes of text or entries. Larger
// ones cost memory and gain nothing: measured on 6,289 files, batches of 1 MB
// build as fast as those of 5 MB and peak at a third of the memory.
const (
	BatchBytes   = 1 << 20
	BatchEntries = 4000
)

// A long file is written by so many bytes of text, or entries, at a time: half a batch of
// short files, because its own text is in memory all the while.
const (
	portionBytes   = BatchBytes / 2
	portionEntries = BatchEntries / 4
)

// A Portion is what is written to a store at a time: the entries of some short files,
// or some of those of a long one. They and what bleve makes of them take many times
// their text, so they are let go before others are made.
type Portion struct {
	Batch   *store.Batch
	entries []written
	bytes   int
	commit  func(*store.Batch) error
}

// A written entry is one of a prepared file.
type written struct {
	of      *File
	ordinal int
	doc     page.Entry
}

// NewPortion returns an empty one; commit writes a batch.
func NewPortion(commit func(*store.Batch) error) *Portion {
	return &Portion{Batch: store.NewBatch(), commit: commit}
}

// Add puts the entries of a prepared file into the batch, but for those that its holding
// keeps, and writes as often as a long one takes. An error is commit's or ctx's; then
// some of the file may have been written.
func (q *Portion) Add(ctx context.Context, p *File) error {
	if p.Same || p.Err != nil {
		return nil
	}
	if p.Long() {
		defer frugal.Be()()
		runtime.GC() // of what parsing leaves, and, below, writing
	}
	for i := range p.Count {
		if p.Holding.Keeps(i) {
			p.measure(i, p.Holding.Lengths(i))
			continue
		}
		doc := p.Page.Entry(i, p.Analyzer)
		q.Batch.Put(doc)
		q.entries = append(q.entries, written{p, i, doc})
		q.bytes += p.Page.Length(i)
		if !p.Long() || q.bytes < portionBytes && len(q.entries) < portionEntries {
			continue
		}
		if err := q.Write(); err != nil {
			return err
		}
		runtime.GC()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Write has the batch carried out, if there is anything in it, and begins another.
func (q *Portion) Write() error {
	if q.Batch.Empty() {
		return nil
	}
	if err := q.commit(q.Batch); err != nil {
		return err
	}
	for _, e := range q.entries {
		e.of.measure(e.ordinal, e.doc.Lengths())
		if e.of.Embedding != nil {
			e.of.Embedding.Add(e.ordinal, e.doc)
		}
	}
	*q = *NewPortion(q.commit)
	return nil
}
