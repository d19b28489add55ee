package index

import (
	"context"
	"errors"
	"io/fs"
	"kist/index/manifest"
	"kist/index/page"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"kist/index/analyze"
	"kist/vault"
	"kist/vault/documents"
)

// A prepared file is ready to be committed.
type prepared struct {
	path     string
	gone     bool // no such file, or an ignored one: its entries go
	err      error
	file     *page.File
	hash     manifest.Hash
	same     bool // the text is what is indexed already; only its stat changed
	Analyzer analyze.Analyzer
	count    int          // of entries
	parts    []page.Known // by ordinal of the entries; nil: the file is short
	ahead    int64        // bytes of the budget for reading ahead

	holding   manifest.Holding     // what the store has of a long file; known once it is committed
	tokens    [page.NumFields]int  // of the entries that were written
	embedding *embedding           // of these; nil: there are no vectors
	other     *documents.OtherName // it is gone because it is one
}

// long reports whether a file is written in several portions.
func (p *prepared) long() bool { return p.weight() > batchBytes || p.count > batchEntries }

// weight is the length of its text in bytes.
func (p *prepared) weight() int {
	if p.file == nil {
		return 0
	}
	return len(p.file.Text)
}

// prepare reads a file and makes its entries, unless g holds them already.
func (x *Index) prepare(g *generation, path string) prepared {
	p := x.load(path)
	if p.gone || p.err != nil {
		return p
	}
	x.mu.RLock()
	old, known := g.manifest.Files[path]
	x.mu.RUnlock()
	if known && old.Flags&(manifest.Unsure|manifest.Failed) == 0 && old.Hash == p.hash && old.Size == p.file.Info.Size {
		p.same = true
		return p
	}
	return x.layOut(p)
}

// prepareAnew is prepare whatever the index holds.
func (x *Index) prepareAnew(path string) prepared {
	p := x.load(path)
	if p.gone || p.err != nil {
		return p
	}
	return x.layOut(p)
}

func (x *Index) load(path string) prepared {
	p := prepared{path: path}
	if x.source.Ignored(path) {
		p.gone = true
		return p
	}
	info, err := x.source.Stat(path)
	if err == nil {
		p.file, err = x.reader().Read(path)
	}
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
		p.gone = true
		errors.As(err, &p.other)
	case err != nil:
		p.err = err
		p.file = &page.File{Path: path, Info: info}
	default:
		p.hash = manifest.HashOf(p.file.Raw)
	}
	return p
}

func (x *Index) layOut(p prepared) prepared {
	p.file.FindLinks()
	p.Analyzer = x.langs.Of(p.file.Lang)
	p.count = p.file.Count()
	p.parts = p.file.Parts(p.Analyzer)
	return p
}

// fresh reports whether the disk still holds what was prepared.
func (x *Index) fresh(p prepared) bool {
	info, err := x.source.Stat(p.path)
	ignored := x.source.Ignored(p.path)
	if p.gone || p.err != nil {
		return err != nil || ignored
	}
	return err == nil && !ignored && info.Size == p.file.Info.Size && info.Inode == p.file.Info.Inode && info.ModTime.Equal(p.file.Info.ModTime)
}

// refresh prepares again what changed meanwhile. A file that is written to all
// the time is taken as it is after a few rounds; its next change will be news.
func (x *Index) refresh(g *generation, p *prepared) {
	for range 3 {
		if x.fresh(*p) {
			break
		}
		*p = prepared{path: p.path} // one text at a time
		*p = x.prepare(g, p.path)
	}
}

// aheadBytes bounds the files that are read and parsed ahead of being committed.
const aheadBytes = page.MaxFile

// prepareAll prepares paths on all processors, ahead of fn, which gets them one
// at a time and in no particular order. All goroutines have ended when it returns.
func (x *Index) prepareAll(ctx context.Context, g *generation, paths []string, fn func(prepared) error) error {
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
		ahead.Release(p.ahead) // a long file has been committed by now
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// prepareAhead starts the workers. The channel is closed when all of them have
// ended, which they do early when ctx ends.
func (x *Index) prepareAhead(ctx context.Context, g *generation, paths []string, ahead *semaphore.Weighted) <-chan prepared {
	out := make(chan prepared, 256)
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
				p.ahead = weight
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
	info, err := x.source.Stat(path)
	if err != nil {
		return 0
	}
	return min(info.Size, page.MaxFile)
}

// reader reads the vault's files.
func (x *Index) reader() page.Reader {
	return page.Reader{Head: x.source.ReadHead, Vault: x.vault, Langs: x.langs}
}

// measure adds the lengths of one of a prepared file's entries to those of the file, and
// completes its part.
func (p *prepared) measure(ordinal int, l [page.NumFields]int) {
	if p.parts != nil {
		p.parts[ordinal].Headings, p.parts[ordinal].Body = uint32(l[page.FieldHeadings]), uint32(l[page.FieldBody])
	}
	for f, n := range l {
		p.tokens[f] += n
	}
}
