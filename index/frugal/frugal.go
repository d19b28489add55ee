// Package frugal keeps the memory small that long texts take.
package frugal

import (
	"context"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// shortFile is a text, in bytes, that isn't counted: it isn't worth waiting for.
const shortFile = 64 << 10

// percent is how much litter there may be, in percent of what is in use, while the
// text of a long file is held. Go's 100 would double all of it.
const percent = 25

// process is one for all, as is the percentage that it sets: a second index, which a
// check makes, must not restore what the first one set.
var process struct {
	sync.Mutex
	holders int
	before  int
}

// Be has memory collected more often until end is called.
func Be() (end func()) {
	process.Lock()
	defer process.Unlock()
	if process.holders++; process.holders == 1 {
		process.before = debug.SetGCPercent(percent)
	}
	return func() {
		process.Lock()
		defer process.Unlock()
		if process.holders--; process.holders == 0 {
			debug.SetGCPercent(process.before)
		}
	}
}

// A Budget is shared by all who take memory for the text of files. Who has some of it
// may ask for more only with a deadline.
type Budget struct {
	semaphore *semaphore.Weighted
	total     int64
}

// NewBudget returns one of so many bytes.
func NewBudget(total int64) Budget { return Budget{semaphore.NewWeighted(total), total} }

// Take waits for room for so many bytes; who asks for more than there is gets all of it.
// It returns ctx's error. release gives the room back.
func (b Budget) Take(ctx context.Context, bytes int64) (release func(), err error) {
	if bytes <= shortFile {
		return func() {}, nil
	}
	bytes = min(bytes, b.total)
	if err := b.semaphore.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	return func() { b.semaphore.Release(bytes) }, nil
}
