package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"kist/index/store"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"kist/index/intake"
	"kist/index/rank"
	"kist/index/vector"
	"kist/index/vectorcache"
)

// servedPrefix begins the name of the file of the vectors that an Embedder made for a
// store; the store's id follows.
const servedPrefix = "served-"

// served is what has to do with an Embedder. Its vectors are a second set beside the
// ones learned from the vault, which go on serving until the set is complete, and
// whenever a query can't be embedded.
type served struct {
	embedder Embedder
	private  func(path string) bool // what it must not be given; nil: nothing
	cache    *vectorcache.Cache
	queries  *queries
	look     chan struct{} // holds a token when there may be something to embed
	again    chan struct{} // holds a token when the server is known to be back

	mu      sync.Mutex
	of      *generation       // whose files todo is about; nil: not compared yet
	todo    map[string]uint64 // documents without vectors; see mark
	marks   uint64
	odd     map[vectorcache.Key]bool // texts that the server won't have
	problem string                   // why nothing goes on; empty: it does
}

// maxOdd bounds what is remembered of texts that the server won't have.
const maxOdd = 10_000

func newServed(e Embedder, private func(path string) bool, dir string) (*served, error) {
	c, err := vectorcache.Open(dir, e.Model())
	if err != nil {
		return nil, err
	}
	return &served{
		embedder: e, private: private, cache: c, queries: newQueries(e, c.Dimension),
		look: make(chan struct{}, 1), again: make(chan struct{}, 1),
		todo: map[string]uint64{}, odd: map[vectorcache.Key]bool{},
	}, nil
}

// close may be called on nil.
func (r *served) close() error {
	if r == nil {
		return nil
	}
	r.queries.close()
	return r.cache.Close()
}

// mark notes that a document has to be embedded. Each mark is another one, so that who
// embedded a document can tell whether it has changed since: a flag could not.
// The caller holds the mutex.
func (r *served) mark(path string) {
	r.marks++
	r.todo[path] = r.marks
}

// signal gives a channel its token.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func servedName(dir string, s *store.Store) string { return filepath.Join(dir, servedPrefix+s.ID) }

const servedMagic = "kistserv1"

// servedAttachment is what the file carries: whether it was complete once, and the
// model's name.
func servedAttachment(model string, ready bool) []byte {
	out := append([]byte(servedMagic), 0)
	if ready {
		out[len(out)-1] = 1
	}
	return append(out, model...)
}

// openServed opens the file of a store's served vectors; fs.ErrNotExist when there is
// none, and ErrDamaged also when they are another model's.
func openServed(dir string, s *store.Store, model string) (*vectors, error) {
	set, attached, err := vector.Open(servedName(dir, s), s.Tables.Number)
	if err != nil {
		return nil, err
	}
	ready := bytes.Equal(attached, servedAttachment(model, true))
	if !ready && !bytes.Equal(attached, servedAttachment(model, false)) {
		return nil, errors.Join(vector.ErrDamaged, set.Close())
	}
	return &vectors{Meaning: rank.Meaning{Set: set}, ready: ready}, nil
}

// loadServed gives a generation the served vectors that are stored for it. What can't
// be used is made anew, most of it from the cache.
func (x *Index) loadServed(g *generation) {
	if x.served == nil {
		return
	}
	v, err := openServed(x.dir, g.store, x.served.embedder.Model())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		x.log.Info("documents are embedded anew", "model", x.served.embedder.Model(), "reason", err)
		os.Remove(servedName(x.dir, g.store))
	case x.served.cache.Dimension() != 0 && x.served.cache.Dimension() != v.Set.Dim():
		v.close()
		os.Remove(servedName(x.dir, g.store))
	default:
		g.served = v
	}
}

// serveBatch brings the served vectors of committed files up to date as far as the
// cache can, and notes what is to be asked for. The caller holds the writing token.
func (x *Index) serveBatch(g *generation, batch []intake.File) {
	r := x.served
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of != g {
		return // all of its documents are looked at later
	}
	for _, p := range batch {
		switch {
		case p.Gone:
			delete(r.todo, p.Path)
			if g.served != nil {
				g.served.Set.Delete(p.Path)
			}
		case p.Same || p.Err != nil:
		default:
			r.mark(p.Path)
			d := r.document(p.Page, p.Hash, g.manifest.Files[p.Path])
			x.putServed(g, d)
			if d.complete() && g.served != nil {
				delete(r.todo, p.Path)
			}
		}
	}
}

