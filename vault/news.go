package vault

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// ErrResync ends a stream whose reader fell so far behind that news was lost: it
// should list operations and watch anew.
var ErrResync = errors.New("fell behind; read the list and watch again")

// newsBuffer is how many operations a slow reader may lag behind.
const newsBuffer = 1024

// news hands operations to whoever watches. A writer never waits: a reader whose
// buffer is full is dropped with ErrResync.
type news struct {
	mu      sync.Mutex
	closed  bool
	readers map[*newsReader]bool
}

type newsReader struct {
	c    chan Operation
	full bool
}

func newNews() *news { return &news{readers: map[*newsReader]bool{}} }

func (n *news) send(op Operation) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r := range n.readers {
		select {
		case r.c <- op:
		default:
			r.full = true
			delete(n.readers, r)
			close(r.c)
		}
	}
}

func (n *news) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for r := range n.readers {
		delete(n.readers, r)
		close(r.c)
	}
}

func (n *news) subscribe() *newsReader {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := &newsReader{c: make(chan Operation, newsBuffer)}
	if n.closed {
		close(r.c)
		return r
	}
	n.readers[r] = true
	return r
}

func (n *news) drop(r *newsReader) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.readers[r] {
		delete(n.readers, r)
		close(r.c)
	}
}

// WatchOperations yields operations as their status changes, from the call on.
// The sequence ends with ErrResync for a reader that falls too far behind, with
// ctx's error, or without one when the vault closes.
func (v *Vault) WatchOperations(ctx context.Context) iter.Seq2[Operation, error] {
	r := v.news.subscribe()
	return func(yield func(Operation, error) bool) {
		defer v.news.drop(r)
		for {
			select {
			case <-ctx.Done():
				yield(Operation{}, ctx.Err())
				return
			case op, ok := <-r.c:
				if !ok {
					if r.full {
						yield(Operation{}, ErrResync)
					}
					return
				}
				if !yield(op, nil) {
					return
				}
			}
		}
	}
}
