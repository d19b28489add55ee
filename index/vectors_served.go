package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"kist/index/served"
	"kist/index/store"
	"os"
	"path/filepath"

	"kist/index/intake"
	"kist/index/rank"
	"kist/index/vector"
)

// servedPrefix begins the name of the file of the vectors that an Embedder made for a
// store; the store's id follows.
const servedPrefix = "served-"

// A remote keeps the vectors that an Embedder makes. Where there is none, its server is nil.
type remote struct {
	*core
	*served.Server
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
func (r *remote) loadServed(g *generation) {
	if r.Server == nil {
		return
	}
	v, err := openServed(r.dir, g.store, r.Model())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.log.Info("documents are embedded anew", "model", r.Model(), "reason", err)
		os.Remove(servedName(r.dir, g.store))
	case r.Dimension() != 0 && r.Dimension() != v.Set.Dim():
		v.close()
		os.Remove(servedName(r.dir, g.store))
	default:
		g.served = v
	}
}

// serveBatch brings the served vectors of committed files up to date as far as the
// cache can, and notes what is to be asked for. The caller holds the writing token.
func (r *remote) serveBatch(g *generation, batch []intake.File) {
	if r.Server == nil {
		return
	}
	r.During(g, func() {
		for _, p := range batch {
			r.serve(g, p)
		}
	})
}

// serve is serveBatch for one file, while the server sees to the generation.
func (r *remote) serve(g *generation, p intake.File) {
	switch {
	case p.Gone:
		r.Unmark(p.Path)
		if g.served != nil {
			g.served.Set.Delete(p.Path)
		}
	case p.Same || p.Err != nil:
	default:
		r.Mark(p.Path)
		d := r.Document(p.Page, p.Hash, g.manifest.Files[p.Path])
		putServed(g, d)
		if d.Complete() && g.served != nil {
			r.Unmark(p.Path)
		}
	}
}

// putServed publishes what is known of a document's vectors. One that lacks some gets
// a stamp that no text has. The caller holds the writing token.
func putServed(g *generation, d served.Document) {
	if g.served == nil {
		return
	}
	out := vector.Document{Key: d.Path}
	if d.Complete() {
		out.Stamp = vector.Stamp(d.Hash)
	}
	for _, p := range d.Passages {
		if p.Vector != nil {
			out.Passages = append(out.Passages, vector.Passage{Ordinal: p.Ordinal, Vector: p.Vector})
		}
	}
	g.served.Set.Put(out)
}

// surveyServed finds out which documents lack vectors, once for each generation, and
// gives the generation a set where there can be one.
func (r *remote) surveyServed(ctx context.Context) (*generation, error) {
	release, err := r.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	g := r.current
	if g.served == nil && r.Dimension() != 0 {
		if err := r.newServedSet(g, r.Dimension()); err != nil {
			return nil, err
		}
	}
	r.Attend(g, func() {
		for _, path := range g.served.lacking(g.manifest) {
			r.Mark(path)
		}
	})
	return g, nil
}

// newServedSet gives a generation an empty set. The caller holds the writing token.
func (r *remote) newServedSet(g *generation, dim int) error {
	none := iter.Seq2[vector.Document, error](func(func(vector.Document, error) bool) {})
	model := r.Model()
	if err := vector.Write(servedName(r.dir, g.store), dim, none, servedAttachment(model, false)); err != nil {
		return err
	}
	return r.swapServed(g)
}

// swapServed puts the stored vectors into use. The caller holds the writing token.
func (r *remote) swapServed(g *generation) error {
	next, err := openServed(r.dir, g.store, r.Model())
	if err != nil {
		return err
	}
	return r.swap(&g.served, next)
}

// foldServed writes the set to its file where enough has changed, or where it is
// complete for the first time: from then on searches use it.
func (r *remote) foldServed(ctx context.Context, g *generation) error {
	release, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if g != r.current || g.served == nil {
		return nil
	}
	complete := r.Left() == 0
	first := complete && !g.served.ready && len(g.manifest.Files) > 0
	if !first && g.served.Set.Changed() < max(foldFiles, len(g.manifest.Files)/foldShare) {
		return nil
	}
	attached := servedAttachment(r.Model(), g.served.ready || complete)
	if err := g.served.Set.Write(servedName(r.dir, g.store), attached); err != nil {
		return err
	}
	return r.swapServed(g)
}

// publishServed puts documents into the set whose vectors are at hand, unless they
// were changed, moved or deleted since they were read: then they are another mark's.
func (r *remote) publishServed(ctx context.Context, g *generation, marks map[string]uint64, docs []served.Document) error {
	release, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if g != r.current {
		return nil
	}
	if g.served == nil && r.Dimension() != 0 {
		if err := r.newServedSet(g, r.Dimension()); err != nil {
			return fmt.Errorf("write vectors: %w", err)
		}
	}
	r.Settle(marks, func(still func(path string) bool) {
		for _, d := range docs {
			if e, known := g.manifest.Files[d.Path]; known && e.Hash == d.Hash && still(d.Path) {
				putServed(g, d)
			}
		}
	})
	return nil
}
