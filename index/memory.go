package index

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

const (
	// heldBytes bounds the text of files that all searches, and the learning of vectors,
	// have in memory at a time, beside what is being indexed.
	heldBytes = maxFile
	// overlayBytes bounds the text that all searches together have prepared.
	overlayBytes = 3 * maxFile / 2
	// shortFile isn't counted: it isn't worth waiting for.
	shortFile = 64 << 10
)

// frugalPercent is how much litter there may be, in percent of what is in use, while the
// text of a long file is held. Go's 100 would double all of it.
const frugalPercent = 25

// frugal is the process's, as is the percentage that it sets: a second index, which a
// check makes, must not restore what the first one set.
var frugal struct {
	sync.Mutex
	holders int
	before  int
}

// beFrugal has memory collected more often until end is called.
func beFrugal() (end func()) {
	frugal.Lock()
	defer frugal.Unlock()
	if frugal.holders++; frugal.holders == 1 {
		frugal.before = debug.SetGCPercent(frugalPercent)
	}
	return func() {
		frugal.Lock()
		defer frugal.Unlock()
		if frugal.holders--; frugal.holders == 0 {
			debug.SetGCPercent(frugal.before)
		}
	}
}

// A budget is shared by all who take memory for the text of files. Who has some of it
// may ask for more only with a deadline.
type budget struct {
	semaphore *semaphore.Weighted
	total     int64
}

func newBudget(total int64) budget { return budget{semaphore.NewWeighted(total), total} }

// take waits for room for so many bytes; who asks for more than there is gets all of it.
// It returns ctx's error. release gives the room back.
func (b budget) take(ctx context.Context, bytes int64) (release func(), err error) {
	if bytes <= shortFile {
		return func() {}, nil
	}
	bytes = min(bytes, b.total)
	if err := b.semaphore.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { b.semaphore.Release(bytes) }, nil
}

// hold makes room for reading a file of so many bytes, for a search or for vectors.
func hold(ctx context.Context, x *Index, bytes int64) (release func(), err error) {
	give, err := x.held.take(ctx, bytes)
	if err != nil || bytes < batchBytes {
		return give, err
	}
	end := beFrugal()
	return func() {
		runtime.GC() // before the next one comes
		end()
		give()
		x.heavy()
		signal(x.learn)
	}, nil
}

// holdPath is hold for a file that is indexed, or else for as much as there may be.
func holdPath(ctx context.Context, x *Index, path string) (release func(), err error) {
	info, err := x.source.Stat(path)
	if err != nil {
		return func() {}, ctx.Err() // who reads it is told
	}
	return hold(ctx, x, min(info.Size, maxFile))
}
