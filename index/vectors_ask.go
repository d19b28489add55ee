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
func (x *Index) followServed(ctx context.Context) (wait func()) {
	if x.served == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.served.Follow(ctx, x.advanceServed, func(err error, next time.Duration) {
			if err != nil {
				x.log.Warn("documents are not embedded; search goes on without", "error", err, "again in", next.Round(time.Second))
				return
			}
			x.log.Info("documents are embedded again", "model", x.served.Model())
		})
	}()
	return func() { <-done }
}

// advanceServed embeds all documents that lack vectors.
func (x *Index) advanceServed(ctx context.Context) error {
	r := x.served
	for {
		g, err := x.surveyServed(ctx)
		if err != nil {
			return err
		}
		marks := r.Next(windowFiles)
		if len(marks) == 0 {
			if err := x.trimServed(ctx, g); err != nil {
				return err
			}
			return x.foldServed(ctx, g)
		}
		docs, failed := x.serveWindow(ctx, g, marks)
		if failed != nil && ctx.Err() == nil {
			// What is complete is published all the same.
			for _, d := range docs {
				if !d.Complete() {
					delete(marks, d.Path)
				}
			}
		}
		if err := x.publishServed(ctx, g, marks, docs); err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
		if err := x.foldServed(ctx, g); err != nil {
			return err
		}
	}
}

// serveWindow reads some documents and has the server make what vectors they lack.
func (x *Index) serveWindow(ctx context.Context, g *generation, marks map[string]uint64) ([]served.Document, error) {
	r := x.served
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
		f, err := x.files.Reader().Read(path)
		if err != nil {
			continue
		}
		x.mu.RLock()
		e := g.manifest.Files[path]
		x.mu.RUnlock()
		if hash := manifest.HashOf(f.Raw); hash == e.Hash {
			docs = append(docs, r.Document(f, hash, e))
			size += len(f.Text)
		}
	}
	err := r.Ask(ctx, docs, publishing(ctx, x, g, marks, docs))
	for i := range docs {
		r.Recall(&docs[i])
	}
	return docs, err
}

// publishing returns what is called with each answer while documents are asked for, and may
// be called concurrently: it publishes those that are complete, now and then.
func publishing(ctx context.Context, x *Index, g *generation, marks map[string]uint64, docs []served.Document) func() error {
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
			x.served.Recall(&docs[i])
			if d := docs[i]; d.Complete() && !published[d.Path] {
				published[d.Path], some[d.Path] = true, marks[d.Path]
				complete = append(complete, d)
			}
		}
		err := x.publishServed(ctx, g, some, complete)
		last = time.Now()
		return err
	}
}

// trimServed shortens the cache of vectors if there is far too much in it.
func (x *Index) trimServed(ctx context.Context, g *generation) error {
	x.mu.RLock()
	sections := g.manifest.Sections
	paths := slices.Collect(maps.Keys(g.manifest.Files))
	x.mu.RUnlock()
	return x.served.Trim(ctx, paths, sections, func(path string) (*page.File, manifest.Entry, error) {
		f, err := x.files.Reader().Read(path)
		x.mu.RLock()
		defer x.mu.RUnlock()
		return f, g.manifest.Files[path], err
	})
}
