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

// learned waits until vectors are learned, as they are where a daemon ran for a while.
// It ends without them where there are too few documents.
func (s *session) learned(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < learnLimit; {
		v := s.index.Status().Vectors
		if !v.Training && (v.State == index.VectorsReady && v.Pending == 0 || time.Since(began) > learnStart && v.State == index.VectorsNone) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

func (s *session) close() error {
	s.cancel()
	s.running.Wait()
	return errors.Join(s.err, s.index.Close(), s.vault.Close())
}
