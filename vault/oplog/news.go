package oplog

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

// News hands operations to whoever watches. A writer never waits: a reader whose
// buffer is full is dropped with ErrResync.
type News struct {
	mu      sync.Mutex
	closed  bool
	readers map[*newsReader]bool
}

type newsReader struct {
	c    chan *Operation // of all readers the same one, which nobody changes
	full bool
}

// NewNews returns news without readers.
func NewNews() *News { return &News{readers: map[*newsReader]bool{}} }

// Send tells all readers of an operation.
func (n *News) Send(op Operation) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for r := range n.readers {
		select {
		case r.c <- &op:
		default:
			r.full = true
			delete(n.readers, r)
			close(r.c)
		}
	}
}

// Close ends all streams.
func (n *News) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for r := range n.readers {
		delete(n.readers, r)
		close(r.c)
	}
}

func (n *News) subscribe() *newsReader {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := &newsReader{c: make(chan *Operation, newsBuffer)}
	if n.closed {
		close(r.c)
		return r
	}
	n.readers[r] = true
	return r
}

func (n *News) drop(r *newsReader) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.readers[r] {
		delete(n.readers, r)
		close(r.c)
	}
}

// Watch yields operations as their status changes, from the call on.
// The sequence ends with ErrResync for a reader that falls too far behind, with
// ctx's error, or without one when the vault closes.
func (n *News) Watch(ctx context.Context) iter.Seq2[Operation, error] {
	r := n.subscribe()
	return func(yield func(Operation, error) bool) {
		defer n.drop(r)
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
				if !yield(*op, nil) {
					return
				}
			}
		}
	}
}
