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

// A learner keeps the vectors that are made of what the vault's own words tell.
type learner struct {
	*core
	learning bool          // a model is being trained; under the mutex
	look     chan struct{} // holds a token when vectors may have to be looked at
}

// lookAtVectors has the goroutines of followVectors and followServed see whether there is something to do.
func (x *Index) lookAtVectors() {
	parallel.Signal(x.learner.look)
	if x.remote.Server != nil {
		x.remote.LookAgain()
	}
}

// followVectors keeps vectors up in the background until ctx ends; wait returns
// when it has. It sleeps when there is nothing to do.
func (l *learner) followVectors(ctx context.Context) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-l.look:
			case <-ctx.Done():
				return
			}
			if err := l.advanceVectors(ctx); err != nil && ctx.Err() == nil {
				l.log.Warn("vectors are not up to date; search goes on without", "error", err)
			}
			l.mu.Lock()
			l.wake()
			l.mu.Unlock()
			l.giveBack()
		}
	}()
	return func() { <-done }
}

// advanceVectors does all there is to do: train, embed what has no vector, write.
func (l *learner) advanceVectors(ctx context.Context) error {
	g, paths, train, err := l.surveyVectors(ctx)
	if err == nil && train {
		if err = l.trainVectors(ctx, g); err == nil {
			g, paths, _, err = l.surveyVectors(ctx)
		}
	}
	for len(paths) > 0 && err == nil {
		n := min(embedAtOnce, len(paths))
		err = l.withVectors(ctx, g, func() error {
			for _, p := range paths[:n] {
				l.embedFile(g, p)
			}
			return nil
		})
		paths = paths[n:]
	}
	if err != nil {
		return err
	}
	return l.withVectors(ctx, g, func() error {
		g.vectors.checked = true // publishing a document embeds it from here on
		return l.foldVectors(g)
	})
}

// withVectors calls fn while nobody else writes, if g is current and has vectors.
func (l *learner) withVectors(ctx context.Context, g *generation, fn func() error) error {
	release, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if g != l.current || g.vectors == nil {
		return nil
	}
	return fn()
}

// surveyVectors tells what is to be done about vectors: train a model, which embeds
// everything, and embed paths, also where a model was just trained and is out of date
// already.
func (l *learner) surveyVectors(ctx context.Context) (g *generation, paths []string, train bool, err error) {
	release, err := l.acquire(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	defer release()
	g = l.current
	n := len(g.manifest.Files)
	v := g.vectors
	able := n >= inversion.MinTrained && (g.tried == 0 || grown(n, g.tried))
	if v == nil {
		return g, nil, able, nil
	}
	if !v.checked {
		paths = v.lacking(g.manifest)
	}
	changed := v.changed + max(v.Set.Changed(), len(paths))
	train = able && (grown(n, v.trainedOn) || changed > max(inversion.MinTrained, v.trainedOn/3))
	return g, paths, train, nil
}

// foldVectors writes the vectors in memory to the file. The caller holds the writing
// token.
func (l *learner) foldVectors(g *generation) error {
	v := g.vectors
	if v.Set.Changed() < max(foldFiles, len(g.manifest.Files)/foldShare) {
		return nil
	}
	err := v.Set.Write(vectorsName(l.dir, g.store), attachment(v.Model, v.trainedOn, v.drift()))
	if err != nil {
		return err
	}
	return l.swapVectors(g)
}

// grown reports whether there are half as many documents again, or half as many, as
// the model was trained on.
func grown(n, trainedOn int) bool { return n*2 >= trainedOn*3 && n > trainedOn || n*2 < trainedOn }

// trainVectors trains a model on the index as it is now, without keeping others from
// writing, and puts it into use. What has changed meanwhile is pending then.
func (l *learner) trainVectors(ctx context.Context, g *generation) error {
	release, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	if g != l.current {
		release()
		return nil // rebuilt; there will be a look at the new one
	}
	inv, err := inversion.Of(g.store, g.manifest)
	release()
	if err != nil {
		return err
	}
	defer inv.Close()
	defer l.heavy()
	l.setLearning(true)
	defer l.setLearning(false)
	name := vectorsName(l.dir, g.store) + ".new"
	defer os.Remove(name)
	err = store.GuardDamage(func() error { return inv.Learn(ctx, name, firstAttachment) })
	if err != nil {
		err = fmt.Errorf("learn vectors: %w", err)
	}
	release, err2 := l.acquire(ctx)
	if err2 != nil {
		return err2
	}
	defer release()
	switch {
	case g != l.current:
		return nil
	case err != nil:
		g.tried = inv.Documents()
		if errors.Is(err, embed.ErrNothing) {
			return nil
		}
		return err
	}
	if err := os.Rename(name, vectorsName(l.dir, g.store)); err != nil {
		g.tried = inv.Documents()
		return fmt.Errorf("learn vectors: %w", err)
	}
	return l.swapVectors(g)
}

// swapVectors puts the stored vectors into use instead of those at hand. The caller
// holds the writing token.
func (l *learner) swapVectors(g *generation) error {
	next, err := openVectors(l.dir, g.store)
	if err != nil {
		return err
	}
	g.tried = 0
	return l.swap(&g.vectors, next)
}

func (l *learner) setLearning(on bool) {
	l.mu.Lock()
	l.learning = on
	l.wake()
	l.mu.Unlock()
}
