package index

import (
	"context"
	"errors"
	"kist/index/manifest"

	"kist/vault"
	"kist/vault/documents"
)

// compare compares the manifest with all that the vault lists as of a change. An
// error means that the vault's root could not be read, or ctx's.
func (x *Index) compare(ctx context.Context, g *generation, since vault.Seq) (manifest.Difference, error) {
	l, err := x.files.Source.List(ctx, since)
	if err != nil {
		return manifest.Difference{}, err
	}
	x.mu.Lock()
	x.walked = l.Problems
	x.mu.Unlock()
	leftOut := func(p string) bool { // although it is there
		_, err := x.files.Source.Stat(p)
		return documents.IsOtherName(err) || x.files.Source.Ignored(p)
	}
	d := g.manifest.Compare(append(l.Files[:len(l.Files):len(l.Files)], l.Canvases...), l.Problems, leftOut, x.missing)
	d.Seq = l.Seq
	return d, nil
}

// missing reports whether there is certainly no such file.
func (x *Index) missing(path string) bool {
	_, err := x.files.Source.Stat(path)
	return errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrNotRegular)
}
