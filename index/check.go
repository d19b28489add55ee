package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/inversion"
	"maps"
	"os"
	"slices"
	"time"

	"kist/index/vector"
)

const (
	// vectorsLimit is how long the vectors of a few documents take at most; a check of
	// an index that is being followed waits for them.
	vectorsLimit = 20 * time.Second
	// shownDifferences is how many of one kind a check lists.
	shownDifferences = 20
)

// Check compares the index with one that is made of the files as they are now, and
// returns a line for each difference: of an entry's postings, links among them; of the
// manifest; and, where Run is at work, of the vectors, once they have caught up. The
// caller waits for the index ([Index.Wait]) and sees to it that nobody changes files
// meanwhile; nothing is indexed during the comparison. It takes as long as a rebuild
// and is meant for tests of storms and crashes. It returns ErrClosed or ctx's error,
// or why a second index can't be made.
func (x *Index) Check(ctx context.Context) (differences []string, err error) {
	stale, err := x.waitVectors(ctx)
	if err != nil {
		return nil, fmt.Errorf("check index: %w", err)
	}
	dir, err := os.MkdirTemp("", "kist-index-")
	if err != nil {
		return nil, fmt.Errorf("check index: %w", err)
	}
	defer os.RemoveAll(dir)
	fresh, err := Open(x.vault, Options{Dir: dir})
	if err != nil {
		return nil, fmt.Errorf("check index: %w", err)
	}
	release, err := x.acquire(ctx)
	if err == nil {
		differences, err = x.compareTo(ctx, fresh)
		release()
	}
	if err = errors.Join(err, fresh.Close()); err != nil {
		return nil, fmt.Errorf("check index: %w", err)
	}
	return append(differences, stale...), nil
}

// compareTo fills fresh, which is empty, from the files and compares with it. The
// caller holds the writing token.
func (x *Index) compareTo(ctx context.Context, fresh *Index) (differences []string, err error) {
	d, err := fresh.compare(ctx, fresh.current, x.vault.Seq())
	if err == nil {
		err = fresh.publish(ctx, fresh.current, d.Changed, func(int) error { return ctx.Err() })
	}
	if err != nil {
		return nil, err
	}
	want, err := fresh.current.store.Digests()
	if err != nil {
		return nil, err
	}
	got, err := x.current.store.Digests()
	if err != nil {
		return nil, err
	}
	m := x.current.manifest
	differences = append(unlike("entry", got, want), unlike("manifest", m.Essence(), fresh.current.manifest.Essence())...)
	if n := fresh.current.manifest; m.Sections != n.Sections || m.Tokens != n.Tokens {
		differences = append(differences, fmt.Sprintf("manifest: %d sections of %v tokens, the files have %d of %v", m.Sections, m.Tokens, n.Sections, n.Tokens))
	}
	return differences, nil
}

// unlike returns a line for each key that has another value in the index than in
// the files.
func unlike[V comparable](what string, index, files map[string]V) (lines []string) {
	all := maps.Clone(files)
	maps.Copy(all, index)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		got, there := index[key]
		want, known := files[key]
		why := "another one in the files"
		switch {
		case there && known && got == want:
			continue
		case !there:
			why = "missing"
		case !known:
			why = "not in the files"
		}
		if lines = append(lines, fmt.Sprintf("%s %q: %s", what, key, why)); len(lines) == shownDifferences {
			break
		}
	}
	return lines
}

// waitVectors waits until the vectors are those of what is indexed, and says which
// aren't. Where nobody keeps them up, it doesn't wait, and old ones are none's fault.
func (x *Index) waitVectors(ctx context.Context) (stale []string, err error) {
	x.lookAtVectors()
	for end := time.Now().Add(vectorsLimit); ; sleep(ctx, 5*time.Millisecond) {
		release, err := x.acquire(ctx)
		if err != nil {
			return nil, err
		}
		x.mu.RLock()
		stale = x.current.staleVectors(x.running)
		x.mu.RUnlock()
		release()
		if len(stale) == 0 || time.Now().After(end) || ctx.Err() != nil {
			return stale, ctx.Err()
		}
	}
}

// staleVectors is called with the token and the mutex held.
func (g *generation) staleVectors(followed bool) (lines []string) {
	if g.vectors == nil {
		if n := len(g.manifest.Files); followed && n >= inversion.MinTrained && g.tried == 0 {
			lines = append(lines, fmt.Sprintf("vectors: none of %d documents", n))
		}
		return lines
	}
	got := map[string]vector.Stamp{}
	for _, key := range g.vectors.Set.Keys() {
		got[key], _ = g.vectors.Set.Stamp(key)
	}
	want := map[string]vector.Stamp{}
	for p, e := range g.manifest.Files {
		if stamp, ok := got[p]; ok && !followed {
			want[p] = stamp
		} else if followed {
			want[p] = vector.Stamp(e.Hash)
		}
	}
	return unlike("vectors", got, want)
}
