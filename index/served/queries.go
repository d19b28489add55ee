package served

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"
)

const (
	// queryLimit is how long a search waits for the vector of its query. What comes later
	// serves the next one like it.
	queryLimit = 300 * time.Millisecond
	// queryPatience is how long the server is given: it may have to load the model first,
	// and Ollama stops loading when nobody waits.
	queryPatience = time.Minute
	// keptQueries are remembered: a query is often asked again, with another page or filter.
	keptQueries = 128
	// maxQueryText is how much of a query is embedded.
	maxQueryText = 2 << 10
	// pauseMost is how long searches go without asking, at most, after failures in a row.
	pauseMost = 8 * time.Second
	// quickFailure: where nothing listens and that is known so soon, there is no pause. To
	// ask costs nothing, and the first search after a server's return finds it.
	quickFailure = 50 * time.Millisecond
)

// queries embeds what is searched for. One is asked for at a time, so that a slow
// server gets no heap of them.
type queries struct {
	embedder Embedder
	dim      func() int
	running  sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	stop    context.CancelFunc // of the last request, which outlives its search; nil: none
	busy    bool
	faults  int       // pauses in a row
	slow    int       // slow answers in a row
	until   time.Time // nothing is asked before
	failing bool      // the last answer was none
	vectors map[string][]float32
	order   []string // of vectors, oldest first
	late    bool     // the last search went without, because the server is slow
}

func newQueries(e Embedder, dim func() int) *queries {
	return &queries{embedder: e, dim: dim, vectors: map[string][]float32{}}
}

func (q *queries) close() {
	q.mu.Lock()
	q.closed = true
	if q.stop != nil {
		q.stop()
	}
	q.mu.Unlock()
	q.running.Wait()
}

// well notes that the server answers.
func (q *queries) well() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.busy {
		q.faults, q.until, q.failing = 0, time.Time{}, false
	}
}

// vector embeds a text, if that can be done in a moment; else it returns nil. answered
// reports that the server has just been heard of.
func (q *queries) vector(ctx context.Context, text string) (v []float32, answered bool) {
	text = cutText(text, maxQueryText)
	q.mu.Lock()
	v, known := q.vectors[text]
	if known || q.busy || q.closed || time.Now().Before(q.until) {
		if known {
			q.late = false
		}
		q.mu.Unlock()
		return v, false
	}
	q.busy = true
	q.running.Add(1)
	q.mu.Unlock()
	done := make(chan []float32, 1)
	go func() {
		defer q.running.Done()
		done <- q.ask(text)
	}()
	timer := time.NewTimer(queryLimit)
	defer timer.Stop()
	select {
	case v := <-done:
		return v, v != nil
	case <-ctx.Done():
	case <-timer.C:
		q.mu.Lock()
		q.late = true
		q.mu.Unlock()
	}
	return nil, false
}

// wake asks for a text's vector without waiting for it, and calls answered if it comes: the
// server is back.
func (q *queries) wake(text string, answered func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy || q.closed || time.Now().Before(q.until) {
		return
	}
	q.busy = true
	q.running.Go(func() {
		if q.ask(cutText(text, maxQueryText)) != nil {
			answered()
		}
	})
}

// ask makes the request and remembers what came of it.
func (q *queries) ask(text string) []float32 {
	ctx, cancel := context.WithTimeout(context.Background(), queryPatience)
	defer cancel()
	q.mu.Lock()
	if q.stop = cancel; q.closed {
		cancel()
	}
	q.mu.Unlock()
	prompt, _ := q.embedder.Prompts()
	began := time.Now()
	vectors, err := q.embedder.Embed(ctx, []string{prompt + text})
	if err == nil {
		err = checkVectors(vectors, 1, q.dim())
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy, q.failing = false, false
	switch {
	case err != nil:
		q.failing = true
		if !errors.Is(err, syscall.ECONNREFUSED) || time.Since(began) > quickFailure {
			q.pause()
		}
		return nil
	case time.Since(began) > queryLimit:
		// Slow once is a model that was loaded; slow again is a slow server, and each
		// search would wait in vain.
		if q.slow++; q.slow > 1 {
			q.pause()
		}
	default:
		q.faults, q.slow, q.late = 0, 0, false
	}
	q.remember(text, vectors[0])
	return vectors[0]
}

// pause has nothing asked for some time, longer each time in a row. The caller holds
// the mutex.
func (q *queries) pause() {
	q.until = time.Now().Add(min(pauseMost, time.Second<<min(q.faults, 10)))
	q.faults++
}

func (q *queries) remember(text string, v []float32) {
	if _, known := q.vectors[text]; known {
		q.vectors[text] = v
		return
	}
	if len(q.order) >= keptQueries {
		delete(q.vectors, q.order[0])
		q.order = q.order[1:]
	}
	q.vectors[text] = v
	q.order = append(q.order, text)
}

// state says why searches go without: the server fails, or is late.
func (q *queries) state() (failing, late bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failing, q.late
}
