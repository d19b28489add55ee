package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/store"
	"time"

	"kist/vault"
)

const (
	// saveDelay is how long after a change the manifest is saved. Until then a
	// crash costs reading again what changed.
	saveDelay = 10 * time.Second
	// retryDelay is how long an index that holds files back waits before it looks again
	// by itself.
	retryDelay = 30 * time.Second
	// A paused index tries again after firstPause, and then after twice as long each
	// time, up to longestPause, whatever changes meanwhile: changes that it can't take
	// are waiting all the time.
	firstPause   = 100 * time.Millisecond
	longestPause = 10 * time.Second
	// buildingFrom is the number of files from which catching up is called
	// building.
	buildingFrom = 200
)

// Run catches up with the vault and then follows it until ctx ends, which is not
// an error. It returns ErrRunning when the index is already followed and
// ErrClosed when it was closed. Trouble with files or with the index's own folder
// doesn't end it; Status tells of that.
func (x *Index) Run(ctx context.Context) error {
	x.mu.Lock()
	running := x.running
	x.running = true
	x.mu.Unlock()
	if running {
		return ErrRunning
	}
	defer func() {
		x.mu.Lock()
		x.running = false
		x.mu.Unlock()
	}()
	reading := x.readTables()
	defer reading()
	embedding := x.remote.followServed(ctx)
	defer embedding()
	learning := x.learner.followVectors(ctx)
	defer learning()
	for pause := time.Duration(0); ; {
		wait, paused, err := x.step(ctx)
		switch {
		case err != nil:
		case paused:
			pause = min(max(2*pause, firstPause), longestPause)
			sleep(ctx, pause)
		default:
			pause = 0
			err = x.waitChange(ctx, wait)
		}
		if ctx.Err() != nil {
			return x.saveIfDirty()
		}
		if err != nil {
			return err
		}
	}
}

// readTables reads what every search needs of the index, which takes a tenth of a
// start, while the files are compared; wait returns when it is done.
func (x *Index) readTables() (wait func()) {
	done := make(chan struct{})
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return func() {}
	}
	s := x.current.store
	go func() {
		defer close(done)
		_ = store.GuardDamage(s.ReadTables) // whoever searches is told
	}()
	return func() { <-done }
}

// step does all there is to do and says how long to wait for a change at most, 0: for
// ever, or that nothing can be done now.
func (x *Index) step(ctx context.Context) (wait time.Duration, paused bool, err error) {
	release, err := x.acquire(ctx)
	if err != nil {
		return 0, false, err
	}
	defer release()
	err = x.advanceCurrent(ctx)
	if errors.Is(err, ErrDamaged) && ctx.Err() == nil {
		x.log.Warn("the search index is built anew", "error", err)
		err = x.replace(ctx, nil, fmt.Sprintf("the search index was built anew: %v", err))
	}
	switch {
	case ctx.Err() != nil:
		return 0, false, ctx.Err()
	case err != nil:
		x.log.Warn("index paused", "error", err)
		return 0, true, nil
	}
	x.lookAtVectors()
	switch {
	case x.position.held > 0:
		return retryDelay, false, nil
	case len(x.current.manifest.Dirty) > 0:
		return saveDelay, false, nil
	}
	return 0, false, nil
}

// sleep returns after d, or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// advanceCurrent brings the current generation up to date, or pauses.
func (x *Index) advanceCurrent(ctx context.Context) error {
	g, pos := x.current, x.position
	err := x.revive(g)
	if err == nil {
		err = x.advance(ctx, g, &pos)
	}
	if _, ok := errors.AsType[store.Error](err); ok {
		err = g.store.WhetherLost(err)
	}
	if err == nil {
		x.reached(g, pos)
		return nil
	}
	pos.full = true
	if ctx.Err() == nil {
		pos.notice = x.explain(g, err)
	}
	x.stuck(g, pos)
	return err
}

