package index

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"

	"github.com/blevesearch/bleve/v2/document"
	"golang.org/x/sync/semaphore"

	"kist/vault"
)

// A prepared file is ready to be committed.
type prepared struct {
	path   string
	gone   bool // no such file: its entries go
	err    error
	file   *file
	same   bool // the text is what is indexed already; only its stat changed
	docs   []*document.Document
	weight int   // bytes of text
	ahead  int64 // bytes of the budget for reading ahead
}

// prepare reads a file and makes its entries.
func (x *Index) prepare(g *generation, path string) prepared {
	p := prepared{path: path}
	info, err := x.source.Stat(path)
	if err == nil {
		p.file, err = x.readFile(path)
	}
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
		p.gone = true
		return p
	case err != nil:
		p.err = err
		p.file = &file{path: path, info: info}
		return p
	}
	x.mu.RLock()
	old, known := g.manifest.files[path]
	x.mu.RUnlock()
	if known && old.flags&(unsure|failed) == 0 && old.hash == p.file.hash && old.size == p.file.info.Size {
		p.same = true
		return p
	}
	p.docs = p.file.entries(x.analyzer)
	p.weight = len(p.file.text)
	return p
}

// fresh reports whether the disk still holds what was prepared.
func (x *Index) fresh(p prepared) bool {
	info, err := x.source.Stat(p.path)
	if p.gone || p.err != nil {
		return err != nil
	}
	return err == nil && info.Size == p.file.info.Size && info.Inode == p.file.info.Inode && info.ModTime.Equal(p.file.info.ModTime)
}

// refresh prepares again what changed meanwhile. A file that is written to all
// the time is taken as it is after a few rounds; its next change will be news.
func (x *Index) refresh(g *generation, p prepared) prepared {
	for range 3 {
		if x.fresh(p) {
			break
		}
		p = x.prepare(g, p.path)
	}
	return p
}

// aheadBytes bounds the files that are read and parsed ahead of being committed.
const aheadBytes = 2 * maxFile

// prepareAll prepares paths on all processors, ahead of fn, which gets them one
// at a time and in no particular order. All goroutines have ended when it returns.
func (x *Index) prepareAll(ctx context.Context, g *generation, paths []string, fn func(prepared) error) error {
	if len(paths) <= 4 {
		for _, p := range paths {
			if err := errors.Join(ctx.Err(), fn(x.prepare(g, p))); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, out := make(chan string), make(chan prepared, 256)
	ahead := semaphore.NewWeighted(aheadBytes)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 4) {
		workers.Go(func() {
			for path := range in {
				weight := x.weigh(path)
				if ahead.Acquire(ctx, weight) != nil {
					continue
				}
				p := x.prepare(g, path)
				p.ahead = weight
				select {
				case out <- p:
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		defer close(out)
		defer workers.Wait()
		defer close(in)
		for _, p := range paths {
			select {
			case in <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	var err error
	for p := range out {
		ahead.Release(p.ahead)
		if err == nil {
			if err = fn(p); err != nil {
				cancel() // and drain
			}
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// weigh is what reading a file takes of the budget.
func (x *Index) weigh(path string) int64 {
	info, err := x.source.Stat(path)
	if err != nil {
		return 0
	}
	return min(info.Size, maxFile)
}
