package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/meter"
	"kist/index/store"
	"time"
)

// Rebuild builds the index anew from the files beside the present one, which
// goes on answering and following meanwhile, and then swaps them. It accepts
// that files which the brake held are gone. progress may be nil; it is called
// between batches and must not call Rebuild or Close. On an error, and when ctx
// ends, the present index stays.
func (x *Index) Rebuild(ctx context.Context, progress func(Progress)) error {
	release, err := x.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return x.replace(ctx, progress, "")
}

// replace is Rebuild for whoever has the writing token. notice says why, where nobody
// asked for it.
func (x *Index) replace(ctx context.Context, progress func(Progress), notice string) error {
	old := x.current
	x.setRebuilding(true)
	next, pos, err := x.buildNext(ctx, progress)
	if err != nil {
		x.setRebuilding(false)
		return fmt.Errorf("rebuild index: %w", err)
	}
	x.mu.Lock()
	x.current, x.position, x.notice = next, pos, notice
	clear(x.waiting) // the new one holds them
	x.rebuilding = false
	x.mu.Unlock()
	x.reached(next, pos)
	x.lookAtVectors()
	if err := old.close(); err != nil {
		x.log.Warn("old index not closed", "error", err)
	}
	removeStores(x.dir, next.store.ID)
	return nil
}

// buildNext makes a generation that holds all that the vault has. Its manifest
// is saved last: from then on it is the one that Open finds.
func (x *Index) buildNext(ctx context.Context, progress func(Progress)) (next *generation, pos position, err error) {
	s, err := store.Create(x.dir)
	if err != nil {
		return nil, pos, err
	}
	defer func() {
		if err != nil {
			s.Close()
			removeStores(x.dir, x.current.store.ID)
		}
	}()
	next = &generation{store: s, manifest: manifest.New(s.ID, x.vault.Dir())}
	next.unsaved = true
	d, err := x.compare(ctx, next, x.vault.Seq())
	if err != nil {
		return nil, pos, err
	}
	pos.seq = d.Seq
	var m meter.Meter
	m.Start(time.Now())
	report := func(done int) {
		p := m.Progress(time.Now(), done, len(d.Changed))
		x.update(x.current, func() { x.progress = p })
		if progress != nil {
			progress(p)
		}
	}
	report(0)
	err = x.publish(ctx, next, d.Changed, func(done int) error {
		report(done)
		// Trouble of the present index is no reason not to replace it.
		if err := x.advanceCurrent(ctx); err != nil && !errors.Is(err, ErrDamaged) {
			x.log.Warn("index being replaced is paused", "error", err)
		}
		return ctx.Err()
	})
	if err == nil {
		err = x.advance(ctx, next, &pos)
	}
	if err == nil {
		next.unsaved = false
		err = next.save(x.dir)
	}
	return next, pos, err
}

func (x *Index) setRebuilding(on bool) {
	x.update(x.current, func() {
		x.rebuilding = on
		x.state = Building
		if !on {
			x.state = Ready
			if x.position.notice != "" {
				x.state = Paused
			}
		}
	})
}
