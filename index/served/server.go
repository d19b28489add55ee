package served

import (
	"context"
	"fmt"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/parallel"
	"kist/index/quiet"
	"kist/index/vectorcache"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
	"time"
)

const (
	// After a failure the server is left alone for a moment, each time twice as long, but
	// one that comes back is noticed within ten seconds.
	retryLeast = time.Second
	retryMost  = 8 * time.Second
)

// Server is what has to do with an Embedder. Its vectors are a second set beside the
// ones learned from the vault, which go on serving until the set is complete, and
// whenever a query can't be embedded.
type Server struct {
	embedder Embedder
	private  func(path string) bool // what it must not be given; nil: nothing
	cache    *vectorcache.Cache
	queries  *queries
	look     chan struct{} // holds a token when there may be something to embed
	Again    chan struct{} // holds a token when the server is known to be back

	mu      sync.Mutex
	of      any               // whose files todo is about; nil: not compared yet
	todo    map[string]uint64 // documents without vectors; see mark
	marks   uint64
	problem string // why nothing goes on; empty: it does

	odds sync.Mutex
	odd  map[vectorcache.Key]bool // texts that the server won't have
}

// maxOdd bounds what is remembered of texts that the server won't have.
const maxOdd = 10_000

func New(e Embedder, private func(path string) bool, dir string) (*Server, error) {
	c, err := vectorcache.Open(dir, e.Model())
	if err != nil {
		return nil, err
	}
	return &Server{
		embedder: e, private: private, cache: c, queries: newQueries(e, c.Dimension),
		look: make(chan struct{}, 1), Again: make(chan struct{}, 1),
		todo: map[string]uint64{}, odd: map[vectorcache.Key]bool{},
	}, nil
}

// Close may be called on nil.
func (r *Server) Close() error {
	if r == nil {
		return nil
	}
	r.queries.close()
	return r.cache.Close()
}

// Model is the name of what makes the vectors.
func (r *Server) Model() string { return r.embedder.Model() }

// Dimension is that of the vectors; 0: none has been made yet.
func (r *Server) Dimension() int { return r.cache.Dimension() }

// LookAgain has the server see whether there is something to embed.
func (r *Server) LookAgain() { parallel.Signal(r.look) }

// Attend has the server see to the documents of something else than before; begin, which is called
// if it is something else, marks those that lack vectors.
func (r *Server) Attend(of any, begin func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == of {
		return
	}
	r.of = of
	clear(r.todo)
	begin()
}

// During calls fn, which may mark documents, if the server sees to something: else all of its
// documents are looked at later.
func (r *Server) During(of any, fn func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == of {
		fn()
	}
}

// Mark notes that a document has to be embedded. Each mark is another one, so that who
// embedded a document can tell whether it has changed since: a flag could not.
// It is for functions that attend and during call, as is unmark.
func (r *Server) Mark(path string) {
	r.marks++
	r.todo[path] = r.marks
}

// Unmark notes that a document has no need to be embedded any more.
func (r *Server) Unmark(path string) { delete(r.todo, path) }

// Left is how many documents are to be embedded.
func (r *Server) Left() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.todo)
}

// Settle takes marks back. Before, it calls publish with what tells whether a document still has
// its mark: if not it was changed, moved or deleted since it was read. What could not be read, or
// isn't what is indexed, is marked again when it is published.
func (r *Server) Settle(marks map[string]uint64, publish func(still func(path string) bool)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	still := func(path string) bool { mark, asked := marks[path]; return asked && r.todo[path] == mark }
	publish(still)
	for path := range marks {
		if still(path) {
			delete(r.todo, path)
		}
	}
}

// Next are some documents to embed next, by path, with their marks.
func (r *Server) Next(n int) map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	// The newest first: what was saved just now is what is looked for next.
	marks := slices.Collect(maps.Values(r.todo))
	sort.Slice(marks, func(i, j int) bool { return marks[i] < marks[j] })
	marks = marks[max(0, len(marks)-n):]
	out := make(map[string]uint64, len(marks))
	for path, mark := range r.todo {
		if mark >= marks[0] {
			out[path] = mark
		}
	}
	return out
}

// Follow calls work whenever there may be something to do, and again after a failure,
// later each time. It calls report on a first failure and when all is well again.
func (r *Server) Follow(ctx context.Context, work func(context.Context) error, report func(error, time.Duration)) {
	failures := 0
	for {
		var timer <-chan time.Time
		look := r.look
		if failures > 0 {
			// Nothing but time, or a server that answers again, is a reason to try.
			look = nil
			timer = time.After(backOff(failures, rand.Float64()))
		}
		select {
		case <-look:
		case <-timer:
		case <-r.Again:
		case <-ctx.Done():
			return
		}
		err := work(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if failures > 0 {
				report(nil, 0)
			}
			failures = 0
			r.SetProblem(nil)
		default:
			if failures++; failures == 1 {
				report(err, backOff(1, 0))
			}
			r.SetProblem(err)
		}
	}
}

// backOff is how long to wait after so many failures: twice as long each time up to a
// ceiling, and up to a quarter longer by chance (0 to 1), lest all daemons of a network
// come back to a server at once.
func backOff(failures int, chance float64) time.Duration {
	d := retryMost
	if n := failures - 1; n < 16 {
		d = min(retryMost, retryLeast<<n)
	}
	return d + time.Duration(chance*float64(d)/4)
}

func (r *Server) SetProblem(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problem = ""
	if err != nil {
		r.problem = fmt.Sprintf("%s: %v; %s; it is tried again by itself", r.embedder.Model(), err, hintOf(err))
	} else {
		r.queries.well()
	}
}

// Query is the vector of a text, if it is wanted and can be had in a moment; else the server is
// asked whether it is back.
func (r *Server) Query(ctx context.Context, text string, wanted bool) []float32 {
	if r.private != nil && quiet.In(ctx) {
		return nil
	}
	if !wanted {
		r.wake(text)
		return nil
	}
	q, answered := r.queries.vector(ctx, text)
	switch {
	case answered:
		r.heard()
	case q != nil: // it was known, and so the server not asked
		r.wake(text)
	}
	return q
}

// wake finds out whether a server is back that documents wait for.
func (r *Server) wake(text string) {
	r.mu.Lock()
	failing := r.problem != ""
	r.mu.Unlock()
	if failing {
		r.queries.wake(text, r.heard)
	}
}

// heard has documents embedded at once if that had to be put off.
func (r *Server) heard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem != "" {
		parallel.Signal(r.Again)
	}
}

// cacheSlack is how many vectors more than four for each section there may be before
// the cache is shortened.
const cacheSlack = 10_000

// Trim shortens the cache when it holds many times what documents of so many sections together
// need, after years of changes. As much again as is needed stays, the newest of it, for what is
// taken back.
func (r *Server) Trim(ctx context.Context, paths []string, sections int, read func(path string) (*page.File, manifest.Entry, error)) error {
	if r.cache.Size() <= cacheSlack+4*sections {
		return nil
	}
	wanted := make(map[vectorcache.Key]bool, sections)
	_, prompt := r.embedder.Prompts()
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f, e, err := read(path)
		if err != nil {
			continue
		}
		for _, p := range Passages(f, prompt, e) {
			wanted[p.key] = true
		}
	}
	return r.cache.Keep(func(k vectorcache.Key) bool { return wanted[k] }, sections)
}
