package agent_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"kist/index"
	"kist/index/rank"
	"kist/vault"
)

// searched is an index that is opened when something is first looked for, and followed from
// then on: most conversations look for nothing, and an index takes as long as a third of them.
// Whoever searches waits for what was written, however long that takes.
type searched struct {
	open   func() (*index.Index, error)
	opened atomic.Bool
}

func newSearched(t testing.TB, v *vault.Vault) *searched {
	s := &searched{}
	s.open = sync.OnceValues(func() (*index.Index, error) {
		x, err := index.Open(v, index.Options{Dir: t.TempDir()})
		if err != nil {
			return nil, err
		}
		s.opened.Store(true)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- x.Run(ctx) }()
		t.Cleanup(func() {
			cancel()
			<-done
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
		return x, nil
	})
	return s
}

func (s *searched) Search(ctx context.Context, q index.Query) (*rank.Results, error) {
	x, err := s.open()
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := x.Wait(ctx, 0); err != nil {
		return nil, err
	}
	return x.Search(ctx, q)
}

// Wait returns when everything was indexed that the index is asked for.
func (s *searched) Wait(ctx context.Context, seq vault.Seq) error {
	if !s.opened.Load() {
		return nil
	}
	x, err := s.open()
	if err != nil {
		return err
	}
	return x.Wait(ctx, seq)
}
