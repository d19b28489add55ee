package index

import (
	"context"

	"kist/index/manifest"
	"kist/index/page"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"kist/index/intake"
)

// prepare reads a file and makes its entries, unless g holds them already.
func (x *Index) prepare(g *generation, path string) intake.File {
	p := x.files.Load(path)
	if p.Gone || p.Err != nil {
		return p
	}
	x.mu.RLock()
	old, known := g.manifest.Files[path]
	x.mu.RUnlock()
	if known && old.Flags&(manifest.Unsure|manifest.Failed) == 0 && old.Hash == p.Hash && old.Size == p.Page.Info.Size {
		p.Same = true
		return p
	}
	return x.files.LayOut(p)
}

// refresh prepares again what changed meanwhile. A file that is written to all
// the time is taken as it is after a few rounds; its next change will be news.
func (x *Index) refresh(g *generation, p *intake.File) {
	for range 3 {
		if x.files.Fresh(*p) {
			break
		}
		*p = intake.File{Path: p.Path} // one text at a time
		*p = x.prepare(g, p.Path)
	}
}

// aheadBytes bounds the files that are read and parsed ahead of being committed.
const aheadBytes = page.MaxFile

// prepareAll prepares paths on all processors, ahead of fn, which gets them one
// at a time and in no particular order. All goroutines have ended when it returns.
func (x *Index) prepareAll(ctx context.Context, g *generation, paths []string, fn func(intake.File) error) error {
	if len(paths) <= 4 {
		for _, p := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(x.prepare(g, p)); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead := semaphore.NewWeighted(aheadBytes)
	var err error
	for p := range x.prepareAhead(ctx, g, paths, ahead) {
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
func (x *Index) prepareAhead(ctx context.Context, g *generation, paths []string, ahead *semaphore.Weighted) <-chan intake.File {
	out := make(chan intake.File, 256)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				weight := x.weigh(paths[i])
				if ahead.Acquire(ctx, weight) != nil {
					return
				}
				x.courtesy.GiveWay(ctx)
				p := x.prepare(g, paths[i])
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
func (x *Index) weigh(path string) int64 {
	info, err := x.files.Source.Stat(path)
	if err != nil {
		return 0
	}
	return min(info.Size, page.MaxFile)
}
