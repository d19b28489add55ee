package watch

import (
	"errors"
	"fmt"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// A source is the part of fsnotify that is used here.
type source struct {
	events  <-chan fsnotify.Event
	errors  <-chan error
	watches placer
}

// A placer places and lifts the watches of single folders.
type placer interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error // closes the source's channels
}

func openFsnotify() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return source{}, err
	}
	return source{events: w.Events, errors: w.Errors, watches: w}, nil
}

// A limitError says that this machine lets no more folders be watched.
type limitError struct{ err error }

func (e *limitError) Error() string {
	switch {
	case errors.Is(e.err, syscall.ENOSPC):
		return "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
	case errors.Is(e.err, syscall.EMFILE), errors.Is(e.err, syscall.ENFILE):
		return "the system's limit of open files or watchers is reached (fs.inotify.max_user_instances, ulimit -n)"
	}
	return fmt.Sprintf("folders can't be watched: %v", e.err)
}

func (e *limitError) Unwrap() error { return e.err }

// queueLimit bounds the memory of events that wait for their conversion; it is
// far above the kernel's own limit of 16,384 and about 10 MB.
const queueLimit = 1 << 17

// A queue takes events from a source as fast as they come and keeps them until
// they are converted. Nothing else may be done between, because the kernel drops
// events while nobody reads them.
type queue struct {
	limit  int
	filled chan struct{} // receives when there is something to take
	done   sync.WaitGroup

	mu     sync.Mutex // guards what follows
	events []fsnotify.Event
	err    error // events are missing
}

func newQueue(s source, limit int) *queue {
	q := &queue{limit: limit, filled: make(chan struct{}, 1)}
	q.done.Go(func() { q.drain(s) })
	return q
}

func (q *queue) drain(s source) {
	for {
		select {
		case ev, ok := <-s.events:
			if !ok {
				q.fail(fsnotify.ErrClosed)
				return
			}
			q.put(ev)
		case err, ok := <-s.errors:
			if !ok {
				q.fail(fsnotify.ErrClosed)
				return
			}
			q.fail(err)
		}
	}
}

func (q *queue) put(ev fsnotify.Event) {
	q.mu.Lock()
	if len(q.events) < q.limit {
		q.events = append(q.events, ev)
	} else {
		q.err = fsnotify.ErrEventOverflow
	}
	q.mu.Unlock()
	q.signal()
}

func (q *queue) fail(err error) {
	q.mu.Lock()
	if q.err == nil {
		q.err = err
	}
	q.mu.Unlock()
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.filled <- struct{}{}:
	default:
	}
}

// take empties the queue. An error means that events are missing from it.
func (q *queue) take() ([]fsnotify.Event, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = nil, nil
	return events, err
}
