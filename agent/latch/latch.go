// Package latch makes those who use one thing wait for each other.
package latch

import (
	"context"
	"sync"
)

// A Set has a lock for each name that is in use. The zero Set is ready.
type Set struct {
	mu  sync.Mutex
	all map[string]*latch
}

// latch is a lock that a waiting user can give up on.
type latch struct {
	held  chan struct{}
	users int
}

// Lock waits until nobody else has the name's lock, or for the context's end, whose error it returns.
func (s *Set) Lock(ctx context.Context, name string) (unlock func(), err error) {
	s.mu.Lock()
	l := s.all[name]
	if l == nil {
		if s.all == nil {
			s.all = map[string]*latch{}
		}
		l = &latch{held: make(chan struct{}, 1)}
		s.all[name] = l
	}
	l.users++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(s.all, name)
		}
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// TryLock is Lock for a name that nobody uses or waits for.
func (s *Set) TryLock(name string) (unlock func(), ok bool) {
	s.mu.Lock()
	used := s.all[name] != nil
	s.mu.Unlock()
	if used {
		return nil, false
	}
	unlock, err := s.Lock(context.Background(), name) // held by at most one other
	return unlock, err == nil
}
