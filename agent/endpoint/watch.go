package endpoint

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// A Watch takes the time in which somebody waited for servers. It may be read at any time.
type Watch struct{ waited, asked atomic.Int64 }

// Waited is how long requests, and readers of their answers, were held up until now. What
// a server does while nobody waits for it isn't in it.
func (w *Watch) Waited() time.Duration { return time.Duration(w.waited.Load()) }

// Asked is how many requests were made.
func (w *Watch) Asked() int { return int(w.asked.Load()) }

type watchKey struct{}

// Watched returns a context whose requests, of any endpoint, a watch is taken of.
func Watched(ctx context.Context) (context.Context, *Watch) {
	w := &Watch{}
	return context.WithValue(ctx, watchKey{}, w), w
}

// watchOf returns the watch of a context; nil: there is none.
func watchOf(ctx context.Context) *Watch {
	w, _ := ctx.Value(watchKey{}).(*Watch)
	return w
}

// since adds what a wait took that has just ended.
func (w *Watch) since(began time.Time) {
	if w != nil {
		w.waited.Add(int64(time.Since(began)))
	}
}

func (w *Watch) request() {
	if w != nil {
		w.asked.Add(1)
	}
}

// body watches the readers of an answer.
func (w *Watch) body(b io.ReadCloser) io.ReadCloser {
	if w == nil {
		return b
	}
	return &watched{b, w}
}

type watched struct {
	io.ReadCloser
	watch *Watch
}

func (b *watched) Read(p []byte) (int, error) {
	defer b.watch.since(time.Now())
	return b.ReadCloser.Read(p)
}
