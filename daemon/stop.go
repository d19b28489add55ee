package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kist/index"
)

// shutdown ends what serve began: streams first, then calls, then followers, then
// the parts. followers ends before halt where one of them broke.
func (d *daemon) shutdown(followers context.Context, halt func()) error {
	d.log.Info("stopping")
	d.ready.Store(false)
	close(d.stopping)
	answered := d.stopServers()
	if answered && followers.Err() == nil && !d.lock.lost() {
		d.leave()
	}
	halt()
	err := d.waitGroup()
	if errors.Is(err, errOrphaned) {
		err = nil
	}
	return errors.Join(err, d.close())
}

// leaveLimit is how long saves that are under way are waited for, so that the next start can tell what changed.
const leaveLimit = 250 * time.Millisecond

// leave keeps for the next start what watches go on from.
func (d *daemon) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveLimit)
	defer cancel()
	if err := d.news.Leave(ctx); err != nil {
		d.log.Info("watches begin anew at the next start", "why", err)
	}
}

// stopServers lets calls and turns under way finish, for a time, and reports whether all did.
func (d *daemon) stopServers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	var wg sync.WaitGroup
	var cut atomic.Bool
	for _, s := range []*http.Server{d.unixServer, d.tcpServer} {
		wg.Go(func() {
			if s.Shutdown(ctx) != nil {
				cut.Store(true)
				d.log.Warn("calls under way were cut off")
				_ = s.Close()
			}
		})
	}
	wg.Go(func() {
		if d.turns.WaitFor(ctx) != nil {
			d.log.Warn("a turn was cut off")
		}
	})
	wg.Wait()
	return !cut.Load()
}

func (d *daemon) waitGroup() error {
	done := make(chan error, 1)
	go func() { done <- d.group.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(closeLimit):
		d.log.Warn("the index or the watcher did not end in time")
		return nil
	}
}

// close closes what is open, the last opened first. If a part doesn't close in
// time, the rest stays open until the process ends, above all the lock.
func (d *daemon) close() error {
	var errs []error
	for _, p := range slices.Backward(d.opened) {
		done := make(chan error, 1)
		go func() { done <- p.close() }()
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				errs = append(errs, fmt.Errorf("close %s: %w", p.name, err))
			}
		case <-time.After(closeLimit):
			return errors.Join(append(errs, fmt.Errorf("close %s: it takes too long", p.name))...)
		}
	}
	return errors.Join(errs...)
}

// progressEvery is how often a progress bar moves.
const progressEvery = 50 * time.Millisecond

// progress reports the building of the index until it is ready.
func (d *daemon) progress(ctx context.Context) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		s := d.index.Status()
		switch s.State {
		case index.Building:
			d.opts.Progress(s.Progress.Done, s.Progress.Total, "indexing")
		case index.Ready, index.Paused:
			d.opts.Progress(s.Progress.Done, s.Progress.Total, string(s.State))
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