// waitChange returns when the vault has a change that isn't indexed, or after
// the given time, having saved the manifest then.
func (x *Index) waitChange(ctx context.Context, limit time.Duration) error {
	x.mu.RLock()
	after := x.position.seq
	x.mu.RUnlock()
	if limit == 0 {
		return x.vault.WaitChange(ctx, after)
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := x.vault.WaitChange(timed, after)
	if err != nil && timed.Err() != nil && ctx.Err() == nil {
		return x.saveIfDirty()
	}
	return err
}

// saveIfDirty saves the manifest of the current generation where it differs from
// the saved one. That it can't be saved is no reason to stop: it saves time only.
func (x *Index) saveIfDirty() error {
	release, err := x.acquire(context.Background())
	if err != nil {
		return err
	}
	defer release()
	if g := x.current; len(g.manifest.Dirty) > 0 {
		if err := g.save(x.dir); err != nil {
			x.log.Warn("index manifest not saved", "error", err)
		}
	}
	return nil
}

// advance brings a generation up to the vault's newest change.
func (x *Index) advance(ctx context.Context, g *generation, pos *position) error {
	for {
		changes, upTo := x.vault.SearchedSince(pos.seq)
		paths, all := pathsOf(changes)
		if all > 0 || pos.full || pos.held > 0 {
			if all == 0 && pos.seq > 0 {
				all = upTo // it isn't the first time: what made it look may be as new as that
			}
			if err := x.compareAndPublish(ctx, g, pos, all); err != nil || !pos.full {
				return err
			}
			continue
		}
		if len(paths) == 0 {
			pos.seq = max(pos.seq, upTo)
			return nil
		}
		err := x.publishChanges(ctx, g, paths, upTo)
		switch {
		case errors.Is(err, errVanishing):
			pos.full = true
		case err != nil:
			return err
		default:
			pos.seq = upTo
			x.reached(g, *pos)
		}
	}
}

// pathsOf returns the paths of changes, and the change that stands for all of them; 0:
// there is none.
func pathsOf(changes []vault.PathChange) (paths []string, all vault.Seq) {
	for _, c := range changes {
		if c.Path == "" {
			return nil, c.Seq
		}
		paths = append(paths, c.Path)
	}
	return paths, 0
}

// publishChanges publishes what the vault said has changed, at once: its watcher
// has seen to it already that a file isn't looked at in the middle of a save.
func (x *Index) publishChanges(ctx context.Context, g *generation, paths []string, upTo vault.Seq) error {
	if g.manifest.Vanishing(paths, x.missing) {
		return errVanishing
	}
	x.take(g, paths, upTo)
	defer x.setTodo(g, 0)
	return x.publish(ctx, g, paths, func(done int) error { x.setTodo(g, len(paths)-done); return nil })
}

// errVanishing: so many files are gone at once that only a full comparison may
// tell what that means.
var errVanishing = errors.New("many files vanished at once")

// compareAndPublish compares everything with the disk, as of a change.
func (x *Index) compareAndPublish(ctx context.Context, g *generation, pos *position, since vault.Seq) error {
	d, err := x.compare(ctx, g, since)
	if err != nil {
		return err
	}
	pos.seq, pos.full, pos.held, pos.notice = max(pos.seq, d.Seq), false, d.Held, ""
	if d.Held > 0 {
		pos.notice = d.BrakeNotice()
	}
	todo := append(d.Changed, d.Gone...)
	x.begin(g, d)
	defer x.setTodo(g, 0)
	return x.publish(ctx, g, todo, func(done int) error {
		x.setProgress(g, done, len(todo))
		return x.interleave(ctx, g, pos)
	})
}

// interleave publishes what changed while a long comparison is being worked
// through, so that a save is found in a moment even then.
func (x *Index) interleave(ctx context.Context, g *generation, pos *position) error {
	changes, upTo := x.vault.SearchedSince(pos.seq)
	paths, all := pathsOf(changes)
	if all > 0 || g.manifest.Vanishing(paths, x.missing) {
		pos.full = true // when this one is done
		return nil
	}
	if err := x.publish(ctx, g, paths, func(int) error { return nil }); err != nil {
		return err
	}
	pos.seq = max(pos.seq, upTo)
	x.update(g, func() { x.taken = max(x.taken, upTo) })
	return nil
}

// explain turns what stopped the index into a notice, and sees to it that the
// index can still be searched.
func (x *Index) explain(g *generation, err error) string {
	if _, ok := errors.AsType[store.Error](err); !ok {
		return fmt.Sprintf("the vault's folder can't be read, so nothing was removed from the index (%v); it resumes when the folder is back", err)
	}
	if errors.Is(err, ErrDamaged) {
		return fmt.Sprintf("the search index is being built anew (%v); until then search answers from its last state", err)
	}
	if err := x.degrade(g); err != nil {
		x.log.Warn("index not searchable", "error", err)
	}
	return fmt.Sprintf("the index can't be written, so search answers from its last state (%v); check free space and permissions of %s; it tries again by itself", err, x.dir)
}

// degrade reopens the store for reading only: bleve would try to write again and
// again, at the cost of a whole processor.
func (x *Index) degrade(g *generation) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return g.store.Degrade()
}

// revive makes a degraded store writable again.
func (x *Index) revive(g *generation) error {
	if g.store.Lost != nil {
		return store.Error{Err: g.store.Lost}
	}
	if !g.store.ReadOnly {
		return nil
	}
	if err := g.store.WhetherLost(nil); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := g.store.Revive(); err != nil {
		return err
	}
	g.manifest.Doubt(g.store.Dirty)
	return nil
}
