package index

import (
	"context"
	"kist/index/frugal"
	"kist/index/page"
	"runtime"
)

const (
	// heldBytes bounds the text of files that all searches, and the learning of vectors,
	// have in memory at a time, beside what is being indexed.
	heldBytes = page.MaxFile
	// overlayBytes bounds the text that all searches together have prepared.
	overlayBytes = 3 * page.MaxFile / 2
)

// hold makes room for reading a file of so many bytes, for a search or for vectors.
func hold(ctx context.Context, x *Index, bytes int64) (release func(), err error) {
	give, err := x.held.Take(ctx, bytes)
	if err != nil || bytes < batchBytes {
		return give, err
	}
	end := frugal.Be()
	return func() {
		runtime.GC() // before the next one comes
		end()
		give()
		x.heavy()
		signal(x.learn)
	}, nil
}

// holdPath is hold for a file that is indexed, or else for as much as there may be.
func holdPath(ctx context.Context, x *Index, path string) (release func(), err error) {
	info, err := x.source.Stat(path)
	if err != nil {
		return func() {}, ctx.Err() // who reads it is told
	}
	return hold(ctx, x, min(info.Size, page.MaxFile))
}
