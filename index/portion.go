package index

import (
	"context"
	"kist/index/frugal"
	"kist/index/page"
	"kist/index/store"
	"runtime"
)

// A long file is written by so many bytes of text, or entries, at a time: half a batch of
// short files, because its own text is in memory all the while.
const (
	portionBytes   = batchBytes / 2
	portionEntries = batchEntries / 4
)

// A portion is what is written to a store at a time: the entries of some short files,
// or some of those of a long one. They and what bleve makes of them take many times
// their text, so they are let go before others are made.
type portion struct {
	batch   *store.Batch
	entries []written
	bytes   int
	commit  func(*store.Batch) error
}

// A written entry is one of a prepared file.
type written struct {
	of      *prepared
	ordinal int
	doc     page.Entry
}

func newPortion(commit func(*store.Batch) error) *portion {
	return &portion{batch: store.NewBatch(), commit: commit}
}

// add puts the entries of a prepared file into the batch, but for those that its holding
// keeps, and writes as often as a long one takes. An error is commit's or ctx's; then
// some of the file may have been written.
func (q *portion) add(ctx context.Context, p *prepared) error {
	if p.same || p.err != nil {
		return nil
	}
	if p.long() {
		defer frugal.Be()()
		runtime.GC() // of what parsing leaves, and, below, writing
	}
	for i := range p.count {
		if p.holding.Keeps(i) {
			p.measure(i, p.holding.Lengths(i))
			continue
		}
		doc := p.file.Entry(i, p.Analyzer)
		q.batch.Put(doc)
		q.entries = append(q.entries, written{p, i, doc})
		q.bytes += p.file.Length(i)
		if !p.long() || q.bytes < portionBytes && len(q.entries) < portionEntries {
			continue
		}
		if err := q.write(); err != nil {
			return err
		}
		runtime.GC()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// write has the batch carried out, if there is anything in it, and begins another.
func (q *portion) write() error {
	if q.batch.Empty() {
		return nil
	}
	if err := q.commit(q.batch); err != nil {
		return err
	}
	for _, e := range q.entries {
		e.of.measure(e.ordinal, e.doc.Lengths())
		if e.of.embedding != nil {
			e.of.embedding.add(e.ordinal, e.doc)
		}
	}
	*q = *newPortion(q.commit)
	return nil
}
