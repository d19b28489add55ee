package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"kist/index"
)

// shutdown ends what serve began: streams first, then calls, then followers, then
// the parts.
func (d *daemon) shutdown(halt func()) error {
	d.log.Info("stopping")
	d.ready.Store(false)
	close(d.stopping)
	d.stopServers()
	halt()
	err := d.waitGroup()
	if errors.Is(err, errOrphaned) {
		err = nil
	}
	return errors.Join(err, d.close())
}

// stopServers lets calls and turns under way finish, for a time.
func (d *daemon) stopServers() {
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range []*http.Server{d.unixServer, d.tcpServer} {
		wg.Go(func() {
			if s.Shutdown(ctx) != nil {
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
