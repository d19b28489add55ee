package index

import (
	"context"

	"kist/index/courtesy"
	"kist/index/manifest"
	"kist/index/page"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"kist/index/intake"
)

// A reading makes what a generation lacks from the files.
type reading struct {
	*core
	g        *generation
	courtesy *courtesy.Courtesy
}

// reading is that for a generation.
func (x *Index) reading(g *generation) reading { return reading{x.core, g, &x.courtesy} }

// prepare reads a file and makes its entries, unless the generation holds them already.
func (r reading) prepare(path string) intake.File {
	p := r.files.Load(path)
	if p.Gone || p.Err != nil {
		return p
	}
	r.mu.RLock()
	old, known := r.g.manifest.Files[path]
	r.mu.RUnlock()
	if known && old.Flags&(manifest.Unsure|manifest.Failed) == 0 && old.Hash == p.Hash && old.Size == p.Page.Info.Size {
		p.Same = true
		return p
	}
	return r.files.LayOut(p)
}

// refresh prepares again what changed meanwhile. A file that is written to all
// the time is taken as it is after a few rounds; its next change will be news.
func (r reading) refresh(p *intake.File) {
	for range 3 {
		if r.files.Fresh(*p) {
			break
		}
		*p = intake.File{Path: p.Path} // one text at a time
		*p = r.prepare(p.Path)
	}
}

// aheadBytes bounds the files that are read and parsed ahead of being committed.
const aheadBytes = page.MaxFile

// prepareAll prepares paths on all processors, ahead of fn, which gets them one
// at a time and in no particular order. All goroutines have ended when it returns.
func (r reading) prepareAll(ctx context.Context, paths []string, fn func(intake.File) error) error {
	if len(paths) <= 4 {
		for _, p := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(r.prepare(p)); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead := semaphore.NewWeighted(aheadBytes)
	var err error
	for p := range r.prepareAhead(ctx, paths, ahead) {
		if err == nil {
			if err = fn(p); err != nil {
				cancel() // and drain
			}
		}
		ahead.Release(p.Ahead) // a long file has been committed by now
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// prepareAhead starts the workers. The channel is closed when all of them have
// ended, which they do early when ctx ends.
func (r reading) prepareAhead(ctx context.Context, paths []string, ahead *semaphore.Weighted) <-chan intake.File {
	out := make(chan intake.File, 256)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				weight := r.weigh(paths[i])
				if ahead.Acquire(ctx, weight) != nil {
					return
				}
				r.courtesy.GiveWay(ctx)
				p := r.prepare(paths[i])
				p.Ahead = weight
				select {
				case out <- p:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(out)
	}()
	return out
}

// weigh is what reading a file takes of the budget.
func (r reading) weigh(path string) int64 {
	info, err := r.files.Source.Stat(path)
	if err != nil {
		return 0
	}
	return min(info.Size, page.MaxFile)
}
