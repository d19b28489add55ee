package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/inversion"
	"kist/index/store"
	"os"

	"kist/index/embed"
	"kist/index/parallel"
)

const (
	// A file of vectors is written anew when so many documents, and this share of
	// all, have changed since it was: they are in memory and are embedded again at
	// the next start.
	foldFiles = 1000
	foldShare = 8 // one in
	// embedAtOnce is how many documents are embedded from their files before others
	// may write to the index.
	embedAtOnce = 50
)

// lookAtVectors has the goroutines of followVectors and followServed see whether there is something to do.
func (x *Index) lookAtVectors() {
	parallel.Signal(x.learn)
	if x.served != nil {
		x.served.LookAgain()
	}
}

// followVectors keeps vectors up in the background until ctx ends; wait returns
// when it has. It sleeps when there is nothing to do.
func (x *Index) followVectors(ctx context.Context) (wait func()) {
	embedding := x.followServed(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-x.learn:
			case <-ctx.Done():
				return
			}
			if err := x.advanceVectors(ctx); err != nil && ctx.Err() == nil {
				x.log.Warn("vectors are not up to date; search goes on without", "error", err)
			}
			x.giveBack()
		}
	}()
	return func() { <-done; embedding() }
}

// advanceVectors does all there is to do: train, embed what has no vector, write.
func (x *Index) advanceVectors(ctx context.Context) error {
	g, paths, train, err := x.surveyVectors(ctx)
	if err == nil && train {
		if err = x.trainVectors(ctx, g); err == nil {
			g, paths, _, err = x.surveyVectors(ctx)
		}
	}
	for len(paths) > 0 && err == nil {
		n := min(embedAtOnce, len(paths))
		err = x.withVectors(ctx, g, func() error {
			for _, p := range paths[:n] {
				x.embedFile(g, p)
			}
			return nil
		})
		paths = paths[n:]
	}
	if err != nil {
		return err
	}
	return x.withVectors(ctx, g, func() error {
		g.vectors.checked = true // publishing a document embeds it from here on
		return x.foldVectors(g)
	})
}

// withVectors calls fn while nobody else writes, if g is current and has vectors.
func (x *Index) withVectors(ctx context.Context, g *generation, fn func() error) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if g != x.current || g.vectors == nil {
		return nil
	}
	return fn()
}

// surveyVectors tells what is to be done about vectors: train a model, which embeds
// everything, and embed paths, also where a model was just trained and is out of date
// already.
func (x *Index) surveyVectors(ctx context.Context) (g *generation, paths []string, train bool, err error) {
	release, err := x.acquire(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	defer release()
	g = x.current
	n := len(g.manifest.Files)
	v := g.vectors
	able := n >= inversion.MinTrained && (g.tried == 0 || grown(n, g.tried))
	if v == nil {
		return g, nil, able, nil
	}
	if !v.checked {
		paths = x.pending(g)
	}
	changed := v.changed + max(v.Set.Changed(), len(paths))
	train = able && (grown(n, v.trainedOn) || changed > max(inversion.MinTrained, v.trainedOn/3))
	return g, paths, train, nil
}

// foldVectors writes the vectors in memory to the file. The caller holds the writing
// token.
func (x *Index) foldVectors(g *generation) error {
	v := g.vectors
	if v.Set.Changed() < max(foldFiles, len(g.manifest.Files)/foldShare) {
		return nil
	}
	err := v.Set.Write(vectorsName(x.dir, g.store), attachment(v.Model, v.trainedOn, v.drift()))
	if err != nil {
		return err
	}
	return x.swapVectors(g)
}

// grown reports whether there are half as many documents again, or half as many, as
// the model was trained on.
func grown(n, trainedOn int) bool { return n*2 >= trainedOn*3 && n > trainedOn || n*2 < trainedOn }

// trainVectors trains a model on the index as it is now, without keeping others from
// writing, and puts it into use. What has changed meanwhile is pending then.
func (x *Index) trainVectors(ctx context.Context, g *generation) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	if g != x.current {
		release()
		return nil // rebuilt; there will be a look at the new one
	}
	inv, err := inversion.Of(g.store, g.manifest)
	release()
	if err != nil {
		return err
	}
	defer inv.Close()
	defer x.heavy()
	x.setLearning(true)
	defer x.setLearning(false)
	name := vectorsName(x.dir, g.store) + ".new"
	defer os.Remove(name)
	err = store.GuardDamage(func() error { return inv.Learn(ctx, name, firstAttachment) })
	if err != nil {
		err = fmt.Errorf("learn vectors: %w", err)
	}
	release, err2 := x.acquire(ctx)
	if err2 != nil {
		return err2
	}
	defer release()
	switch {
	case g != x.current:
		return nil
	case err != nil:
		g.tried = inv.Documents()
		if errors.Is(err, embed.ErrNothing) {
			return nil
		}
		return err
	}
	if err := os.Rename(name, vectorsName(x.dir, g.store)); err != nil {
		g.tried = inv.Documents()
		return fmt.Errorf("learn vectors: %w", err)
	}
	return x.swapVectors(g)
}

// swapVectors puts the stored vectors into use instead of those at hand. The caller
// holds the writing token.
func (x *Index) swapVectors(g *generation) error {
	next, err := openVectors(x.dir, g.store)
	if err != nil {
		return err
	}
	x.mu.Lock()
	old := g.vectors
	g.vectors, g.tried = next, 0
	x.mu.Unlock()
	return old.close()
}

func (x *Index) setLearning(on bool) {
	x.mu.Lock()
	x.learning = on
	x.mu.Unlock()
}