// putServed publishes what is known of a document's vectors. One that lacks some gets
// a stamp that no text has. The caller holds the writing token.
func (x *Index) putServed(g *generation, d servedDocument) {
	if g.served == nil {
		return
	}
	out := vector.Document{Key: d.path}
	if d.complete() {
		out.Stamp = vector.Stamp(d.hash)
	}
	for _, p := range d.passages {
		if p.vector != nil {
			out.Passages = append(out.Passages, vector.Passage{Ordinal: p.ordinal, Vector: p.vector})
		}
	}
	g.served.Set.Put(out)
}

// surveyServed finds out which documents lack vectors, once for each generation, and
// gives the generation a set where there can be one.
func (x *Index) surveyServed(ctx context.Context) (*generation, error) {
	release, err := x.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	r, g := x.served, x.current
	if g.served == nil && r.cache.Dimension() != 0 {
		if err := x.newServedSet(g, r.cache.Dimension()); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == g {
		return g, nil
	}
	r.of = g
	clear(r.todo)
	for path, e := range g.manifest.Files {
		if g.served != nil {
			if stamp, ok := g.served.Set.Stamp(path); ok && stamp == vector.Stamp(e.Hash) {
				continue
			}
		}
		r.mark(path)
	}
	if g.served == nil {
		return g, nil
	}
	for _, key := range g.served.Set.Keys() {
		if _, ok := g.manifest.Files[key]; !ok {
			g.served.Set.Delete(key)
		}
	}
	return g, nil
}

// newServedSet gives a generation an empty set. The caller holds the writing token.
func (x *Index) newServedSet(g *generation, dim int) error {
	none := iter.Seq2[vector.Document, error](func(func(vector.Document, error) bool) {})
	model := x.served.embedder.Model()
	if err := vector.Write(servedName(x.dir, g.store), dim, none, servedAttachment(model, false)); err != nil {
		return err
	}
	return x.swapServed(g)
}

// swapServed puts the stored vectors into use. The caller holds the writing token.
func (x *Index) swapServed(g *generation) error {
	next, err := openServed(x.dir, g.store, x.served.embedder.Model())
	if err != nil {
		return err
	}
	x.mu.Lock()
	old := g.served
	g.served = next
	x.mu.Unlock()
	return old.close()
}

// foldServed writes the set to its file where enough has changed, or where it is
// complete for the first time: from then on searches use it.
func (x *Index) foldServed(ctx context.Context, g *generation) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	r := x.served
	if g != x.current || g.served == nil {
		return nil
	}
	r.mu.Lock()
	complete := len(r.todo) == 0
	r.mu.Unlock()
	first := complete && !g.served.ready && len(g.manifest.Files) > 0
	if !first && g.served.Set.Changed() < max(foldFiles, len(g.manifest.Files)/foldShare) {
		return nil
	}
	attached := servedAttachment(r.embedder.Model(), g.served.ready || complete)
	if err := g.served.Set.Write(servedName(x.dir, g.store), attached); err != nil {
		return err
	}
	return x.swapServed(g)
}

// servedPaths are some documents to embed next, by path, with their marks.
func (r *served) servedPaths(n int) map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.todo) <= n {
		out := make(map[string]uint64, len(r.todo))
		for path, mark := range r.todo {
			out[path] = mark
		}
		return out
	}
	// The newest first: what was saved just now is what is looked for next.
	marks := make([]uint64, 0, len(r.todo))
	for _, mark := range r.todo {
		marks = append(marks, mark)
	}
	slices.Sort(marks)
	least := marks[len(marks)-n]
	out := make(map[string]uint64, n)
	for path, mark := range r.todo {
		if mark >= least {
			out[path] = mark
		}
	}
	return out
}

// publishServed puts documents into the set whose vectors are at hand, unless they
// were changed, moved or deleted since they were read: then they are another mark's.
func (x *Index) publishServed(ctx context.Context, g *generation, marks map[string]uint64, docs []servedDocument) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	r := x.served
	if g != x.current {
		return nil
	}
	if g.served == nil && r.cache.Dimension() != 0 {
		if err := x.newServedSet(g, r.cache.Dimension()); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range docs {
		e, known := g.manifest.Files[d.path]
		if mark, asked := marks[d.path]; asked && known && e.Hash == d.hash && r.todo[d.path] == mark {
			x.putServed(g, d)
		}
	}
	for path, mark := range marks {
		// What could not be read, or isn't what is indexed, is marked again when it is
		// published.
		if r.todo[path] == mark {
			delete(r.todo, path)
		}
	}
	return nil
}
