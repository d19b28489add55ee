package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kist/index"
	"kist/vault"
)

// Progress is told what is being done and how far it is; total 0: not known.
type Progress func(phase string, done, total int)

func (p Progress) report(phase string, done, total int) {
	if p != nil {
		p(phase, done, total)
	}
}

// A session is an open vault that is watched and its index that follows it, in the
// order in which the daemon starts them.
type session struct {
	vault *vault.Vault
	index *index.Index

	cancel  context.CancelFunc
	running sync.WaitGroup
	mu      sync.Mutex
	err     error // of what runs
}

// watchWait is how long the index waits for the watcher, as in the daemon.
const watchWait = 5 * time.Second

func openSession(ctx context.Context, dir string) (*session, error) {
	v, err := vault.Open(ctx, dir, vault.Options{})
	if err != nil {
		return nil, err
	}
	x, err := index.Open(v, index.Options{})
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &session{vault: v, index: x, cancel: cancel}
	s.goes("watch", func() error { return v.Run(ctx) })
	s.goes("index", func() error { s.awaitWatcher(ctx); return x.Run(ctx) })
	return s, nil
}

func (s *session) goes(what string, run func() error) {
	s.running.Go(func() {
		if err := run(); err != nil && !errors.Is(err, context.Canceled) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.err = errors.Join(s.err, fmt.Errorf("%s: %w", what, err))
		}
	})
}

func (s *session) awaitWatcher(ctx context.Context) {
	for deadline := time.Now().Add(watchWait); time.Now().Before(deadline); {
		select {
		case <-ctx.Done():
			return
		case <-s.vault.Watching():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func (s *session) close() error {
	s.cancel()
	s.running.Wait()
	return errors.Join(s.err, s.index.Close(), s.vault.Close())
}
