package index

import (
	"context"
	"kist/index/served"

	"kist/index/manifest"

	"maps"
	"slices"
	"sync"
	"time"

	"kist/index/page"
)

const (
	// windowFiles are read, asked for and published together. Should the process end,
	// no more than that has to be read again; what was answered is in the cache.
	windowFiles = 200
	windowText  = 8 << 20 // bytes of their texts

	// progressEvery is how often what is complete of them is published all the same, so
	// that progress shows where the server is slow.
	progressEvery = time.Second
)

// followServed keeps served vectors up until ctx ends; wait returns when it has.
func (r *remote) followServed(ctx context.Context) (wait func()) {
	if r.Server == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Follow(ctx, r.advanceServed, func(err error, next time.Duration) {
			if err != nil {
				r.log.Warn("documents are not embedded; search goes on without", "error", err, "again in", next.Round(time.Second))
				return
			}
			r.log.Info("documents are embedded again", "model", r.Model())
		})
	}()
	return func() { <-done }
}

// advanceServed embeds all documents that lack vectors.
func (r *remote) advanceServed(ctx context.Context) error {
	for {
		g, err := r.surveyServed(ctx)
		if err != nil {
			return err
		}
		marks := r.Next(windowFiles)
		if len(marks) == 0 {
			if err := r.trimServed(ctx, g); err != nil {
				return err
			}
			return r.foldServed(ctx, g)
		}
		docs, failed := r.serveWindow(ctx, g, marks)
		if failed != nil && ctx.Err() == nil {
			// What is complete is published all the same.
			for _, d := range docs {
				if !d.Complete() {
					delete(marks, d.Path)
				}
			}
		}
		if err := r.publishServed(ctx, g, marks, docs); err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
		if err := r.foldServed(ctx, g); err != nil {
			return err
		}
	}
}

// serveWindow reads some documents and has the server make what vectors they lack.
func (r *remote) serveWindow(ctx context.Context, g *generation, marks map[string]uint64) ([]served.Document, error) {
	var docs []served.Document
	size := 0
	for path := range marks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if size > windowText {
			delete(marks, path) // next time
			continue
		}
		f, err := r.files.Reader().Read(path)
		if err != nil {
			continue
		}
		r.mu.RLock()
		e := g.manifest.Files[path]
		r.mu.RUnlock()
		if hash := manifest.HashOf(f.Raw); hash == e.Hash {
			docs = append(docs, r.Document(f, hash, e))
			size += len(f.Text)
		}
	}
	err := r.Ask(ctx, docs, publishing(ctx, r, g, marks, docs))
	for i := range docs {
		r.Recall(&docs[i])
	}
	return docs, err
}

// publishing returns what is called with each answer while documents are asked for, and may
// be called concurrently: it publishes those that are complete, now and then.
func publishing(ctx context.Context, r *remote, g *generation, marks map[string]uint64, docs []served.Document) func() error {
	var mu sync.Mutex
	last, published := time.Now(), map[string]bool{}
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < progressEvery {
			return nil
		}
		some, complete := map[string]uint64{}, []served.Document(nil)
		for i := range docs {
			r.Recall(&docs[i])
			if d := docs[i]; d.Complete() && !published[d.Path] {
				published[d.Path], some[d.Path] = true, marks[d.Path]
				complete = append(complete, d)
			}
		}
		err := r.publishServed(ctx, g, some, complete)
		last = time.Now()
		return err
	}
}

// trimServed shortens the cache of vectors if there is far too much in it.
func (r *remote) trimServed(ctx context.Context, g *generation) error {
	r.mu.RLock()
	sections := g.manifest.Sections
	paths := slices.Collect(maps.Keys(g.manifest.Files))
	r.mu.RUnlock()
	return r.Trim(ctx, paths, sections, func(path string) (*page.File, manifest.Entry, error) {
		f, err := r.files.Reader().Read(path)
		r.mu.RLock()
		defer r.mu.RUnlock()
		return f, g.manifest.Files[path], err
	})
}
